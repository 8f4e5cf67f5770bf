"""The report of a built layer: `report.json` beside its zones."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from assets.errors import BuildError

REPORT = "report.json"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A value of the zone field that is no zone, how many polygons had it, and why it is none."""

    value: str
    polygons: int
    reason: str


@dataclass(frozen=True, slots=True)
class Respelled:
    """A spelling that was joined with its zone."""

    value: str
    zone: str
    polygons: int


@dataclass(frozen=True, slots=True)
class LayerReport:
    """Contents of `report.json`.

    Attributes:
        file: name of the file of polygons.
        date: ISO date of the map.
        built_at: RFC 3339 in UTC.
        source_sha256: over the pinned files.
        zones: how many.
        unlabelled: polygons with an extent and without a zone code.
        not_zones: what was left out as no zone.
        spellings: what was joined with its zone.
        repairs: counts of `Repairs`.
        area: square metres of all zones.
        bbox: west, south, east, north.
        tolerance_metres: of the rendition for maps.
        damaged: the first polygons that could not be read whole, as `polygon 7 (zone R1)`.
        empty: the first polygons of a zone without geometry or extent.
        release: the publisher's release that was fetched and read; None: a path was given.
        release_date: ISO date of that release, where the publisher says it.
    """

    short_code: str
    file: str
    date: str
    built_at: str
    source_sha256: str
    zones: int
    unlabelled: int
    not_zones: tuple[LeftOut, ...]
    spellings: tuple[Respelled, ...]
    repairs: dict[str, float]
    area: float
    bbox: tuple[float, float, float, float]
    tolerance_metres: float
    damaged: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    release: str | None = None
    release_date: str | None = None

    def save(self, folder: Path) -> None:
        """Write the report into `folder`."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"
        (folder / REPORT).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "LayerReport":
        """Read the report of a built layer.

        Raises:
            BuildError: it is missing or of another version of this software.
        """
        try:
            raw = json.loads((folder / REPORT).read_bytes())
            raw["not_zones"] = tuple(LeftOut(**value) for value in raw["not_zones"])
            raw["spellings"] = tuple(Respelled(**value) for value in raw["spellings"])
            raw |= {name: tuple(raw.get(name, ())) for name in ("bbox", "damaged", "empty")}
            return cls(**raw)
        except FileNotFoundError:
            raise BuildError(f"{folder} holds no finished layer: build {folder.name} first.") from None
        except (ValueError, TypeError, KeyError) as error:
            raise BuildError(f"{folder / REPORT} is damaged ({error}); build the layer again.") from error
