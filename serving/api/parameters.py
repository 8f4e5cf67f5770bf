"""Query parameters and their parsing: one table holds every bound and every default."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from difflib import get_close_matches
from itertools import chain
from typing import Any
from urllib.parse import unquote, unquote_to_bytes
from uuid import UUID

from serving.api import expectations
from serving.api.faulty import Faulty
from serving.contract.changes import KINDS
from serving.contract.errors import InvalidApiKeyError, ValidationError
from serving.contract.records import IN_FORCE, STATUSES
from serving.metering.keys import redacted
from serving.points import MAX_LATITUDE, MAX_LONGITUDE
from serving.services.requests import RESULT_WINDOW, Mode

QUERY_LENGTH = 500
CITATION_LENGTH = 500
MAX_CITATIONS = 25
MAX_LIMIT = 100
TOKEN_LENGTH = 200
LABEL_LENGTH = 200
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SNAPSHOT = re.compile(r"[0-9]{4}\.[0-9]{2}\.[0-9]{2}-[0-9]{1,6}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_JURISDICTION = re.compile(r"[A-Za-z][A-Za-z0-9 .,'()&-]{1,63}")
_LABEL = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_INTEGER = re.compile(r"[0-9]{1,9}")
_DEGREES = re.compile(r"-?[0-9]{1,3}(?:\.[0-9]{1,20})?(?:[eE][-+]?[0-9]{1,3})?")
_SHOWN = 40
"""Characters of an unknown parameter's name that a message repeats."""
_SEPARATORS = re.compile(r"[\x1c-\x1f]")
"""Control characters that Python counts as white space and Unicode does not."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One query parameter.

    Attributes:
        parse: gives the value; raises ValueError with the sentence that ends the message, such as
            "must be a whole number from 1 to 100".
        most: number of times that it may be given. Above one, its value is a tuple in the order of the query,
            in which a value that is wrong is `Faulty`, unless all are.
    """

    parse: Callable[[str], Any]
    default: Any = None
    required: bool = False
    most: int = 1

    def read(self, value: str, name: str) -> Any:
        """Return one value, or `Faulty` if it is wrong; `name` is the parameter's, indexed among several."""
        try:
            return self.parse(value)
        except ValueError as error:
            return Faulty(value, f"Parameter `{name}` {error}.")


def _query(value: str) -> str:
    folded = " ".join(value.split())
    if _SEPARATORS.search(value):
        raise ValueError("must not contain control characters")
    if not 1 <= len(folded) <= QUERY_LENGTH:
        raise ValueError(f"{expectations.characters(1, QUERY_LENGTH)}, has {len(folded)}")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in folded):
        raise ValueError("must not contain control characters")
    return folded


def _citation(value: str) -> str:
    """Return a citation exactly as it was given, because positions in it are reported by character."""
    if not 1 <= len(value) <= CITATION_LENGTH or value.isspace():
        raise ValueError(f"{expectations.characters(1, CITATION_LENGTH)}, and more than blanks")
    if any(unicodedata.category(letter) in ("Cc", "Cs") and letter not in "\t\n\r" for letter in value):
        raise ValueError("must not contain control characters")
    return value


def integer(low: int, high: int) -> Callable[[str], int]:
    """Return a parser of whole numbers within bounds."""

    def parse(value: str) -> int:
        if not _INTEGER.fullmatch(value) or not low <= int(value) <= high:
            raise ValueError(expectations.whole_number(low, high))
        return int(value)

    return parse


def _mode(value: str) -> Mode:
    try:
        return Mode(value)
    except ValueError:
        raise ValueError(expectations.one_of(Mode)) from None


def _boolean(value: str) -> bool:
    if value not in ("true", "false"):
        raise ValueError(expectations.BOOLEAN)
    return value == "true"


def _uuid(value: str) -> UUID:
    if not _UUID.fullmatch(value):
        raise ValueError(expectations.UUID)
    return UUID(value)


def _jurisdiction(value: str) -> str:
    """Return what names a jurisdiction; the snapshot knows which there are."""
    if not _JURISDICTION.fullmatch(value):
        raise ValueError(
            "must be the short code or the name of a jurisdiction, such as us, dc, il-chicago or California; "
            "coverage lists them"
        )
    return value


def _degrees(value: str, most: int) -> float:
    degrees = float(value) if _DEGREES.fullmatch(value) else None
    if degrees is None or abs(degrees) > most:
        hint = ""
        if degrees is not None and abs(degrees) <= MAX_LONGITUDE:
            hint = f"; {value} can only be a longitude, so `lat` and `lon` seem to be swapped"
        raise ValueError(f"must be degrees from -{most} to {most}, written as in 37.5629{hint}")
    return degrees


