"""The check that no text was lost: what an oracle calls law in a file is what the provisions hold of it."""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pyarrow.parquet as pq

from assets.confinement.process import die_with
from assets.errors import MalformedFileError
from assets.findings import Finding, Verdict
from assets.ingest.accounting import Account, squeeze
from assets.ingest.model import SourceFile
from assets.ingest.pinned import FileEntry, open_pinned
from assets.ingest.provisions_table import PROVISIONS_FILE
from assets.ingest.report import ProvisionsReport

_AROUND = 40
_SHOWN = 50
_SHARE_BYTES = 16 * 1024 * 1024
_ALWAYS_COMPARED = ".xml"
_WORTH_A_PROCESS = 32 * 1024 * 1024
"""Bytes of source below which starting another process takes longer than it saves."""

Oracle = Callable[[SourceFile], Account]
_FileKey = tuple[str, str]
"""Path and SHA-256 of a file."""


@dataclass(frozen=True, slots=True)
class _Share:
    """Some files and, per file, the digest of what the provisions hold of it."""

    paths: tuple[str, ...]
    digests: tuple[str, ...]


@dataclass(slots=True)
class _Tally:
    """The oracle's figures for a share of the files."""

    examined: int = 0
    different: list[str] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    fates: Counter[str] = field(default_factory=Counter)
    discarded: Counter[str] = field(default_factory=Counter)

    def add(self, other: "_Tally") -> None:
        self.examined += other.examined
        self.different += other.different
        self.unreadable += other.unreadable
        self.fates.update(other.fates)
        self.discarded.update(other.discarded)


def no_text_lost(
    provisions: Path,
    pinned: Path,
    oracle: Oracle,
    *,
    before: Path | None = None,
    processes: int | None = None,
) -> Verdict:
    """Check, file by file, that the oracle's operative characters are those of the provisions' texts.

    Files that the report names as broken, and changed files of units that are kept from an earlier build, are
    compared with nothing; they are counted. So are pictures and whatever else is no XML and named by no row.
    Of a file that is used in part, each unit's own part must stand in it as it is.

    Args:
        provisions: folder of the built provisions.
        pinned: folder of the pinned source they were built from.
        oracle: `account` of an oracle module; a function of a module, since other processes import it.
        before: folder of provisions that passed this check with this oracle. A file of which they hold the
            same is not compared again. None: there is none.
        processes: how many at most; all cores if not given. Small sources are read in this one alone.
    """
    report = ProvisionsReport.load(provisions)
    set_aside = {path for unit in report.units for path in unit.set_aside}
    broken = {path for unit in report.units for path in unit.broken}
    partly = {path for unit in report.units for path in unit.partly}
    held = _fingerprints(provisions)
    entries = open_pinned(pinned).entries()
    compared = [
        entry
        for entry in entries
        if entry.path not in broken | partly
        and (
            (entry.path, entry.sha256) in held
            or (entry.path not in set_aside and entry.path.lower().endswith(_ALWAYS_COMPARED))
        )
    ]
    compared_before = _compared(before) if before is not None else {}
    due = [
        entry
        for entry in compared
        if held.get((entry.path, entry.sha256)) != compared_before.get((entry.path, entry.sha256), b"")
    ]
    digests = _held_digests(provisions, {(entry.path, entry.sha256) for entry in due})
    tally = _Tally()
    limit = processes or os.cpu_count() or 1
    for part in _examine(_shares(due, digests), pinned, oracle, limit):
        tally.add(part)
    findings = [_difference(path, provisions, pinned, oracle) for path in tally.different[:_SHOWN]]
    findings += [
        finding
        for path in sorted(partly - broken)
        for finding in _parts_missing(path, provisions, pinned, oracle)
    ]
    findings += [
        Finding("file_unreadable", path, f"{message}; the report does not name it.")
        for path, message in tally.unreadable[:_SHOWN]
    ]
    if not compared and not partly:
        findings.append(Finding("nothing_examined", "", "There was no file to compare."))
    measured: dict[str, float | int | str] = {
        "files": tally.examined,
        "files skipped": len(entries) - len(compared),
        "files that differ": len(tally.different),
    }
    if before is not None:
        measured["files compared when they were read"] = len(compared) - len(due)
    if partly:
        measured["files used in part"] = len(partly)
    measured |= {f"characters: {fate}": count for fate, count in sorted(tally.fates.items())}
    measured |= {f"discarded: {reason}": count for reason, count in tally.discarded.most_common()}
    return Verdict(len(compared), findings, measured)


def _compared(provisions: Path) -> dict[_FileKey, bytes]:
    """Return the fingerprints of what provisions hold of the files that were compared as a whole."""
    units = ProvisionsReport.load(provisions).units
    left_out = {path for unit in units for path in (*unit.set_aside, *unit.broken, *unit.partly)}
    return {key: value for key, value in _fingerprints(provisions).items() if key[0] not in left_out}


