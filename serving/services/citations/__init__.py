"""Citations resolved in the law of a snapshot: typed, in drafts, and in search queries."""
