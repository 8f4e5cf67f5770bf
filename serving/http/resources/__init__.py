"""The resources of the API, one noun per module."""
