"""The request log as a page and as a file: what can be chosen, and cells that no spreadsheet runs."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import falcon.asgi

from serving.accounts.request_history import NEWEST, Place, Request, Wanted
from serving.contract.errors import ValidationError
from serving.metering.clock import rfc3339
from serving.metering.records import Key
from serving.pages.row_numbers import row_number

STATUSES = {
    "": "All",
    "2xx": "Answered",
    "304": "Not modified (304)",
    "4xx": "Refused",
    "401": "Key refused (401)",
    "402": "Without credits (402)",
    "403": "Without the scope (403)",
    "404": "Not found (404)",
    "422": "Not valid (422)",
    "429": "Too many (429)",
    "5xx": "Failed",
}
"""Statuses by which requests can be chosen, with their names on the page."""
HEADER = ("time", "key", "keyName", "endpoint", "status", "times", "cost", "snapshot", "requestId")
"""Columns of the file."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of a cell that spreadsheets take for a formula."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The requests that are asked for, as the address has them; empty fields are not given."""

    key: str = ""
    status: str = ""

    @classmethod
    def of(cls, req: falcon.asgi.Request) -> "Choice":
        """Return the choice in an address."""
        return cls(req.get_param("key") or "", req.get_param("status") or "")

    @property
    def wanted(self) -> Wanted:
        """The choice, as requests are looked up by it.

        Raises:
            ValidationError: it names no key or no status.
        """
        statuses = None
        if self.status:
            if not re.fullmatch(r"[1-5](?:xx|[0-9]{2})", self.status, re.ASCII):
                raise ValidationError("The address names no status.", parameter="status")
            statuses = int(self.status.replace("x", "0")), int(self.status.replace("x", "9"))
        return Wanted(row_number(self.key, "key"), statuses)

    def address(self, path: str, before: Place | None = None) -> str:
        """Return the address of this choice at a path, or of the requests before a place in it."""
        end = "" if before is None else f"{before.entry_no}.{before.request_no}"
        chosen = {"key": self.key, "status": self.status, "before": end}
        query = urlencode({name: value for name, value in chosen.items() if value})
        return f"{path}?{query}" if query else path


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One request with the key that it carried; None where the account has it no more."""

    request: Request
    key: Key | None


@dataclass(frozen=True, slots=True)
class RequestsView:
    """The page: some requests, newest first, and what can be chosen.

    Attributes:
        older: address of the next page; None at the end.
        file: address of the file with all requests of this choice.
        days: days for which requests are kept; 0: none is.
    """

    rows: Sequence[RequestRow]
    keys: Sequence[Key]
    statuses: Mapping[str, str]
    choice: Choice
    is_newest: bool
    older: str | None
    file: str
    days: int


def place(text: str | None) -> Place:
    """Return the place in an address; the newest if it names none.

    Raises:
        ValidationError: it is no place.
    """
    if not text:
        return NEWEST
    entry_no, _, request_no = text.partition(".")
    return Place(_boundary(entry_no), _boundary(request_no))


def _boundary(text: str) -> int:
    """Return the number below which the rest lies; 0 where there is none."""
    number = 0 if text == "0" else row_number(text, "before")
    if number is None:
        raise ValidationError("The address names no place among the requests.", parameter="before")
    return number


def lines(requests: Sequence[Request], keys: Mapping[int, Key]) -> bytes:
    """Return requests as lines of a CSV file (RFC 4180)."""
    return _written([_cells(request, keys.get(request.key_id)) for request in requests])


def first_line() -> bytes:
    """Return the line with the names of the columns."""
    return _written([HEADER])


def _cells(request: Request, key: Key | None) -> Sequence[str]:
    return (
        rfc3339(request.at),
        "" if key is None else key.prefix,
        "" if key is None else key.name,
        request.endpoint,
        str(request.status),
        str(request.times),
        str(request.cost),
        request.snapshot or "",
        request.request_id,
    )


def _written(rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([_harmless(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _harmless(cell: str) -> str:
    """Return a cell that spreadsheets do not run: names of keys and ids of requests are the caller's."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
