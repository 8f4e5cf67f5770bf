"""Provisions derived once more from the bytes of their sources, and compared with what was published.

They are read in a confined process as for a build, from the pinned files alone: no reading that was kept, and
no earlier build, has a say.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq

from assets.findings import Finding, Verdict
from assets.ingest.pinned import PinnedFiles, open_pinned
from assets.ingest.provisions_table import PROVISIONS_FILE
from assets.ingest.quarantine import build_quarantined
from assets.registry import CodeBody
from serving.contract.answers import NodeBody

_SHORT = 40
"""Characters up to which a value is told in a finding."""
_COLUMNS = (
    *("citation", "heading", "text", "level", "num", "status", "outline", "notes", "source_credit"),
    *("text_sha256", "effective_start", "effective_end", "effective_words"),
    *("file", "source_sha256", "byte_start", "byte_end"),
)


def rederive(
    answers: Sequence[NodeBody],
    pinned: Path,
    body: CodeBody,
    *,
    tag_rules: Path,
    progress: Callable[[int, int], None],
) -> Verdict:
    """Derive published provisions of one code body again, and name what differs.

    Args:
        answers: the provisions as they were published.
        pinned: folder of the source they were read from.
        body: the code body.
        tag_rules: file of the rules of the tags.
        progress: called with (files dealt with, files in all).

    Returns:
        A verdict with a finding for each provision that differs, or whose file is not kept or cannot be read
        any more; it measures how many were derived, and in how many each field differs.

    Raises:
        SourceError: a pinned file is not what was pinned, or nothing can be read.
    """
    files = open_pinned(pinned)
    kept = [answer for answer in answers if _is_kept(files, answer)]
    findings = [
        Finding(
            "source_not_kept",
            answer["citation"],
            f"{answer['provenance']['file']} is kept in another state than it was published from.",
        )
        for answer in answers
        if not _is_kept(files, answer)
    ]
    findings += [found for answer in kept for found in _place_findings(files, answer)]
    with TemporaryDirectory(prefix="rederived-") as folder:
        derived = Path(folder) / body.key
        report = build_quarantined(
            pinned,
            body,
            derived,
            tag_rules=tag_rules,
            previous=None,
            progress=progress,
        )
        rows = _rows(derived, {answer["id"] for answer in kept})
    unread = {
        file: problem
        for unit in report.units
        for file, problem in zip(unit.broken, unit.problems, strict=True)
    }
    fields: Counter[str] = Counter()
    for answer in kept:
        row = rows.get(answer["id"])
        if row is None:
            findings.append(_missing(answer, unread.get(answer["provenance"]["file"])))
            continue
        differing = _differences(answer, row)
        fields.update(differing.keys())
        if differing:
            said = ", ".join(f"{name}{values}" for name, values in differing.items())
            findings.append(Finding("derived_otherwise", answer["citation"], f"differs in {said}."))
    return Verdict(len(answers), findings, {"derived": len(kept), **fields})


def _is_kept(files: PinnedFiles, answer: NodeBody) -> bool:
    entry = files.entry(answer["provenance"]["file"])
    return entry is not None and entry.sha256 == answer["provenance"]["sha256"]


def _place_findings(files: PinnedFiles, answer: NodeBody) -> list[Finding]:
    """Return a finding where the bytes that a provision names are no element of its file."""
    provenance = answer["provenance"]
    source = files.get(provenance["file"])
    start, end = provenance["byteStart"], provenance["byteEnd"]
    content = b"" if source is None else source.content[start:end]
    if 0 <= start < end and len(content) == end - start and content[:1] == b"<" and content[-1:] == b">":
        return []
    message = f"bytes {start} to {end} of {provenance['file']} are no element."
    return [Finding("place_differs", answer["citation"], message)]


def _rows(derived: Path, ids: set[str]) -> dict[str, Mapping[str, Any]]:
    table = pq.read_table(
        derived / PROVISIONS_FILE,
        columns=["node_id", *_COLUMNS],
        filters=[("node_id", "in", ids)] if ids else None,
    )
    return {row["node_id"]: row for row in table.to_pylist()}


def _missing(answer: NodeBody, problem: str | None) -> Finding:
    if problem is not None:
        # Which says nothing of the provision: the machine, or the file, stood in the way.
        return Finding("source_not_read", answer["citation"], f"cannot be derived: {problem}.")
    return Finding("not_derived", answer["citation"], "does not come out of the source any more.")


def _differences(answer: NodeBody, row: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields that differ, with both values in words where these are short."""
    published = _published(answer)
    derived = {name: _written(row[name]) for name in published}
    return {
        name: _both(published[name], derived[name]) for name in published if published[name] != derived[name]
    }


def _both(published: Any, derived: Any) -> str:
    if any(isinstance(value, list) or len(str(value)) > _SHORT for value in (published, derived)):
        return ""
    return f" (published {_told(published)}, derived {_told(derived)})"


def _told(value: Any) -> str:
    return "none" if value is None else str(value)


def _published(answer: NodeBody) -> dict[str, Any]:
    """Return what was published of a source, by the names of columns."""
    provenance = answer["provenance"]
    published = {
        "citation": answer["citation"],
        "heading": answer["heading"],
        "text": answer["text"],
        "level": answer["level"],
        "num": answer["num"],
        "status": answer["status"],
        "outline": answer["outline"],
        "notes": [{"offset": None, **note} for note in answer["notes"]],
        "source_credit": answer["sourceCredit"],
        "text_sha256": answer["textSha256"],
        "effective_start": answer.get("effectiveStart"),
        "effective_end": answer.get("effectiveEnd"),
        "file": provenance["file"],
        "source_sha256": provenance["sha256"],
        "byte_start": provenance["byteStart"],
        "byte_end": provenance["byteEnd"],
    }
    if "effective" in answer:
        published["effective_words"] = answer["effective"]["words"]
    return published


def _written(value: Any) -> Any:
    """Return a value as an answer has it: a date in ISO's form."""
    return value.isoformat() if hasattr(value, "isoformat") else value
