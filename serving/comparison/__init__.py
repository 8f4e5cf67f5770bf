"""Comparison of the law of two snapshots, provision by provision."""
