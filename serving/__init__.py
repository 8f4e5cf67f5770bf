"""The server: REST, MCP and pages over read-only snapshots. Imports nothing from `assets` or `pipelines`."""
