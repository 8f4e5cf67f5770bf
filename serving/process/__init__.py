"""A running server: the application of all doors, gunicorn's worker and settings, and the HTTP protocol."""
