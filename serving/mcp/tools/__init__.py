"""The tools, one subject per module."""
