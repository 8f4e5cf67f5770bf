"""Middleware for every answer, one concern per module."""
