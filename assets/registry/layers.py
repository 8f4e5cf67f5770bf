"""Entries of `layers.toml`: what is known of a city's zoning map before its file is opened."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from typing import Any

from assets.errors import RegistryError
from assets.registry.connectors import ConnectorEntry
from serving.contract.hand_written import record_of


@dataclass(frozen=True, slots=True)
class NotZone:
    """A value of the zone field that is no zone, such as `unknown`, and why."""

    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Alias:
    """A reviewed word on a code that the general rule cannot read.

    Attributes:
        code: zone code, or a pattern with `*` for numbered ones, as `PD *`.
        identifier: canonical identifier of the provision that defines it; None where `same_as` is given.
        same_as: the zone that this is another spelling of; None where `identifier` is given.
        reviewed_by: who says so.
        evidence: what shows it.
    """

    code: str
    reviewed_by: str
    evidence: str
    identifier: str | None = None
    same_as: str | None = None

    def covers(self, code: str) -> bool:
        """Tell whether a zone code is this one's."""
        return fnmatchcase(code, self.code)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A second file of the same map, such as its parcels, that the layer is compared with."""

    file: str
    zone_field: str


@dataclass(frozen=True, slots=True)
class SectionTable:
    """A CSV file beside the map that names the official section of each district.

    Attributes:
        file: pattern of its path.
        code: column of the district's code.
        section: column of the section number.
        citation: template of the citation, with `{section}`.
        name: column of the district's name; None: it has none.
    """

    file: str
    code: str
    section: str
    citation: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Layer:
    """One entry of `layers.toml`.

    Attributes:
        short_code: of the jurisdiction; the layer's key and partition.
        zone_field: field of the file with the zone code.
        bounds: west, south, east, north in degrees: the jurisdiction lies within.
        publisher: who drew the map.
        file: pattern of the path of the polygons in a folder or archive, as `*_zoning_*.zip`; None: the only
            one there is.
        name_field: field with the zone's name.
        crs: what the coordinates are in, where the file does not say it, or says it wrongly.
        date: ISO date of the map, unless `date_pattern` finds one in the file's name.
        date_pattern: regular expression whose groups are year, month and day, or one group of either form.
        source: folder or file under `datasets` that is read unless another path is given.
        connector: fetches it from its publisher, where no path is given and none is packaged.
        draft: built and checked, never published.
        code_body: key of the code whose districts the zones are; None: its text is not held.
        overlays: codes, or patterns, of zones that lie over others on purpose.
    """

    short_code: str
    name: str
    zone_field: str
    bounds: tuple[float, float, float, float]
    publisher: str
    license: str
    file: str | None = None
    name_field: str | None = None
    crs: str | None = None
    date: str | None = None
    date_pattern: str | None = None
    source: str | None = None
    connector: ConnectorEntry | None = None
    source_url: str | None = None
    draft: bool = False
    code_body: str | None = None
    overlays: tuple[str, ...] = ()
    not_zones: tuple[NotZone, ...] = ()
    aliases: tuple[Alias, ...] = ()
    compare: Comparison | None = None
    sections: SectionTable | None = None

    def date_of(self, file: str) -> str | None:
        """Return the ISO date of the map in a file of this name, or None where nothing tells."""
        found = re.search(self.date_pattern, file) if self.date_pattern else None
        if found is None:
            return self.date
        try:
            return date.fromisoformat("-".join(found.groups())).isoformat()
        except ValueError:
            return self.date

    def alias_of(self, code: str) -> Alias | None:
        """Return what the registry says of a zone code."""
        return next((alias for alias in self.aliases if alias.covers(code)), None)

    def is_overlay(self, code: str) -> bool:
        """Tell whether zones of this code lie over others."""
        return any(fnmatchcase(code, pattern) for pattern in self.overlays)


def layer_entry(entry: Mapping[str, Any]) -> Layer:
    """Return one entry of the file as a record.

    Raises:
        RegistryError: a field is missing, unknown or contradicts another; the message names the layer.
    """
    code = entry.get("short_code")
    try:
        layer = _layer(dict(entry))
        _require_sound(layer)
    except (TypeError, ValueError, KeyError, re.error) as error:
        raise RegistryError(f"Layer {code!r}: {error}") from None
    return layer


def _layer(fields: dict[str, Any]) -> Layer:
    west, south, east, north = (float(value) for value in fields.pop("bounds"))
    compare, sections = fields.pop("compare", None), fields.pop("sections", None)
    connector = fields.pop("connector", None)
    made = {
        "bounds": (west, south, east, north),
        "overlays": tuple(fields.pop("overlays", ())),
        "not_zones": tuple(record_of(NotZone, value) for value in fields.pop("not_zones", ())),
        "aliases": tuple(record_of(Alias, alias) for alias in fields.pop("aliases", ())),
        "compare": None if compare is None else record_of(Comparison, compare),
        "sections": None if sections is None else record_of(SectionTable, sections),
        "connector": None if connector is None else ConnectorEntry.from_dict(connector),
    }
    return record_of(Layer, {**fields, **made})


def _require_sound(layer: Layer) -> None:
    west, south, east, north = layer.bounds
    if not (-180 <= west < east <= 180 and -90 <= south < north <= 90):
        raise ValueError(f"bounds {list(layer.bounds)} are not west, south, east, north in degrees.")
    if layer.date is None and layer.date_pattern is None:
        raise ValueError("it has neither date nor date_pattern.")
    if layer.date is not None:
        date.fromisoformat(layer.date)
    re.compile(layer.date_pattern or "")
    for alias in layer.aliases:
        if (alias.identifier is None) == (alias.same_as is None):
            raise ValueError(f"alias {alias.code!r} needs either identifier or same_as.")
        if not alias.evidence.strip() or not alias.reviewed_by.strip():
            raise ValueError(f"alias {alias.code!r} needs evidence and reviewed_by.")
