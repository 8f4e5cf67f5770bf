"""Connectors: which releases a publisher has, and the newest of them as files on this machine."""
