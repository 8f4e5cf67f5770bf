"""`lawctl`: the command of a server's operator, to serve and to manage snapshots, accounts and orders."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

from serving.arguments import CommandParser
from serving.commands.output import remark
from serving.contract.errors import LawError, StoreUnavailableError

COMMANDS = {
    "serve": "serve",
    "snapshot": "snapshots",
    "pages": "pages",
    "mirror": "mirrors",
    "log": "log",
    "accounts": "accounts",
    "keys": "keys",
    "credits": "credits",
    "orders": "orders",
    "reports": "reports",
    "ledger": "ledger",
    "watches": "watches",
    "store": "store",
}
"""Modules of `serving.commands` by their commands, in the order of the help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 done, 1 refused or found wrong, 2 misused."""
    given = sys.argv[1:] if arguments is None else arguments
    options = parser(given[0] if given else None).parse_args(given)
    try:
        status: int = options.run(options)
    except BrokenPipeError:
        # Whoever read the output has seen enough; the interpreter must not fail again on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (LawError, OSError) as error:
        remark(f"lawctl: {_said(error)}")
        return 1
    except (KeyboardInterrupt, EOFError):
        remark("lawctl: interrupted.")
        return 1
    return status


def _said(error: LawError | OSError) -> str:
    if isinstance(error, StoreUnavailableError) and error.__cause__ is not None:
        # Customers are told to try again; whoever runs the server has to know why.
        cause = getattr(error.__cause__, "orig", None) or error.__cause__
        return f"{error.message} ({str(cause).strip()})"
    return error.message if isinstance(error, LawError) else str(error)


def parser(command: str | None = None) -> CommandParser:
    """Return the parser of one command, or of all where there is none of that name.

    Of the others nothing is loaded: together they take a second.
    """
    root = CommandParser(
        prog="lawctl",
        description="Operate the legal research server. Settings come from LAW_ variables (see the guide); "
        "options override them.",
    )
    root.add_argument("--version", action="version", version=f"lawctl {version('legal-research-api')}")
    root.offer_completion()
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    for module in (COMMANDS[command],) if command in COMMANDS else COMMANDS.values():
        import_module(f"serving.commands.{module}").add(commands)
    return root


if __name__ == "__main__":
    sys.exit(main())
