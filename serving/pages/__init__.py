"""The settings page: accounts, keys, usage and credits for people, rendered on the server."""
