"""Counts of requests, in memory that all workers of a server share."""
