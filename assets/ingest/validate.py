"""Checks over the provisions table of one code body. Each states one fact; each reads only what it needs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from assets.findings import Finding, Verdict
from assets.ingest.pinned import PinnedFiles
from assets.ingest.provisions_table import PROVISIONS_FILE
from serving.contract.identity import node_id
from serving.contract.records import IN_FORCE

_BATCH_ROWS = 4_096


def hierarchy_is_closed(provisions: Path) -> Verdict:
    """Check that every parent is an earlier row of the code body, which rules out cycles too.

    It stands in the same unit, save that the first row of a unit may hang under a container of another one,
    as titles do under divisions: a unit must be able to fall back alone.

    Args:
        provisions: the folder with `provisions.parquet`, as for all checks here.
    """
    findings: list[Finding] = []
    home: dict[str, tuple[str, str]] = {}
    units: set[tuple[str, str]] = set()
    depth: dict[str, int] = {}
    ordinal = -1
    roots = 0
    columns = ["node_id", "identifier", "parent_id", "code_body", "unit", "ordinal"]
    for row in _rows(provisions, columns):
        own = (row["code_body"], row["unit"])
        parent = row["parent_id"]
        if row["node_id"] != str(node_id(row["identifier"])):
            findings.append(_error("node_id_not_derived", row, "has a node id that is not its identifier's"))
        if row["ordinal"] <= ordinal:
            findings.append(_error("order_broken", row, f"has ordinal {row['ordinal']} after {ordinal}"))
        if parent is None:
            roots += 1
        elif parent not in home:
            findings.append(
                _error("parent_missing", row, f"names parent {parent}, which no row before it is")
            )
        elif home[parent][0] != own[0] or (home[parent] != own and own in units):
            findings.append(
                _error("parent_elsewhere", row, f"hangs under a parent of {'/'.join(home[parent])}")
            )
        units.add(own)
        home.setdefault(row["node_id"], own)
        depth.setdefault(row["node_id"], depth.get(parent, 0) + 1)
        ordinal = row["ordinal"]
    deepest = max(depth.values(), default=0)
    return _verdict(len(depth), findings, {"units": len(units), "top level": roots, "depth": deepest})


def identifiers_are_unique(provisions: Path) -> Verdict:
    """Check that no two provisions share an identifier; a finding names the places of both."""
    first: dict[str, dict[str, Any]] = {}
    findings: list[Finding] = []
    examined = 0
    for row in _rows(provisions, ["identifier", "file", "byte_start"]):
        examined += 1
        other = first.setdefault(row["identifier"], row)
        if other is not row:
            message = f"stands in {_place(other)} and in {_place(row)}"
            findings.append(_error("identifier_double", row, message))
    told_apart = sum("@" in identifier for identifier in first)
    return _verdict(examined, findings, {"identifiers": len(first), "told apart by @": told_apart})


def citations_are_unique(provisions: Path) -> Verdict:
    """Check that each live citable provision has a citation that is its own, or is a named duplicate.

    Two may share a citation where the source gives two provisions one number: their identifiers agree up to
    `@`, and at least all but one carry one.
    """
    findings: list[Finding] = []
    holders: dict[str, list[dict[str, Any]]] = {}
    examined = 0
    for row in _rows(provisions, ["identifier", "citation", "citable", "status"]):
        if not row["citable"] or row["status"] != IN_FORCE:
            continue
        examined += 1
        if not row["citation"].strip():
            findings.append(_error("citation_missing", row, "is in force and has no citation"))
            continue
        holders.setdefault(row["citation"], []).append(row)
    shared = [rows for rows in holders.values() if len(rows) > 1]
    for rows in shared:
        identifiers = [row["identifier"] for row in rows]
        plain = sum("@" not in identifier for identifier in identifiers)
        if plain > 1 or len({identifier.partition("@")[0] for identifier in identifiers}) > 1:
            message = f"shares the citation {rows[0]['citation']!r} with {', '.join(identifiers[1:4])}"
            findings.append(_error("citation_double", rows[0], message))
    return _verdict(examined, findings, {"citations": len(holders), "named duplicates": len(shared)})


def outlines_lie_within_texts(provisions: Path) -> Verdict:
    """Check that outline labels and references lie within their text, and that labels nest."""
    findings: list[Finding] = []
    counts: Counter[str] = Counter()
    examined = 0
    for row in _rows(provisions, ["identifier", "text", "outline", "references", "notes"]):
        examined += 1
        length = len(row["text"])
        counts["labels"] += len(row["outline"])
        counts["references"] += len(row["references"])
        problem = (
            _outside(row["outline"], length, "label")
            or _outside(row["references"], length, "target")
            or _badly_nested(row["outline"])
            or _footnote_outside(row["notes"], length)
        )
        if problem:
            findings.append(_error("range_wrong", row, problem))
    return _verdict(examined, findings, dict(counts))


def byte_ranges_hold_the_provision(provisions: Path, files: PinnedFiles, *, every: int = 20) -> Verdict:
    """Check on a sample that a provision's byte range in its file begins with `<` and ends with `>`.

    Args:
        provisions: the folder with `provisions.parquet`.
        files: the pinned files that were read.
        every: one of so many provisions is looked at, spread evenly. Those kept from files that the source
            no longer has cannot be looked at; they are counted.
    """
    findings: list[Finding] = []
    examined = 0
    of_older_files = 0
    columns = ["identifier", "file", "source_sha256", "byte_start", "byte_end"]
    for number, row in enumerate(_rows(provisions, columns)):
        if number % every:
            continue
        file = files.get(row["file"])
        if file is None or file.sha256 != row["source_sha256"]:
            of_older_files += 1
            continue
        examined += 1
        start, end = row["byte_start"], row["byte_end"]
        held = file.content[max(start, 0) : end]
        if not (0 <= start < end <= len(file.content) and held.startswith(b"<") and held.endswith(b">")):
            message = f"bytes {start} to {end} of {row['file']} hold {held[:20]!r}…{held[-20:]!r}, no element"
            findings.append(_error("byte_range_wrong", row, message))
    return _verdict(examined, findings, {"of older files": of_older_files})


def _rows(provisions: Path, columns: list[str]) -> Iterator[dict[str, Any]]:
    table = pq.ParquetFile(provisions / PROVISIONS_FILE)
    batch: pa.RecordBatch
    for batch in table.iter_batches(batch_size=_BATCH_ROWS, columns=columns):
        yield from batch.to_pylist()


def _error(code: str, row: dict[str, Any], message: str) -> Finding:
    return Finding(code, row["identifier"], f"{row['identifier']} {message}.")


def _place(row: dict[str, Any]) -> str:
    return f"{row['file']} at byte {row['byte_start']}"


def _verdict(examined: int, findings: list[Finding], measured: dict[str, int]) -> Verdict:
    nothing = () if examined else (Finding("nothing_examined", "", "There was nothing to check."),)
    return Verdict(examined, [*findings, *nothing], {**measured})


def _outside(ranges: Sequence[dict[str, Any]], length: int, name: str) -> str | None:
    for own in ranges:
        if not 0 <= own["start"] < own["end"] <= length:
            return f"has {own[name]!r} at {own['start']} to {own['end']} of a text of {length} characters"
    return None


def _badly_nested(outline: Sequence[dict[str, Any]]) -> str | None:
    """Say what is wrong where labels are out of order or two overlap without one holding the other."""
    open_ends: list[dict[str, Any]] = []
    start = 0
    for own in outline:
        if own["start"] < start:
            return f"has {own['label']!r} at {own['start']} after a label at {start}"
        start = own["start"]
        while open_ends and open_ends[-1]["end"] <= start:
            open_ends.pop()
        if open_ends and own["end"] > open_ends[-1]["end"]:
            return f"has {own['label']!r}, which runs out of {open_ends[-1]['label']!r}"
        open_ends.append(own)
    return None


def _footnote_outside(notes: Sequence[dict[str, Any]], length: int) -> str | None:
    for note in notes:
        if note["offset"] is not None and not 0 <= note["offset"] <= length:
            return f"has a footnote at {note['offset']} of a text of {length} characters"
    return None
