"""The law of accepted tables, as a comparison reads it: no index is built for it."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from serving.comparison.compared_law import ComparedLaw
from serving.comparison.digest_table import make_digests
from serving.contract.identity import code_body_id, content_etag, split
from serving.contract.layout import NODES
from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import SNAPSHOT_NODES
from serving.snapshot.nodes import NodeTable

_BATCH = 2_000


def law_of(provisions: Path, scratch: Path, *, snapshot: str) -> ComparedLaw:
    """Return the law of one code body.

    Args:
        provisions: folder with `provisions.parquet` and `report.json`.
        scratch: folder for the table that is compared.
        snapshot: id that stands for a publication of it.
    """
    report = json.loads((provisions / "report.json").read_bytes())
    table = pq.read_table(provisions / "provisions.parquet")
    key = table.column("code_body")[0].as_py()
    body = CodeBodyEntry(
        id=str(code_body_id(key)),
        key=key,
        name=key,
        jurisdiction=table.column("jurisdiction")[0].as_py(),
        level="",
        current_through=report["current_through"],
        release_point=report["release_point"],
        node_count=table.num_rows,
        chunk_count=0,
        complete=report["complete"],
        source_url=None,
        license="",
        source_sha256=report["source_sha256"],
    )
    scratch.mkdir(parents=True, exist_ok=True)
    _write(table, scratch / NODES, report["current_through"])
    return ComparedLaw(
        id=snapshot,
        created=f"{snapshot[:10].replace('.', '-')}T00:00:00Z",
        code_bodies=(body,),
        jurisdictions=(),
        nodes=NodeTable(scratch / NODES, (body,)),
        digests=make_digests(scratch / NODES),
        stale={},
    )


def _write(table: pa.Table, path: Path, current_through: str | None) -> None:
    light = table.select(["node_id", "parent_id", "level", "num", "heading"]).to_pylist()
    by_id = {row["node_id"]: row for row in light}
    halves = [split(UUID(row["node_id"])) for row in light]
    order = sorted(range(len(light)), key=halves.__getitem__)
    batches = [
        pa.RecordBatch.from_pylist(
            [
                _row(row, by_id, current_through)
                for row in table.take(order[first : first + _BATCH]).to_pylist()
            ],
            SNAPSHOT_NODES,
        )
        for first in range(0, len(order), _BATCH)
    ]
    whole = pa.Table.from_batches(batches, SNAPSHOT_NODES).combine_chunks()
    with pa.ipc.new_file(str(path), SNAPSHOT_NODES) as writer:
        writer.write_batch(whole.to_batches()[0])


def _row(
    row: dict[str, Any], by_id: dict[str, dict[str, Any]], current_through: str | None
) -> dict[str, Any]:
    above: list[dict[str, Any]] = []
    parent = row["parent_id"]
    while parent is not None:
        one = by_id[parent]
        above.insert(0, {"id": one["node_id"], "level": one["level"], "num": one["num"]})
        parent = one["parent_id"]
    answer = {
        "id": row["node_id"],
        "citation": row["citation"],
        "heading": row["heading"],
        "text": row["text"],
        "breadcrumb": [by_id[one["id"]]["heading"] for one in above],
        "ancestors": above,
        "level": row["level"],
        "num": row["num"],
        "status": row["status"],
        "textSha256": row["text_sha256"],
        "sourceCredit": row["source_credit"],
        "notes": row["notes"],
        "provenance": {
            "file": row["file"],
            "sha256": row["source_sha256"],
            "retrievedAt": "2026-11-22T00:00:00Z",
        },
        "currentThrough": current_through,
        "currentThroughDate": None,
    }
    if row["effective_start"] is not None:
        answer["effectiveStart"] = row["effective_start"]
    if row["effective_end"] is not None:
        answer["effectiveEnd"] = row["effective_end"]
    body = orjson.dumps(answer)
    high, low = split(UUID(row["node_id"]))
    return {
        "id_hi": high,
        "id_lo": low,
        "code_body": 0,
        "level": row["level"],
        "status": row["status"],
        "citation": row["citation"],
        "heading": row["heading"],
        "tags": "",
        "text": row["text"],
        "chunk_start": 0,
        "chunk_end": 0,
        "body": body,
        "gzip": None,
        "zstd": None,
        "etag": content_etag(body),
    }
