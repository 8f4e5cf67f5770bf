"""Parts that all commands share: adding nouns and verbs, settings with overrides, and argument types."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from serving.settings.settings import Settings

Parsers = Any
"""Type of the result of `add_subparsers`, to which argparse gives no public name."""
Run = Callable[[argparse.Namespace], int]

_OVERRIDES = ("snapshots", "pages", "host", "port", "workers", "database_url")


def add_noun(commands: Parsers, name: str, help_text: str) -> Parsers:
    """Add a noun, and return the parsers to which its verbs are added."""
    noun = commands.add_parser(name, help=help_text, description=_sentence(help_text))
    return noun.add_subparsers(required=True, metavar="VERB")


def add_verb(
    verbs: Parsers, name: str, run: Run, help_text: str, *, more: str = ""
) -> argparse.ArgumentParser:
    """Add a verb that prints for people or, with `--json`, for programs; `more` follows in its help."""
    verb: argparse.ArgumentParser = verbs.add_parser(
        name, help=help_text, description=f"{_sentence(help_text)} {more}".strip()
    )
    verb.add_argument("--json", action="store_true", help="print JSON for programs")
    verb.set_defaults(run=run)
    return verb


def add_store_verb(
    verbs: Parsers, name: str, run: Run, help_text: str, *, more: str = ""
) -> argparse.ArgumentParser:
    """Add a verb that works on the store of accounts."""
    verb = add_verb(verbs, name, run, help_text, more=more)
    add_database(verb)
    return verb


def add_database(verb: argparse.ArgumentParser) -> None:
    """Add the option that names the store."""
    verb.add_argument(
        "--database",
        dest="database_url",
        metavar="URL",
        help="store of accounts: sqlite:///path/to/file or postgresql://... (default: LAW_DATABASE_URL; "
        "a password belongs there, not on the command line)",
    )


def add_snapshots(verb: argparse.ArgumentParser) -> None:
    """Add the option that names the folder of the snapshots."""
    verb.add_argument("--snapshots", type=Path, metavar="FOLDER", help="folder that holds the snapshots")


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings from the environment, overridden by the options of the command.

    Raises:
        SettingsError: a value is not accepted.
    """
    given = {name: value for name in _OVERRIDES if (value := getattr(options, name, None)) is not None}
    settings = replace(Settings.from_env(), **given)
    # Read back as a worker will read it: what it would refuse is refused here, where somebody looks.
    return Settings.from_env(settings.environment())


def whole_number(text: str) -> int:
    """Parse a whole number from 1 that fits into 64 bits, as every database can hold it."""
    if not (text.isascii() and text.isdecimal()) or not 0 < int(text[:20]) < 2**63:
        raise argparse.ArgumentTypeError(f"{text[:30]!r} is not a whole number from 1")
    return int(text)


def _sentence(help_text: str) -> str:
    return f"{help_text[0].upper()}{help_text[1:]}."
