"""Entries of `jurisdictions.toml`: the governments whose law is held, or is listed as missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assets.errors import RegistryError
from serving.contract.records import JURISDICTION_LEVELS, Jurisdiction


@dataclass(frozen=True, slots=True)
class ListedJurisdiction:
    """One entry of `jurisdictions.toml`; `always` is listed in coverage even where it has no law yet."""

    jurisdiction: Jurisdiction
    always: bool


def jurisdiction_entry(entry: Mapping[str, Any]) -> ListedJurisdiction:
    """Return one entry of the file as a record.

    Raises:
        RegistryError: a field is missing, or the level is unknown.
    """
    try:
        record = Jurisdiction(entry["short_code"], entry["name"], entry["level"], entry.get("parent"))
    except KeyError as error:
        raise RegistryError(f"A jurisdiction lacks {error}: {entry}") from None
    if record.level not in JURISDICTION_LEVELS:
        raise RegistryError(f"Jurisdiction {record.short_code} has unknown level {record.level!r}.")
    return ListedJurisdiction(record, always=bool(entry.get("always", False)))
