"""Readers: one module a dialect."""
