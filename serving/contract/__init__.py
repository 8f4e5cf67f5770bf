"""The on-disk and wire contract that builders conform to and the server reads: names, records, errors."""
