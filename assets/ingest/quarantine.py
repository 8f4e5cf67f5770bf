"""Build provisions in a confined process, and set aside each file that takes more than one of its size may.

Such a file becomes a problem of its title, as a broken one is. The process that it ended does not come back:
another one reads the source again and passes the file over.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assets.confinement.bounds import MIB, Allowance
from assets.confinement.processor_time import ended_seconds
from assets.confinement.room import Confinement
from assets.confinement.worksheet import Worksheet
from assets.errors import ConfinementError, SourceError
from assets.findings import Finding, Verdict
from assets.ingest.kept_titles import KeptTitles
from assets.ingest.lineage import provisions_inputs
from assets.ingest.model import SourceFile, SourceFiles, Unit
from assets.ingest.pinned import FileEntry, PinnedFiles, PinnedSource, open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.readers import SIGNS, dialect
from assets.ingest.report import ProvisionsReport
from assets.ingest.tags import load_tag_rules
from assets.ingest.text_loss import no_text_lost
from assets.registry import CodeBody
from assets.stage_record import record_made

SOURCE = Allowance(seconds=15, seconds_per_mib=0.35, memory=900 * MIB, memory_per_byte=12)
"""For reading a whole source; official ones take a sixth of it."""

FILE = Allowance(seconds=8, seconds_per_mib=0.5, memory=600 * MIB, memory_per_byte=40)
"""For reading one file of it."""

ACCOUNT = Allowance(seconds=8, seconds_per_mib=0.25, memory=600 * MIB, memory_per_byte=12)
"""For keeping the account of a whole source."""

_MOST_SET_ASIDE = 8
"""Files beyond which a source as a whole is taken for hostile."""

_HEAD = 4096
"""The part of a file set aside that readers still see: enough to tell the title it belongs to."""


def build_quarantined(
    pinned: Path,
    body: CodeBody,
    destination: Path,
    *,
    tag_rules: Path,
    previous: Path | None,
    progress: Callable[[int, int], None],
    rules: str | None = None,
    kept: Path | None = None,
    whole: Allowance = SOURCE,
    each: Allowance = FILE,
) -> ProvisionsReport:
    """Build provisions as `build_provisions` does, with the reader that the code body names.

    Args:
        pinned: folder of the pinned source.
        body: the code body it belongs to.
        destination: replaced as a whole when all is written.
        tag_rules: file of the rules of the tags.
        previous: folder of an earlier build to fall back to; None: none.
        progress: called with (files dealt with, files in all).
        rules: version of the rules of reading, which is noted beside the provisions with that of the source.
            Not where a file was set aside: on another day, on another machine, it may be read.
        kept: folder of the readings of titles, which are kept by the rules of reading; None: none are.
        whole: what reading the source may take.
        each: what reading one file may take.

    Raises:
        SourceError: the source takes more than one of its size may, or too many of its files do; names them.
        BuildError: the earlier build is damaged.
    """
    source = PinnedSource.load(pinned)
    bounds = whole.of(source.weight)
    before = ended_seconds()
    refused: dict[str, str] = {}
    while True:
        left = replace(bounds, seconds=max(bounds.seconds - (ended_seconds() - before), 0.0))
        try:
            report = Confinement(left, each, progress=progress).run(
                _build,
                pinned,
                body,
                destination,
                tag_rules=tag_rules,
                previous=previous,
                refused=refused,
                kept=None if kept is None or rules is None else (kept, rules),
            )
        except ConfinementError as error:
            if not error.file or error.file in refused:
                raise SourceError(f"The source of {body.key} {error.reason}{_beside(refused)}.") from error
            refused[error.file] = error.reason
            if len(refused) > _MOST_SET_ASIDE or ended_seconds() - before > bounds.seconds:
                raise SourceError(
                    f"The source of {body.key} takes more than a source of its size may{_beside(refused)}."
                ) from error
        else:
            if rules is not None and not refused:
                record_made(destination, inputs=provisions_inputs(source, rules), rules=rules)
            return report


def account_quarantined(
    provisions: Path,
    pinned: Path,
    body: CodeBody,
    *,
    before: Path | None = None,
    allowance: Allowance = ACCOUNT,
) -> Verdict:
    """Keep the account of a source as `no_text_lost` does, with the oracle of the code body's dialect.

    Args:
        provisions: folder of the built provisions.
        pinned: folder of the source they were built from.
        body: the code body.
        before: folder of provisions that passed this check, made by the same rules; None: there is none.
        allowance: what keeping the account may take; more is a finding.
    """
    bounds = allowance.of(PinnedSource.load(pinned).weight)
    try:
        return Confinement(bounds).run(_account, provisions, pinned, body, before)
    except ConfinementError as error:
        message = f"The account of the source cannot be kept: it {error.reason}."
        return Verdict(1, [Finding("account_ended", body.key, message)])


def _account(
    _sheet: Worksheet,
    provisions: Path,
    pinned: Path,
    body: CodeBody,
    before: Path | None,
) -> Verdict:
    return no_text_lost(provisions, pinned, dialect(body.reader).oracle(body), before=before)


def _beside(refused: Mapping[str, str]) -> str:
    listed = "; ".join(f"{path}: {reason}" for path, reason in refused.items())
    return f" ({listed})" if listed else ""


def _build(
    sheet: Worksheet,
    pinned: Path,
    body: CodeBody,
    destination: Path,
    *,
    tag_rules: Path,
    previous: Path | None,
    refused: Mapping[str, str],
    kept: tuple[Path, str] | None,
) -> ProvisionsReport:
    titles = None if kept is None else KeptTitles(*kept)
    opened = open_pinned(pinned)
    files = (
        _WatchedFiles(opened, sheet, refused)
        if titles is None
        else _KeptFiles(opened, sheet, refused, titles)
    )
    report = build_provisions(
        files,
        PinnedSource.load(pinned),
        body,
        _WatchedReader(body.reader, files),
        destination,
        tags=load_tag_rules(tag_rules),
        previous=previous,
        progress=sheet.advance,
        signs=SIGNS,
        enacting_law=dialect(body.reader).enacting_law,
    )
    if titles is not None:
        titles.forget_unused()
    return report


class _WatchedFiles:
    """Pinned files that note on a worksheet which of them is read, and refuse those that are set aside."""

    def __init__(self, files: PinnedFiles, sheet: Worksheet, refused: Mapping[str, str]) -> None:
        self._files = files
        self._sheet = sheet
        self._refused = refused

    def paths(self) -> list[str]:
        """Return the paths of all files, sorted."""
        return self._files.paths()

    def entry(self, path: str) -> FileEntry | None:
        """Return the index entry of the file at `path`, or None where the source has none."""
        return self._files.entry(path)

    def get(self, path: str) -> SourceFile | None:
        """Return the file at `path`, or None where the source has none."""
        file = self._files.get(path)
        return None if file is None else self._taken_up(file)

    def __iter__(self) -> Iterator[SourceFile]:
        """Iterate over all files in the order of their paths."""
        return map(self._taken_up, self._files)

    def __len__(self) -> int:
        return len(self._files)

    def unit_in_hand(self, unit: Unit) -> None:
        """Note that a unit is worked on as a whole: what it may take is that of its largest file."""
        paths = {provision.file for provision in unit.provisions}
        entries = [entry for path in paths if (entry := self._files.entry(path)) is not None]
        if entries:
            largest = max(entries, key=lambda entry: (entry.bytes, entry.path))
            self._sheet.take_up(largest.path, sum(entry.bytes for entry in entries))

    def all_read(self) -> None:
        """Note that what follows is no single file's work."""
        self._sheet.put_down()

    def _taken_up(self, file: SourceFile) -> SourceFile:
        reason = self._refused.get(file.path)
        if reason is not None:
            return replace(file, content=file.content[:_HEAD], refusal=reason)
        self._sheet.take_up(file.path, len(file.content))
        return file


