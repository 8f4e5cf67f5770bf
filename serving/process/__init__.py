"""A running server: the application of all doors, gunicorn's worker, its protocol and its settings."""
