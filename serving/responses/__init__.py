"""Bodies of HTTP answers, for the doors that speak HTTP through falcon: encodings, entity tags, documents."""
