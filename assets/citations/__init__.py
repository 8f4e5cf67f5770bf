"""Citations of a snapshot: where each leads, what refers to what, and the gates that both must pass."""
