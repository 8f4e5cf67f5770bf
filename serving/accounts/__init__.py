"""Accounts and their people: keys, sign-in, sessions, orders, credits; backup and transfer of the store."""
