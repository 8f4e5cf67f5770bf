"""Use cases over an open snapshot, shared by all doors: typed arguments and results, no HTTP."""
