"""The free datasets and the data of the formation tools: from curated files to ready answers."""
