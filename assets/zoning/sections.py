"""Official section numbers of districts, from a table beside the map: what placeholders cite."""

import csv
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from assets.errors import MalformedFileError
from assets.registry import Layer, SectionTable
from assets.zoning.codes import code_key
from assets.zoning.sources import LayerSource

_KEPT = "sections.json"
_NUMBERED = re.compile(r"^([A-Z]{2,}|\D+?[A-Za-z])[ -]*\d+\w*$")
"""One of many of a kind, each adopted by itself: `PD 991` is a `PD`, `PMD13` a `PMD`."""


@dataclass(frozen=True, slots=True)
class OfficialSection:
    """A district's section in the table."""

    citation: str
    name: str | None


class OfficialSections:
    """The table, by code; empty where a layer has none."""

    def __init__(self, rows: dict[str, OfficialSection]) -> None:
        self._rows = rows
        self._by_key = {code_key(code): row for code, row in rows.items()}

    def __len__(self) -> int:
        return len(self._rows)

    @classmethod
    def load(cls, path: Path, table: SectionTable) -> "OfficialSections":
        """Read a CSV file.

        Raises:
            MalformedFileError: it cannot be read, or lacks a column.
        """
        try:
            with path.open(encoding="utf-8-sig", newline="") as stream:
                rows = list(csv.DictReader(stream))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise MalformedFileError(path.name, f"cannot be read: {error}") from error
        wanted = [name for name in (table.code, table.section, table.name) if name is not None]
        missing = [name for name in wanted if rows and name not in rows[0]]
        if missing or not rows:
            raise MalformedFileError(path.name, f"has no column {', '.join(missing) or table.code!r}")
        return cls(
            {
                row[table.code].strip(): OfficialSection(
                    table.citation.format(section=row[table.section].strip()),
                    (row[table.name] or "").strip() or None if table.name else None,
                )
                for row in rows
                if (row[table.code] or "").strip() and (row[table.section] or "").strip()
            }
        )

    @classmethod
    def of_layer(cls, built: Path) -> "OfficialSections":
        """Read what `save` wrote beside the zones of a built layer."""
        rows = json.loads((built / _KEPT).read_bytes())
        return cls({code: OfficialSection(**row) for code, row in rows.items()})

    def save(self, built: Path) -> None:
        """Write the table beside the zones of a built layer: publication needs no source."""
        rows = {code: asdict(row) for code, row in self._rows.items()}
        (built / _KEPT).write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def find(self, code: str) -> OfficialSection | None:
        """Return the section of a zone code: its own, or that of the kind that it is one of."""
        own = self._rows.get(code) or self._by_key.get(code_key(code))
        numbered = _NUMBERED.match(code)
        if own is None and numbered is not None:
            return self._rows.get(numbered[1].strip())
        return own


def keep_sections(pinned: Path, source: LayerSource, layer: Layer, destination: Path) -> None:
    """Keep the official sections of a pinned layer in the folder of its zones; none where it has none."""
    sections = OfficialSections({})
    if layer.sections is not None and source.sections is not None:
        sections = OfficialSections.load(pinned / source.sections, layer.sections)
    sections.save(destination)
