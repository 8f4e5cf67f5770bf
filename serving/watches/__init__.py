"""Watches: what accounts want to be told of when it changes, what was matched, and its signed delivery."""
