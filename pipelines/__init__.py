"""Orchestration: what runs, when and with what. No business logic."""
