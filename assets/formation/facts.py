"""Curated files of `datasets/formation`, and the facts in them: a value, how far it is known, and whence."""

import csv
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from assets.errors import RegistryError

VERIFIED = "verified"
REPORTED = "reported"
UNVERIFIED = "unverified"
UNKNOWN = "unknown"
STATUSES = (VERIFIED, REPORTED, UNVERIFIED, UNKNOWN)
"""Degrees to which a value is known, the best first.

`verified`: a primary source was opened on the stated date; `reported`: seen in the named page or in a
stored copy of it, which may be older; `unverified`: believed, without a page; `unknown`: there is no value.
"""

DATED = re.compile(r"^# .*Date: (\d{4}-\d{2}-\d{2})\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Fact:
    """One value.

    Attributes:
        value: cents, yes or no, or None where it is not known.
        source: address of the page, or a path of the service itself; None where there is none.
        date: the day on which the source, or a stored copy of it, was read, ISO; None where there is none.
        page_date: what the page says of its own date, ISO or a part of it; None where it says nothing.
    """

    value: int | bool | None
    status: str
    source: str | None
    date: str | None
    page_date: str | None

    def answer(self, name: str = "value") -> dict[str, Any]:
        """Return the fact as answers give it, its value under `name`."""
        return {
            name: self.value,
            "status": self.status,
            "source": self.source,
            "date": self.date,
            "pageDate": self.page_date,
        }


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one file, and the date that the file states."""

    rows: tuple[dict[str, str], ...]
    date: str


def read_table(path: Path, columns: Sequence[str]) -> Table:
    """Read a CSV file whose first lines, which begin with `#`, state its source and its date.

    Raises:
        RegistryError: the file is missing, has no date, or has other columns.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RegistryError(f"{path} is missing.") from None
    stated = DATED.search(text)
    if stated is None:
        raise RegistryError(f"{path} states no date in its first lines.")
    lines = text.splitlines()
    reader = csv.DictReader(line for line in lines if not line.startswith("#"))
    if tuple(reader.fieldnames or ()) != tuple(columns):
        raise RegistryError(f"{path} has the columns {reader.fieldnames}; read are {', '.join(columns)}.")
    rows = tuple(reader)
    if any(None in row or None in row.values() for row in rows):
        raise RegistryError(f"{path} has a row with more or fewer values than columns.")
    return Table(rows, stated[1])


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file that states its source and its date.

    Raises:
        RegistryError: it is missing, malformed, or states neither.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RegistryError(f"{path} is missing.") from None
    except tomllib.TOMLDecodeError as error:
        raise RegistryError(f"{path}: {error}") from error
    if not isinstance(content.get("date"), date) or not content.get("source"):
        raise RegistryError(f"{path} states no source and date.")
    return content


def fact_of(row: dict[str, str], where: str, *, value: str = "value") -> Fact:
    """Return the fact in a row with `status`, `source`, `date` and `page_date`, its value in column `value`.

    Raises:
        RegistryError: the status is none, or the value is no number and neither yes nor no.
    """
    if row["status"] not in STATUSES:
        raise RegistryError(f"{where} has the status {row['status']!r}; there are {', '.join(STATUSES)}.")
    return Fact(
        value=_value(row[value], where),
        status=row["status"],
        source=row["source"] or None,
        date=row["date"] or None,
        page_date=row["page_date"] or None,
    )


def weakest(statuses: Sequence[str]) -> str:
    """Return the status that is known least."""
    return max(statuses, key=STATUSES.index)


def _value(text: str, where: str) -> int | bool | None:
    if not text:
        return None
    if text in ("yes", "no"):
        return text == "yes"
    if not text.isdigit():
        raise RegistryError(f"{where} has the value {text!r}: neither a number nor yes or no.")
    return int(text)