def _fingerprints(provisions: Path) -> dict[_FileKey, bytes]:
    """Return, per file, what tells its texts from others as they stand: quicker than to squeeze them."""
    hashes: dict[_FileKey, hashlib._Hash] = {}
    for key, text in _texts(provisions):
        if key not in hashes:
            hashes[key] = hashlib.sha256()
        hashes[key].update(text.encode())
    return {key: value.digest() for key, value in hashes.items()}


def _held_digests(provisions: Path, files: Set[_FileKey]) -> dict[_FileKey, str]:
    """Return, for each of some files, the digest of the squeezed texts of its provisions."""
    if not files:
        return {}
    digests: dict[_FileKey, hashlib._Hash] = {}
    for key, text in _texts(provisions):
        if key in files:
            digests.setdefault(key, hashlib.sha256()).update(squeeze(text).encode())
    return {key: digest.hexdigest() for key, digest in digests.items()}


def _texts(provisions: Path) -> Iterator[tuple[_FileKey, str]]:
    table = pq.ParquetFile(provisions / PROVISIONS_FILE)
    for batch in table.iter_batches(batch_size=4_096, columns=["file", "source_sha256", "text"]):
        files, hashes, texts = (column.to_pylist() for column in batch.columns)
        yield from zip(zip(files, hashes, strict=True), texts, strict=True)


def _shares(entries: Sequence[FileEntry], held: dict[_FileKey, str]) -> list[_Share]:
    """Cut the files into shares of some bytes each, in order, so that a process reads what lies together."""
    nothing = hashlib.sha256().hexdigest()
    shares: list[_Share] = []
    paths: list[str] = []
    digests: list[str] = []
    size = 0
    for entry in entries:
        paths.append(entry.path)
        digests.append(held.get((entry.path, entry.sha256), nothing))
        size += entry.bytes
        if size >= _SHARE_BYTES:
            shares.append(_Share(tuple(paths), tuple(digests)))
            paths, digests, size = [], [], 0
    if paths:
        shares.append(_Share(tuple(paths), tuple(digests)))
    return shares


def _examine(shares: Sequence[_Share], pinned: Path, oracle: Oracle, processes: int) -> Iterator[_Tally]:
    examine = partial(_examine_share, pinned, oracle)
    worth = len(shares) * _SHARE_BYTES // _WORTH_A_PROCESS
    if min(processes, worth) <= 1:
        yield from map(examine, shares)
        return
    # Spawned, not forked: the caller may run threads, and a fork of those can hang.
    with ProcessPoolExecutor(
        min(processes, worth), get_context("spawn"), initializer=die_with, initargs=(os.getpid(),)
    ) as pool:
        yield from pool.map(examine, shares)


def _examine_share(pinned: Path, oracle: Oracle, share: _Share) -> _Tally:
    tally = _Tally()
    files = open_pinned(pinned)
    for path, digest in zip(share.paths, share.digests, strict=True):
        file = files.get(path)
        if file is None:
            continue
        tally.examined += 1
        try:
            account = oracle(file)
        except MalformedFileError as error:
            tally.unreadable.append((path, error.message))
            continue
        tally.fates.update({str(fate): count for fate, count in account.counts.items()})
        tally.discarded.update(account.discarded)
        if hashlib.sha256(account.operative.encode()).hexdigest() != digest:
            tally.different.append(path)
    return tally


def _parts_missing(path: str, provisions: Path, pinned: Path, oracle: Oracle) -> Iterator[Finding]:
    """Yield a finding per unit whose part of a file does not stand in it as one run."""
    file = open_pinned(pinned).get(path)
    if file is None:
        return  # kept from an earlier source
    law = oracle(file).operative
    parts: dict[str, list[str]] = {}
    columns = ["file", "source_sha256", "unit", "text"]
    rows = pq.read_table(
        provisions / PROVISIONS_FILE,
        columns=columns,
        filters=[("file", "=", path), ("source_sha256", "=", file.sha256)],
    )
    for row in rows.to_pylist():
        parts.setdefault(row["unit"], []).append(squeeze(row["text"]))
    for unit, texts in parts.items():
        if "".join(texts) not in law:
            message = f"{path}: what is held of unit {unit} is not, as one run, what the file has of law."
            yield Finding("text_differs", path, message)


def _difference(path: str, provisions: Path, pinned: Path, oracle: Oracle) -> Finding:
    """Show where the texts of one file part: read again, since only digests were compared."""
    file = open_pinned(pinned).get(path)
    law = oracle(file).operative if file is not None else ""
    key = (path, file.sha256 if file is not None else "")
    held = "".join(squeeze(text) for own, text in _texts(provisions) if own == key)
    place = next(
        (number for number, pair in enumerate(zip(law, held, strict=False)) if pair[0] != pair[1]),
        min(len(law), len(held)),
    )
    return Finding(
        "text_differs",
        path,
        f"{path} parts at character {place}: the file has {law[place : place + _AROUND]!r}, "
        f"the provisions have {held[place : place + _AROUND]!r} "
        f"({len(law):,} characters of law, {len(held):,} held).",
    )
