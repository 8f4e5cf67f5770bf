"""Answers on the command line: printed by the function for them, or as JSON, with what they cost."""

import argparse
from collections.abc import Callable

from legal_client.calls import Call, Result
from legal_client.metered_client import MeteredClient
from legal_client.printing import print_json, remark

DONE, NOT_FOUND, WRONG = 0, 4, 7
"""Exit statuses of commands."""


def show(
    client: MeteredClient, call: Call[Result], options: argparse.Namespace, write: Callable[[Result], None]
) -> int:
    """Make a call and print its answer, or its JSON; return the exit status."""
    answer = client.fetch(call)
    if options.json:
        print_json(answer.body)
    else:
        write(call.parse(answer.body, answer.meta))
        remark(client.cost)
    return DONE
