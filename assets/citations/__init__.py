"""Citations of a snapshot: the index of where each leads, and the references of provisions to one another."""
