"""Bodies of HTTP answers, for the doors that use falcon: encodings, entity tags, documents."""
