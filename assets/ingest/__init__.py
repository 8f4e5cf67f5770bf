"""Ingest: from official publications to provisions."""
