"""Oracles: per dialect, the independent account of where each character of a file went."""