def _latitude(value: str) -> float:
    return _degrees(value, MAX_LATITUDE)


def _longitude(value: str) -> float:
    return _degrees(value, MAX_LONGITUDE)


def _label(value: str) -> str:
    """Return the value of a facet, in lower case; the snapshot knows which there are."""
    if len(value) > LABEL_LENGTH or not _LABEL.fullmatch(value.lower()):
        raise ValueError("must be one value of the facet of that name, such as section or definitions")
    return value.lower()


def _statuses(value: str) -> tuple[str, ...]:
    statuses = value.split(",")
    if len(set(statuses)) != len(statuses) or not set(statuses) <= set(STATUSES):
        raise ValueError(f"must be one or more, separated by commas, of {', '.join(STATUSES)}")
    return tuple(status for status in STATUSES if status in statuses)


def _token(value: str) -> str:
    if len(value) > TOKEN_LENGTH or not value.isascii() or not value.isprintable():
        raise ValueError("must be the tracking token that was issued with the order")
    return value


def _snapshot(value: str) -> str:
    if not _SNAPSHOT.fullmatch(value):
        raise ValueError(
            "must be a snapshot id such as 2026.11.21-1; every answer names the one that it was read from"
        )
    return value


def _date(value: str) -> date:
    """Return a day; one in the future is refused, because nobody knows what will be published until then."""
    try:
        day = date.fromisoformat(value) if _DATE.fullmatch(value) else None
    except ValueError:
        day = None
    if day is None:
        raise ValueError("must be a day such as 2026-11-21")
    today = datetime.now(UTC).date()
    if day > today:
        raise ValueError(f"must not lie in the future; today is {today}, in UTC")
    return day


def _kind(value: str) -> str:
    if value not in KINDS:
        raise ValueError(expectations.one_of(KINDS))
    return value


PARAMETERS: dict[str, Parameter] = {
    "q": Parameter(_query, required=True),
    "citation": Parameter(_citation, required=True, most=MAX_CITATIONS),
    "page": Parameter(integer(1, RESULT_WINDOW), default=1),
    "limit": Parameter(integer(1, MAX_LIMIT), default=20),
    "mode": Parameter(_mode, default=Mode.HYBRID),
    "jurisdiction": Parameter(_jurisdiction),
    "codeBody": Parameter(_uuid),
    "level": Parameter(_label),
    "tag": Parameter(_label),
    "status": Parameter(_statuses, default=(IN_FORCE,)),
    "facets": Parameter(_boolean, default=False),
    "proof": Parameter(_boolean, default=False),
    "codeBodyId": Parameter(_uuid, required=True),
    "parent": Parameter(_uuid),
    "lat": Parameter(_latitude, required=True),
    "lon": Parameter(_longitude, required=True),
    "snapshot": Parameter(_snapshot),
    "date": Parameter(_date),
    "from": Parameter(_snapshot),
    "to": Parameter(_snapshot),
    "container": Parameter(_uuid),
    "kind": Parameter(_kind),
    "token": Parameter(_token, required=True),
}
"""Every query parameter of the API by name; an endpoint names those that it takes."""

SEARCH = (
    "q",
    "page",
    "limit",
    "mode",
    "jurisdiction",
    "codeBody",
    "level",
    "tag",
    "status",
    "facets",
    "snapshot",
    "date",
)
RESOLVE = ("citation", "snapshot", "date")
BROWSE = ("codeBodyId", "parent", "snapshot", "date")
LOCATION = ("lat", "lon", "snapshot", "date")
CHANGES = ("from", "to", "jurisdiction", "codeBody", "container", "kind", "page", "limit")
READ = ("snapshot", "date")
NODE = ("proof", "snapshot", "date")
PAGED = ("page", "limit", "snapshot", "date")
ORDER = ("token",)
NONE: tuple[str, ...] = ()


def parse(
    given: Mapping[str, str | list[str]],
    names: Sequence[str],
    query_string: str = "",
    *,
    known: Mapping[str, Parameter] = PARAMETERS,
) -> dict[str, Any]:
    """Check a query string, as falcon splits it, against the parameters that an endpoint takes.

    Args:
        given: values by name; falcon puts a sign in the place of bytes that are not UTF-8.
        names: parameters that the endpoint takes.
        query_string: the query as it came, in which such bytes can still be seen.
        known: the parameters by name.

    Raises:
        InvalidApiKeyError: a key was put into the query.
        ValidationError: a parameter is not UTF-8, unknown, repeated, empty, out of bounds or missing.
    """
    refuse_key(given)
    _require_utf8(query_string)
    for name in given:
        if name not in names:
            raise _unknown(name, names)
    return {name: _value(name, known[name], given.get(name)) for name in names}


