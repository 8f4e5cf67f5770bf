"""Phases of a connection, in the order in which a request goes through them."""

IDLE, HEAD, BODY, ANSWER, LAST, LEAVING = range(6)
"""Phases of a connection, in this order: it is idle; the head of a request arrives; its body arrives; it is
being answered, and another may follow; it is being answered, and then the connection closes; further input is
dropped."""
