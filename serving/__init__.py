"""The server: REST over one read-only snapshot. Imports nothing from `assets` or `pipelines`."""