def refuse_key(given: Mapping[str, str | list[str]]) -> None:
    """Raise an error if the query contains an API key, or a parameter for one, by whatever name.

    Raises:
        InvalidApiKeyError: there is one.
    """
    values = chain.from_iterable([value] if isinstance(value, str) else value for value in given.values())
    if "api_key" in given or any(redacted(value) != value for value in values):
        raise InvalidApiKeyError(
            "Keys are not accepted in the query, where logs keep them: send the header "
            "`Authorization: Bearer <API_KEY>`, and replace this key if it is in use."
        )


def _require_utf8(query_string: str) -> None:
    if "%" not in query_string:
        return
    for part in query_string.split("&"):
        try:
            unquote_to_bytes(part).decode()
        except UnicodeDecodeError:
            name = unquote(part.partition("=")[0], errors="replace")[:_SHOWN]
            raise ValidationError(
                f"Parameter `{name}` is not UTF-8: percent-encode its bytes in that encoding, as in `%C2%A7` "
                "for the section sign.",
                parameter=name,
            ) from None


def _unknown(name: str, names: Sequence[str]) -> ValidationError:
    shown = name[:_SHOWN]
    by_folded = {known.lower(): known for known in names}
    near = get_close_matches(shown.lower(), by_folded, n=1, cutoff=0.5)
    if near:
        hint = f"did you mean `{by_folded[near[0]]}`?"
    elif names:
        hint = f"this endpoint takes {', '.join(names)}."
    else:
        hint = "this endpoint takes none."
    return ValidationError(f"Unknown parameter `{shown}`: {hint}", parameter=shown)


def _value(name: str, parameter: Parameter, given: str | list[str] | None) -> Any:
    if given is None:
        if parameter.required:
            raise ValidationError(f"Parameter `{name}` is required.", parameter=name)
        return parameter.default
    values = given if isinstance(given, list) else [given]
    if len(values) > parameter.most:
        accepted = "once" if parameter.most == 1 else f"at most {parameter.most} times"
        raise ValidationError(
            f"Parameter `{name}` is given {len(values)} times; give it {accepted}.", parameter=name
        )
    if not any(values):
        remedy = "it is required" if parameter.required else "give a value or leave it out"
        raise ValidationError(f"Parameter `{name}` is empty; {remedy}.", parameter=name)
    names = [name] if len(values) == 1 else [f"{name}[{index}]" for index in range(len(values))]
    read = tuple(map(parameter.read, values, names))
    if all(isinstance(one, Faulty) for one in read):
        raise ValidationError(read[0].problem, parameter=name)
    return read[0] if parameter.most == 1 else read


def wanted_snapshot(values: Mapping[str, Any]) -> str | date | None:
    """Return the snapshot that parsed parameters ask for, by id or by day; None for the current one.

    Raises:
        ValidationError: they ask by both.
    """
    snapshot, day = values["snapshot"], values["date"]
    if snapshot is not None and day is not None:
        raise ValidationError("Give either `snapshot` or `date`, which chooses one itself.", parameter="date")
    wanted: str | date | None = day if snapshot is None else snapshot
    return wanted


def parse_id(value: str, parameter: str = "id") -> UUID:
    """Return the UUID in a path, for the parameter of the given name.

    Raises:
        ValidationError: the text is not a UUID.
    """
    try:
        return _uuid(value)
    except ValueError as error:
        raise ValidationError(f"The id in the path {error}.", parameter=parameter) from None


def parse_snapshot(value: str) -> str:
    """Return the snapshot id in a path.

    Raises:
        ValidationError: the text is none.
    """
    try:
        return _snapshot(value)
    except ValueError as error:
        raise ValidationError(f"The snapshot in the path {error}.", parameter="snapshot") from None


def parse_jurisdiction(value: str) -> str:
    """Return what names a jurisdiction in a path.

    Raises:
        ValidationError: the text can be neither a short code nor a name.
    """
    try:
        return _jurisdiction(value)
    except ValueError as error:
        raise ValidationError(f"The short code in the path {error}.", parameter="shortCode") from None
