"""Bounded work beside the event loop, and whether its client still waits."""
