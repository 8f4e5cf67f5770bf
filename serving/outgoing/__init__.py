"""Requests of this server to others."""
