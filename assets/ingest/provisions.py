"""From pinned files to the provisions table of one code body, unit by unit, with quarantine.

A unit (normally a title) with a file that cannot be read keeps its last good version whole; where there is
none, what could be read of it is published. Either way the gap is named.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa
import pyarrow.parquet as pq

from assets.errors import BuildError, SourceError
from assets.ingest.document_kinds import kinds_of
from assets.ingest.last_good import FileRow, LastGood
from assets.ingest.model import Currency, Reader, Unit
from assets.ingest.outline_from_text import with_outlines
from assets.ingest.pinned import IndexedFiles, PinnedSource
from assets.ingest.placement import place
from assets.ingest.provisions_table import (
    FILES,
    FILES_FILE,
    ProvisionsWriter,
    unit_table,
    without_lost_parents,
)
from assets.ingest.report import ProvisionsReport, UnitReport, UnitStatus
from assets.ingest.tags import TagRules
from assets.registry import CodeBody
from assets.workspace import replacing

_NAMED_PROBLEMS = 3
_NO_SIGNS: Mapping[str, re.Pattern[bytes]] = MappingProxyType({})


def build_provisions(
    files: IndexedFiles,
    source: PinnedSource,
    body: CodeBody,
    reader: Reader,
    destination: Path,
    *,
    tags: TagRules,
    previous: Path | None,
    progress: Callable[[int, int], None],
    signs: Mapping[str, re.Pattern[bytes]] = _NO_SIGNS,
) -> ProvisionsReport:
    """Build `provisions.parquet`, `files.parquet` and `report.json` in the folder `destination`.

    Args:
        files: the pinned files.
        source: their description.
        body: the code body they belong to.
        reader: of their dialect.
        destination: replaced as a whole when all is written; left as it was on any error.
        tags: rules of the tags.
        previous: folder of an earlier build to fall back to; may be `destination`; None or absent: none.
        progress: called after each unit with (files of the source dealt with, files in all).
        signs: by the names of readers, what the files begin with that they read; named where nothing is read.

    Raises:
        SourceError: the reader found nothing in the source, which the message describes with the first
            problems; or the source is damaged.
        BuildError: the earlier build is damaged, or the reader gave two units one key.
    """
    with replacing(destination) as staging:
        build = _Build(files, source, body, tags, LastGood(previous))
        with ProvisionsWriter(staging) as writer:
            for unit in reader.read(files, body):
                build.add(unit, writer)
                progress(build.files_seen, len(files))
            build.report_absent_units()
            build.report_units_never_held()
        if not writer.rows:
            raise SourceError(
                f"The reader {body.reader!r} found no provisions in {source.origin}; is it the source of "
                f"{body.name}? It holds: {kinds_of(files, signs)}.{build.first_problems()}"
            )
        build.write_files(staging)
        report = build.report(writer.rows)
        report.save(staging)
    return report


class _Build:
    """A build of provisions as far as it has come."""

    def __init__(
        self, files: IndexedFiles, source: PinnedSource, body: CodeBody, tags: TagRules, last_good: LastGood
    ) -> None:
        self._files = files
        self._source = source
        self._body = body
        self._tags = tags
        self._last_good = last_good
        self._units: dict[str, UnitReport] = {}
        self._gaps: list[str] = []
        self._levels: Counter[str] = Counter()
        self._statuses: Counter[str] = Counter()
        self._rows: dict[tuple[str, str], FileRow] = {}
        self._seen: set[str] = set()
        self._identifiers: set[str] = set()
        self._node_ids: set[str] = set()

    @property
    def files_seen(self) -> int:
        return len(self._seen)

    def add(self, unit: Unit, writer: ProvisionsWriter) -> None:
        """Write one unit: as it was read, or as it was before."""
        if unit.key in self._units:
            raise BuildError(f"The reader {self._body.reader!r} gave two units the key {unit.key!r}.")
        if not unit.provisions and not unit.problems:
            return  # absent in all but name
        named = {provision.file for provision in unit.provisions} | {p.file for p in unit.problems}
        paths = sorted(named.union(unit.unread))
        self._seen.update(paths)
        kept = self._last_good.rows(unit.key) if unit.problems else None
        if kept is not None:
            table = without_lost_parents(kept, self._node_ids)
            self._keep(unit, kept, paths)
        else:
            table = self._read(unit)
        self._identifiers.update(table.column("identifier").to_pylist())
        self._node_ids.update(table.column("node_id").to_pylist())
        self._levels.update(table.column("level").to_pylist())
        self._statuses.update(table.column("status").to_pylist())
        writer.write(table)

    def _keep(self, unit: Unit, rows: pa.Table, paths: list[str]) -> None:
        before = self._last_good.units[unit.key]
        known = self._last_good.files()
        for key in set(
            zip(rows.column("file").to_pylist(), rows.column("source_sha256").to_pylist(), strict=True)
        ):
            if key not in known:
                raise BuildError(f"The build before does not list {key[0]}; remove it and build again.")
            self._rows[key] = known[key]
        self._units[unit.key] = UnitReport(
            key=unit.key,
            label=unit.label,
            status=UnitStatus.KEPT,
            provisions=before.provisions,
            sections=before.sections,
            problems=tuple(str(problem) for problem in unit.problems),
            broken=tuple(problem.file for problem in unit.problems),
            set_aside=tuple(paths),
            current_through=before.current_through,
            release_point=before.release_point,
        )
        of = f" of release point {before.release_point}" if before.release_point else ""
        self._gaps.append(f"{unit.label} is kept at its last good version{of}: {_problems(unit)}")

    def _read(self, unit: Unit) -> pa.Table:
        placed = place(unit, self._tags, self._identifiers)
        currency = self._currency(unit)
        for provision in unit.provisions:
            self._name_file(provision.file, provision.source_sha256, currency)
        status = UnitStatus.READ
        if unit.problems:
            status = UnitStatus.PARTIAL if unit.provisions else UnitStatus.MISSING
            word = "incomplete" if unit.provisions else "missing"
            moved = f" ({placed.moved} provisions stand under a higher heading.)" if placed.moved else ""
            self._gaps.append(f"{unit.label} is {word}: {_problems(unit)}{moved}")
        self._units[unit.key] = UnitReport(
            key=unit.key,
            label=unit.label,
            status=status,
            provisions=len(unit.provisions),
            sections=sum(provision.citable for provision in unit.provisions),
            problems=tuple(str(problem) for problem in unit.problems),
            broken=tuple(problem.file for problem in unit.problems),
            set_aside=unit.unread,
            current_through=currency.current_through,
            release_point=currency.release_point,
            partly=unit.partly,
        )
        self._gaps += unit.gaps
        provisions = unit.provisions
        if self._body.label_scheme is not None:
            provisions = with_outlines(provisions, self._body.label_scheme)
        return unit_table(unit.key, provisions, parents=placed.parents, tags=placed.tags, body=self._body)

    def _currency(self, unit: Unit) -> Currency:
        """Return what the files say; else what the source's name says, in the code body's words."""
        point = (unit.currency.release_point if unit.currency else None) or self._source.release_point
        if unit.currency is not None:
            return Currency(unit.currency.current_through, point)
        return Currency(self._body.currency.format(release_point=point) if point else None, point)

    def _name_file(self, path: str, sha256: str, currency: Currency) -> None:
        if (path, sha256) in self._rows:
            return
        entry = self._files.entry(path)
        if entry is None or entry.sha256 != sha256:
            raise BuildError(f"The reader {self._body.reader!r} names {path}, which is not in the source so.")
        self._rows[path, sha256] = FileRow(
            path,
            sha256,
            entry.bytes,
            currency.release_point,
            currency.current_through,
            entry.retrieved_at,
        )

    def first_problems(self) -> str:
        """Return the first problems of the source as a sentence; empty where there are none."""
        problems = [problem for unit in self._units.values() for problem in unit.problems]
        if not problems:
            return ""
        more = len(problems) - _NAMED_PROBLEMS
        rest = f"; and {more:,} more" if more > 0 else ""
        return f" Its first problems: {'; '.join(problems[:_NAMED_PROBLEMS])}{rest}."

    def report_absent_units(self) -> None:
        """Name the units that an earlier build had and this source has not, until they return."""
        for key, before in self._last_good.units.items():
            gone_before = before.status is UnitStatus.MISSING and not before.problems
            if key in self._units or not (before.provisions or gone_before):
                continue
            self._units[key] = UnitReport(key, before.label, UnitStatus.MISSING, provisions=0, sections=0)
            self._gaps.append(f"{before.label} was in an earlier build but is not in this source.")

    def report_units_never_held(self) -> None:
        """Name the titles that the registry lists and neither this source nor an earlier build holds."""
        absent = [number for number in self._body.titles if f"t{number}" not in self._units]
        if absent:
            self._gaps.append(
                f"Not in the source: {'title' if len(absent) == 1 else 'titles'} {', '.join(absent)}."
            )

    def write_files(self, folder: Path) -> None:
        """Write the source files that rows name."""
        rows = [self._rows[key] for key in sorted(self._rows)]
        columns = [[getattr(row, name) for row in rows] for name in FILES.names]
        pq.write_table(pa.table(columns, schema=FILES), folder / FILES_FILE, compression="zstd")

    def report(self, provisions: int) -> ProvisionsReport:
        """Return the report over all units."""
        units = tuple(self._units.values())
        fresh = [unit for unit in units if unit.status in {UnitStatus.READ, UnitStatus.PARTIAL}] or units
        return ProvisionsReport(
            complete=not self._gaps,
            gaps=tuple(self._gaps),
            current_through=_prevailing(unit.current_through for unit in fresh),
            release_point=_prevailing(unit.release_point for unit in fresh),
            source_sha256=self._source.sha256,
            provisions=provisions,
            sections=sum(unit.sections for unit in units),
            units=units,
            levels=dict(sorted(self._levels.items())),
            statuses=dict(sorted(self._statuses.items())),
        )


def _problems(unit: Unit) -> str:
    named = "; ".join(str(problem) for problem in unit.problems[:_NAMED_PROBLEMS])
    more = len(unit.problems) - _NAMED_PROBLEMS
    return f"{named}; and {more} more files." if more > 0 else f"{named}."


def _prevailing(values: Iterable[str | None]) -> str | None:
    """Return what most units say of themselves; where they are even, what sorts last."""
    counts = Counter(value for value in values if value is not None)
    return max(counts, key=lambda value: (counts[value], value)) if counts else None
