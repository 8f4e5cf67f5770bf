"""The contract between builders and server: names, records and errors, on disk and in answers."""
