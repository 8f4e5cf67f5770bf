"""Search: the keyword index and the vector index of a snapshot."""
