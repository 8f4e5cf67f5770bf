"""The sentence encoder, one implementation for build time (passages) and query time (queries)."""
