"""Answers on the command line: printed by the function for them, or as JSON, with what they cost."""

import argparse
from collections.abc import Callable

from legal_client.calls import Call, Result
from legal_client.client import Client
from legal_client.printing import counted, print_json, remark
from legal_client.results import Meta

DONE, NOT_FOUND = 0, 4
"""Exit statuses of commands."""


def show(
    client: Client, call: Call[Result], options: argparse.Namespace, write: Callable[[Result], None]
) -> int:
    """Make a call and print its answer, or its JSON; return the exit status."""
    answer = client.fetch(call)
    if options.json:
        print_json(answer.body)
    else:
        write(call.parse(answer.body, answer.meta))
        remark(cost(answer.meta))
    return DONE


def cost(meta: Meta) -> str:
    """Return the line that says what a call cost."""
    if meta.credits_cost is None or meta.credits_remaining is None:
        return ""
    return f"Cost {counted(meta.credits_cost, 'credit')}; {meta.credits_remaining:,} left."
