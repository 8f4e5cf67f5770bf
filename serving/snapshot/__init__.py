"""The open snapshot: memory-mapped tables, indexes and ready answers, read-only."""
