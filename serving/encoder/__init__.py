"""The sentence encoder: one implementation for passages at build time and for queries."""
