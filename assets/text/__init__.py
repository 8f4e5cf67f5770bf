"""Provisions to chunks, and chunks to embeddings."""
