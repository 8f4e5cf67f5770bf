"""The report of one code body's provisions: what each unit holds, what is missing, and why."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from assets.errors import BuildError

REPORT = "report.json"


class UnitStatus(StrEnum):
    """States of a unit in the table.

    Attributes:
        READ: read whole.
        PARTIAL: read save for files that are broken, which cost nothing but themselves.
        KEPT: as it was in the build before, since too much of it could not be read.
        TORN: what could be read of it, since there is no build before to keep it from.
        MISSING: not there.
    """

    READ = "read"
    PARTIAL = "partial"
    KEPT = "kept"
    TORN = "torn"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class UnitReport:
    """One unit, normally a title.

    Attributes:
        sections: its citable provisions.
        problems: `file:line:column: reason`.
        broken: the files of those problems.
        set_aside: files of the source that were not used: all of the unit where it is kept as it was before,
            else those that only a broken file could have placed, that nothing leads to, or that newer ones
            replace.
        partly: files of which a part is used, and newer files replace the rest.
        title: number of the title of which the source has all; None where it may have a part alone, and in
            earlier builds.
        stale_since: of a unit that is kept, the ISO date of the first edition that it could not be updated
            from: the edition's own, or where it states none, that of its retrieval.
    """

    key: str
    label: str
    status: UnitStatus
    provisions: int
    sections: int
    problems: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    current_through: str | None = None
    release_point: str | None = None
    partly: tuple[str, ...] = ()
    stale_since: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class ProvisionsReport:
    """Contents of `report.json`.

    Attributes:
        complete: nothing of the source failed and nothing that was there before is gone.
        gaps: what is missing or old, in words; empty where complete.
        source_sha256: of the pinned source that was read.
        levels: provisions per level.
        statuses: provisions per status.
        release: the publisher's release that was fetched and read; None: a path was given.
        release_date: ISO date of that release, where the publisher says it.
    """

    complete: bool
    gaps: tuple[str, ...]
    current_through: str | None
    release_point: str | None
    source_sha256: str
    provisions: int
    sections: int
    units: tuple[UnitReport, ...]
    levels: Mapping[str, int] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)
    release: str | None = None
    release_date: str | None = None

    def save(self, folder: Path) -> None:
        """Write `report.json` into `folder`."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"
        (folder / REPORT).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "ProvisionsReport":
        """Read `report.json` of built provisions.

        Raises:
            BuildError: it is missing or damaged.
        """
        path = folder / REPORT
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
            raw["gaps"] = tuple(raw["gaps"])
            raw["units"] = tuple(_unit(unit) for unit in raw["units"])
            return cls(**raw)
        except FileNotFoundError:
            raise BuildError(f"{path} is missing: no provisions have been built there.") from None
        except (ValueError, TypeError, KeyError) as error:
            raise BuildError(f"{path} is damaged ({error!r}); remove its folder and build again.") from error


def _unit(raw: dict[str, Any]) -> UnitReport:
    lists = {name: tuple(raw.get(name, ())) for name in ("problems", "broken", "set_aside", "partly")}
    return UnitReport(**(raw | lists | {"status": UnitStatus(raw["status"])}))
