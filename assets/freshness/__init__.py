"""Freshness: what was accepted against the newest release of its publisher."""
