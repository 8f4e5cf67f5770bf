"""Quotations compared with the text of provisions."""
