"""Accounts, keys, credits and limits: who may call, how often, and what each call costs."""