class _KeptFiles(_WatchedFiles):
    """The same, with the readings of titles that hold none of those set aside."""

    def __init__(
        self, files: PinnedFiles, sheet: Worksheet, refused: Mapping[str, str], titles: KeptTitles
    ) -> None:
        super().__init__(files, sheet, refused)
        self._titles = titles

    def kept(
        self,
        paths: Sequence[str],
        read: Callable[[], object],
        *,
        given: Sequence[object],
        keeps: Callable[[Any], bool],
    ) -> object:
        """Return what `read` gives of the files at these paths, or gave of the same bytes before."""
        entries = [entry for path in paths if (entry := self._files.entry(path)) is not None]
        if len(entries) < len(paths) or self._refused.keys() & set(paths):
            return read()
        known = [(entry.path, entry.sha256) for entry in entries]
        return self._titles.kept(known, read, given=given, keeps=keeps)


class _WatchedReader:
    """A reader whose units are noted on the worksheet, too, when they are worked on."""

    def __init__(self, name: str, files: _WatchedFiles) -> None:
        self._reader = dialect(name).reader
        self._files = files

    def read(self, files: SourceFiles, body: CodeBody) -> Iterator[Unit]:
        """Yield the units of the code body, in order."""
        for unit in self._reader.read(files, body):
            self._files.unit_in_hand(unit)
            yield unit
        self._files.all_read()
