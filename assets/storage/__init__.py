"""Tables, sources and snapshots on an object store: taken from there, and put there whole or not at all."""
