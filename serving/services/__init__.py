"""Use cases over an open snapshot, shared by every front end: typed in, typed out, no HTTP."""
