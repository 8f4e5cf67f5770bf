"""From pinned files to the provisions table of one code body, unit by unit, with quarantine.

A file that cannot be read costs itself, and its unit (normally a title) is read without it. Only a unit of
which more is lost keeps its last good version whole; where there is none, what could be read of it is
published. Either way the gap is named.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa
import pyarrow.parquet as pq

from assets.errors import BuildError, SourceError
from assets.ingest.document_kinds import kinds_of
from assets.ingest.effective import stated_in_notes
from assets.ingest.last_good import FileRow, LastGood
from assets.ingest.model import Currency, Reader, Unit
from assets.ingest.outline_from_text import with_outlines
from assets.ingest.pinned import IndexedFiles, PinnedSource
from assets.ingest.placement import Placed, place
from assets.ingest.provisions_table import (
    FILES,
    FILES_FILE,
    ProvisionsWriter,
    unit_table,
    without_lost_parents,
)
from assets.ingest.report import ProvisionsReport, UnitReport, UnitStatus
from assets.ingest.run_in_parts import doubt_run_in_parts
from assets.ingest.shared_identifiers import Dropped, EnactingLaw, settle
from assets.ingest.tags import TagRules
from assets.registry import CodeBody
from assets.workspace import replacing
from serving.contract.currency import current_date

_NAMED_PROBLEMS = 3
_FRESH = frozenset({UnitStatus.READ, UnitStatus.PARTIAL, UnitStatus.TORN})
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
    enacting_law: EnactingLaw = lambda _: None,
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
        enacting_law: what tells provisions of one number apart, before their headings do.

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
        build.settle_shared(staging, enacting_law)
        build.write_files(staging)
        report = build.report()
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
        self._shared: set[str] = set()
        self._node_ids: set[str] = set()

    @property
    def files_seen(self) -> int:
        return len(self._seen)

    def add(self, unit: Unit, writer: ProvisionsWriter) -> None:
        """Write one unit: as it was read, or as it was before."""
        if unit.key in self._units:
            raise BuildError(f"The reader {self._body.reader!r} gave two units the key {unit.key!r}.")
        if not (unit.provisions or unit.problems or unit.gaps):
            return  # absent in all but name
        named = {provision.file for provision in unit.provisions} | {p.file for p in unit.problems}
        paths = sorted(named.union(unit.unread))
        self._seen.update(paths)
        placed = place(unit, self._tags, self._identifiers)
        is_sound = _is_sound(unit, placed)
        kept = None if is_sound else self._last_good.rows(unit.key)
        if kept is not None:
            table = without_lost_parents(kept, self._node_ids)
            self._keep(unit, kept, paths)
        else:
            table = self._read(unit, placed, is_sound=is_sound)
        identifiers = set(table.column("identifier").to_pylist())
        self._shared |= identifiers & self._identifiers
        self._identifiers |= identifiers
        self._node_ids.update(table.column("node_id").to_pylist())
        self._levels.update(table.column("level").to_pylist())
        self._statuses.update(table.column("status").to_pylist())
        writer.write(table)

    def _keep(self, unit: Unit, rows: pa.Table, paths: list[str]) -> None:
        before = self._last_good.units[unit.key]
        since = before.stale_since or self._edition_date(unit)
        known = self._last_good.files()
        for key in set(
            zip(rows.column("file").to_pylist(), rows.column("source_sha256").to_pylist(), strict=True)
        ):
            if key not in known:
                raise BuildError(f"The build before does not list {key[0]}; remove it and build again.")
            # Of a file that another unit was read from, the law is as new as that unit's.
            self._rows.setdefault(key, replace(known[key], stale_since=known[key].stale_since or since))
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
            stale_since=since,
        )
        of = f" of release point {before.release_point}" if before.release_point else ""
        self._gaps.append(
            f"{unit.label} is kept at its last good version{of} and could not be updated since {since}: "
            f"{_problems(unit)}"
        )

    def _edition_date(self, unit: Unit) -> str:
        """Return the ISO date of the edition that is read, or where it states none, of its retrieval."""
        stated = unit.currency.current_through if unit.currency else None
        return current_date(stated) or self._source.retrieved_at[:10]

    def _read(self, unit: Unit, placed: Placed, *, is_sound: bool) -> pa.Table:
        currency = self._currency(unit)
        for provision in unit.provisions:
            self._name_file(provision.file, provision.source_sha256, currency)
        status = UnitStatus.READ
        if unit.problems:
            status = UnitStatus.PARTIAL if is_sound else UnitStatus.TORN
            status = status if unit.provisions else UnitStatus.MISSING
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
            title=self._whole_title(unit) if status is UnitStatus.READ else None,
        )
        self._gaps += unit.gaps
        provisions = stated_in_notes(unit.provisions)
        if self._body.labels is not None:
            provisions = with_outlines(provisions, self._body.labels)
        provisions = doubt_run_in_parts(provisions)
        return unit_table(unit.key, provisions, parents=placed.parents, tags=placed.tags, body=self._body)

    def _whole_title(self, unit: Unit) -> str | None:
        """Return the number of the title of which a unit holds all; None where that is not sure.

        Of a code whose citations do not name the title beside the number, each number must begin with it:
        only then is one that is missing known to have stood there.
        """
        scheme = self._body.citation_schemes()[0]
        numbers = (provision.num or "" for provision in unit.provisions if provision.citable)
        fits = scheme.has_title or all(scheme.title_in(number) == unit.title for number in numbers)
        return unit.title if fits and not unit.gaps else None

    def _currency(self, unit: Unit) -> Currency:
        """Return what the files say; else what the source's name says, in the code body's words."""
        point = (unit.currency.release_point if unit.currency else None) or self._source.release_point
        if unit.currency is not None:
            return Currency(unit.currency.current_through, point)
        return Currency(self._body.currency.format(release_point=point) if point else None, point)

    def _name_file(self, path: str, sha256: str, currency: Currency) -> None:
        known = self._rows.get((path, sha256))
        if known is not None and known.stale_since is None:
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

    def settle_shared(self, folder: Path, enacting_law: EnactingLaw) -> None:
        """Give provisions of several units that share an identifier one each."""
        if self._shared:
            kept = {unit.key for unit in self._units.values() if unit.status is UnitStatus.KEPT}
            for dropped in settle(folder, self._shared, kept=kept, enacting_law=enacting_law):
                self._count_out(dropped)

    def _count_out(self, row: Dropped) -> None:
        unit = self._units[row.unit]
        self._units[row.unit] = replace(
            unit, provisions=unit.provisions - 1, sections=unit.sections - row.citable
        )
        self._levels[row.level] -= 1
        self._statuses[row.status] -= 1

    def write_files(self, folder: Path) -> None:
        """Write the source files that rows name."""
        rows = [self._rows[key] for key in sorted(self._rows)]
        columns = [[getattr(row, name) for row in rows] for name in FILES.names]
        pq.write_table(pa.table(columns, schema=FILES), folder / FILES_FILE, compression="zstd")

    def report(self) -> ProvisionsReport:
        """Return the report over all units."""
        units = tuple(self._units.values())
        fresh = [unit for unit in units if unit.status in _FRESH and unit.provisions] or units
        return ProvisionsReport(
            complete=not self._gaps,
            gaps=tuple(self._gaps),
            current_through=_prevailing(unit.current_through for unit in fresh),
            release_point=_prevailing(unit.release_point for unit in fresh),
            source_sha256=self._source.sha256,
            provisions=sum(unit.provisions for unit in units),
            sections=sum(unit.sections for unit in units),
            units=units,
            levels=dict(sorted((+self._levels).items())),
            statuses=dict(sorted((+self._statuses).items())),
            release=self._source.release,
            release_date=self._source.release_date,
        )


def _is_sound(unit: Unit, placed: Placed) -> bool:
    """Return whether broken files cost a unit nothing but themselves.

    They cost more where what they hold places other files or provisions, and where they are most of the unit.
    """
    read = {provision.file for provision in unit.provisions}
    broken = {problem.file for problem in unit.problems} - read
    rest_is_read = bool(unit.provisions) and unit.rest_is_whole and not placed.moved
    return not unit.problems or (rest_is_read and len(broken) <= len(read))


def _problems(unit: Unit) -> str:
    named = "; ".join(str(problem) for problem in unit.problems[:_NAMED_PROBLEMS])
    more = len(unit.problems) - _NAMED_PROBLEMS
    return f"{named}; and {more} more files." if more > 0 else f"{named}."


def _prevailing(values: Iterable[str | None]) -> str | None:
    """Return what most units say of themselves; where they are even, what sorts last."""
    counts = Counter(value for value in values if value is not None)
    return max(counts, key=lambda value: (counts[value], value)) if counts else None
