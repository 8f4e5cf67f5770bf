"""Agents that account holders connect: registered clients, authorization codes, connections with tokens."""
