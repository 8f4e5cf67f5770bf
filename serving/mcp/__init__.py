"""The MCP door: a Model Context Protocol server over the same services, keys and ledger as REST."""
