"""Blocking work with limits, run beside the event loop, and the presence of the client that waits for it."""
