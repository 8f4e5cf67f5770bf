"""The log of published snapshots: append-only, in static files that anybody can check."""
