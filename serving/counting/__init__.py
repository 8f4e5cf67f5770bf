"""Counting what is answered, in memory that all workers of a server share."""
