"""Corrections: the reviewed list of what was found wrong in this service, as a ready answer."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeGuard

from assets.errors import RegistryError
from serving.contract.answers import CorrectionBody, CorrectionsBody
from serving.contract.identity import node_id

_TABLE = "correction"
_HEADER = frozenset({"source", "date", _TABLE})
_OPENING = re.compile(r"\s*\[\[\s*correction\s*\]\]")
_TEXTS = ("identifier", "citation", "wrong", "found_by", "fixed_in")
_NEEDED = ("wrong", "found_by", "found_on")
_FIELDS = frozenset({*_TEXTS, *_NEEDED})
_IDENTIFIER = re.compile(r"/[a-z0-9-]+(?:/[^/\s]+)+")
_FIXED_IN = re.compile(r"next version|\d{1,3}(?:\.\d{1,3}){2}|\d{4}\.\d{2}\.\d{2}-[1-9]\d*", re.ASCII)
"""`next version`, the number of a version, or the id of a snapshot."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One error.

    Attributes:
        wrong: what was wrong.
        found_by: how it was found.
        found_on: the day on which it was found.
        identifier: canonical identifier of the provision; None where it has a citation alone.
        citation: of the provision; None where it has an identifier alone.
        fixed_in: version or snapshot that was the first without the error; None while it is open.
    """

    wrong: str
    found_by: str
    found_on: date
    identifier: str | None = None
    citation: str | None = None
    fixed_in: str | None = None

    def answer(self) -> CorrectionBody:
        """Return the correction as the API gives it."""
        return {
            "nodeId": None if self.identifier is None else str(node_id(self.identifier)),
            "identifier": self.identifier,
            "citation": self.citation,
            "wrong": self.wrong,
            "foundBy": self.found_by,
            "foundOn": self.found_on.isoformat(),
            "status": "open" if self.fixed_in is None else "fixed",
            "fixedIn": self.fixed_in,
        }


@dataclass(frozen=True, slots=True)
class Corrections:
    """The whole list, in the order of its file, with its source and the day of which it is."""

    source: str
    date: date
    entries: tuple[Correction, ...]

    def answer(self) -> CorrectionsBody:
        """Return the answer of the endpoint: what was found last comes first."""
        newest_first = sorted(self.entries, key=lambda entry: entry.found_on, reverse=True)
        return {
            "source": self.source,
            "date": self.date.isoformat(),
            "corrections": [entry.answer() for entry in newest_first],
        }


def load_corrections(path: Path) -> Corrections:
    """Read the list.

    Raises:
        RegistryError: the file is missing or malformed, or a field is missing, unknown or not of its form.
            The message names the file and, of an entry, its line.
    """
    try:
        text = path.read_text(encoding="utf-8")
        content = tomllib.loads(text)
    except FileNotFoundError:
        raise RegistryError(f"{path} is missing.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RegistryError(f"{path}: {error}") from error
    source, stated, tables = content.get("source"), content.get("date"), content.get(_TABLE, [])
    if not _is_text(source) or not _is_day(stated):
        raise RegistryError(f"{path} states no `source` and `date`.")
    if unknown := sorted(content.keys() - _HEADER):
        raise RegistryError(f"{path} has the unknown field `{unknown[0]}`.")
    lines = [number for number, line in enumerate(text.split("\n"), 1) if _OPENING.match(line)]
    if not isinstance(tables, list) or len(lines) != len(tables):
        raise RegistryError(f"{path}: each correction begins with a line `[[{_TABLE}]]`.")
    entries = []
    for line, table in zip(lines, tables, strict=True):
        if fault := _fault(table, stated):
            raise RegistryError(f"{path}:{line}: the correction {fault}.")
        entries.append(Correction(**table))
    return Corrections(source, stated, tuple(entries))


def _fault(table: Mapping[str, Any], stated: date) -> str | None:
    """Return what is wrong with the fields of an entry; None if nothing is."""
    if unknown := sorted(table.keys() - _FIELDS):
        return f"has the unknown field `{unknown[0]}`"
    if missing := [name for name in _NEEDED if name not in table]:
        return f"has no `{missing[0]}`"
    if "identifier" not in table and "citation" not in table:
        return "has neither `identifier` nor `citation`"
    if empty := [name for name in _TEXTS if name in table and not _is_text(table[name])]:
        return f"has a `{empty[0]}` that is not a text, or is empty, or begins or ends with a blank"
    if "identifier" in table and not _IDENTIFIER.fullmatch(table["identifier"]):
        return f"has an `identifier` that is none: {table['identifier']!r}"
    if "fixed_in" in table and not _FIXED_IN.fullmatch(table["fixed_in"]):
        named = table["fixed_in"]
        return f"has a `fixed_in` that is neither a version, a snapshot nor `next version`: {named!r}"
    if not _is_day(table["found_on"]):
        return "has a `found_on` that is no date without quotes, such as 2026-11-22"
    if table["found_on"] > stated:
        return f"was found on {table['found_on']}, after the `date` of the file, {stated}"
    return None


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value) and value == value.strip()


def _is_day(value: object) -> TypeGuard[date]:
    return isinstance(value, date) and not isinstance(value, datetime)
