"""Two states of a small law, written as snapshots store it, and what a comparison says of them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import orjson
import pyarrow as pa

from serving.comparison.compared_law import ComparedLaw
from serving.comparison.comparison import Comparison
from serving.comparison.digest_table import make_digests
from serving.contract.changes import Change
from serving.contract.identity import content_etag, node_id, split
from serving.contract.layout import NODES
from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import SNAPSHOT_NODES
from serving.snapshot.nodes import NodeTable

BODY = CodeBodyEntry(
    id="00000000-0000-5000-8000-000000000001",
    key="a-code",
    name="A Code",
    jurisdiction="a",
    level="state",
    current_through=None,
    release_point=None,
    node_count=0,
    chunk_count=0,
    complete=True,
    source_url=None,
    license="",
    source_sha256="",
)


@dataclass(frozen=True)
class Section:
    """A provision; `file` stands for the bytes of the publisher's file that it was read from, at `path`."""

    num: str
    text: str = ""
    heading: str = "Heading"
    status: str = "in_force"
    parent: str | None = None
    level: str = "section"
    credit: str | None = None
    notes: tuple[str, ...] = ()
    topic: str = "note"
    file: str = "of the edition"
    path: str = "law.xml"
    id: str | None = None
    known: str = "2026-11-01"

    @property
    def node(self) -> str:
        return str(node_id(self.id or self.num))


def law(
    folder: Path,
    sections: Sequence[Section],
    *,
    snapshot: str,
    code_bodies: tuple[CodeBodyEntry, ...] = (BODY,),
) -> ComparedLaw:
    """Write sections as a snapshot stores them; `file` differs between snapshots unless it is set."""
    folder.mkdir(parents=True, exist_ok=True)
    parents = {section.num: section for section in sections}
    rows = sorted(
        (_row(section, parents, snapshot) for section in sections),
        key=lambda row: (row["id_hi"], row["id_lo"]),
    )
    batch = pa.RecordBatch.from_pylist(rows, SNAPSHOT_NODES)
    with pa.ipc.new_file(str(folder / NODES), SNAPSHOT_NODES) as writer:
        writer.write_batch(batch)
    return ComparedLaw(
        id=snapshot,
        created=f"{snapshot[:10].replace('.', '-')}T00:00:00Z",
        code_bodies=code_bodies,
        jurisdictions=(),
        nodes=NodeTable(folder / NODES, code_bodies),
        digests=make_digests(folder / NODES),
        stale={},
    )


def _row(section: Section, parents: dict[str, Section], snapshot: str) -> dict[str, Any]:
    above: list[Section] = []
    one = section
    while one.parent is not None:
        one = parents[one.parent]
        above.insert(0, one)
    file = f"{section.file} {snapshot}" if section.file == "of the edition" else section.file
    body = orjson.dumps(
        {
            "id": section.node,
            "citation": f"A Code § {section.num}",
            "heading": section.heading,
            "text": section.text,
            "breadcrumb": [each.heading for each in above],
            "ancestors": [{"id": each.node, "level": each.level, "num": each.num} for each in above],
            "level": section.level,
            "num": section.num,
            "status": section.status,
            "textSha256": hashlib.sha256(section.text.encode()).hexdigest(),
            "sourceCredit": section.credit,
            "notes": [{"topic": section.topic, "heading": None, "text": note} for note in section.notes],
            "provenance": {
                "file": section.path,
                "sha256": hashlib.sha256(file.encode()).hexdigest(),
                "retrievedAt": f"{section.known}T00:00:00Z",
            },
            "currentThrough": None,
            "currentThroughDate": None,
        }
    )
    high, low = split(UUID(section.node))
    return {
        "id_hi": high,
        "id_lo": low,
        "code_body": 0,
        "level": section.level,
        "status": section.status,
        "citation": f"A Code § {section.num}",
        "heading": section.heading,
        "tags": "",
        "text": section.text,
        "chunk_start": 0,
        "chunk_end": 0,
        "body": body,
        "gzip": None,
        "zstd": None,
        "etag": content_etag(body),
    }


def changes(folder: Path, before: Sequence[Section], after: Sequence[Section]) -> list[Change]:
    """Return the changes between two states of a code body."""
    comparison = Comparison(
        law(folder / "before", before, snapshot="2026.11.21-1"),
        law(folder / "after", after, snapshot="2026.11.22-1"),
    )
    return [comparison.describe(BODY, one) for one in comparison.differences(BODY.id)]


def told(change: Change) -> tuple[str, str | None, str | None]:
    """Return the kind of a change, and the numbers before and after."""
    before, after = change["before"], change["after"]
    return change["kind"], before and before["num"], after and after["num"]
