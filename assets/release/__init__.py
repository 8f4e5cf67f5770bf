"""Release: from tables and indexes to a verified, published snapshot."""
