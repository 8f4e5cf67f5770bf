"""Settings of the server, read from the environment in this room and nowhere else."""
