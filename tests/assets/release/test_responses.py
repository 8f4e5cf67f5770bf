"""The ready answers of node and browse."""

import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from assets.compression import SMALLEST
from assets.release.responses import build_response_store
from assets.selection.selection import Selection
from assets.workspace import Workspace
from serving.comparison.digest_table import make_digests, read_digests, write_digests
from serving.contract.identity import code_body_id, node_id
from serving.contract.layout import BROWSE, CHUNKS, DIGESTS, NODES
from serving.snapshot.store import Snapshot

Node = Callable[[str], dict[str, Any]]
SECTION = "/sample/code/t1/s102"


def _id(identifier: str) -> str:
    return str(node_id(identifier))


def test_a_node_says_what_it_is_and_where_it_stands(node: Node) -> None:
    answer = node(SECTION)
    assert answer["id"] == _id(SECTION)
    assert answer["citation"] == "1 Sample Code § 102"
    assert answer["heading"] == "Return of a security deposit"
    assert answer["breadcrumb"] == ["Title 1. Housing", "Chapter 1. Security deposits"]
    assert answer["ancestors"] == [
        {"id": _id("/sample/code/t1"), "level": "title", "num": "1", "heading": "Housing"},
        {"id": _id("/sample/code/t1/ch1"), "level": "chapter", "num": "1", "heading": "Security deposits"},
    ]
    assert answer["jurisdiction"] == "sample"
    assert answer["codeBody"]["id"] == str(code_body_id("sample-code"))
    assert (answer["level"], answer["num"], answer["status"]) == ("section", "102", "in_force")
    assert answer["currentThrough"] == "Act 7"
    assert answer["currentThroughDate"] is None
    assert answer["textSha256"] == hashlib.sha256(answer["text"].encode()).hexdigest()
    assert answer["outline"] == [{"label": "(a)", "start": 0, "end": len(answer["text"]), "uncertain": False}]


def test_notes_and_credit_are_beside_the_text(node: Node) -> None:
    answer = node(SECTION)
    assert answer["notes"] == [
        {"topic": "amendments", "heading": "Amendments", "text": "Subsection (b) was added later."}
    ]
    assert answer["sourceCredit"] == "Act 1"


def test_provenance_names_the_pinned_file(node: Node) -> None:
    assert node(SECTION)["provenance"] == {
        "publisher": "this project",
        "sourceUrl": None,
        "file": "law.xml",
        "sha256": "0" * 64,
        "byteStart": 30,
        "byteEnd": 40,
        "releasePoint": "7",
        "retrievedAt": "2026-11-01T00:00:00Z",
        "license": "Apache-2.0",
    }


def test_neighbours_are_citable_and_of_the_same_code_body(node: Node) -> None:
    assert node("/sample/code/t1/s101")["previousId"] is None
    assert node(SECTION)["previousId"] == _id("/sample/code/t1/s101")
    assert node(SECTION)["nextId"] == _id("/sample/code/t1/s102a")
    assert node("/sample/code/t1/s104")["nextId"] == _id("/sample/code/t2/s201"), "over the next title"
    assert node("/sample/code/t2/s201")["nextId"] is None


def test_references_lead_to_the_longest_provision_held_or_say_why_not(node: Node) -> None:
    text = node(SECTION)["text"]
    found, missing = node(SECTION)["references"]
    assert found["nodeId"] == _id("/sample/code/t1/s101")
    assert found["citation"] == "1 Sample Code § 101(a)", "the part that the markup names is a pin cite"
    assert found["reason"] == "pin_not_found"
    assert text[found["start"] : found["end"]] == "section 101"
    assert (missing["nodeId"], missing["reason"], missing["citation"]) == (
        None,
        "not_found",
        "1 Sample Code § 999",
    )
    outside = node("/sample/code/t1/s102a")["references"][0]
    assert (outside["nodeId"], outside["reason"]) == (None, "outside_coverage")
    assert node("/sample-city/code/29-801.02")["references"][0]["nodeId"] == _id("/sample-city/code/29-102")


def test_citations_are_counted_once_a_provision(node: Node) -> None:
    assert node("/sample/code/t1/s101")["citedByCount"] == 1
    assert node(SECTION)["citedByCount"] == 1
    assert node("/sample/code/t1/s104")["citedByCount"] == 0


def test_large_answers_have_compressed_forms_that_say_the_same(opened: Snapshot) -> None:
    compressed = 0
    for row in range(len(opened.nodes)):
        body = opened.nodes.body(row)
        plain = bytes(body.plain)
        assert (body.gzip is None) == (len(plain) < SMALLEST)
        if body.gzip is not None and body.zstd is not None:
            compressed += 1
            assert gzip.decompress(body.gzip) == plain
            assert pa.Codec("zstd").decompress(bytes(body.zstd), len(plain), asbytes=True) == plain
    assert compressed > 1


def test_lists_of_children_say_what_can_be_opened(opened: Snapshot) -> None:
    body = code_body_id("sample-code")
    top = orjson.loads(opened.browse.children(body, None).plain)
    assert top["codeBodyId"] == str(body)
    assert top["parent"] is None
    assert [entry["heading"] for entry in top["nodes"]] == ["Housing", "Water"]
    assert top["nodes"][0] == {
        "id": _id("/sample/code/t1"),
        "heading": "Housing",
        "citation": "Title 1, Sample Code",
        "level": "title",
        "num": "1",
        "status": "in_force",
        "hasChildren": True,
        "childCount": 1,
        "citable": False,
    }
    chapter = orjson.loads(opened.browse.children(body, node_id("/sample/code/t1/ch1")).plain)
    assert [entry["num"] for entry in chapter["nodes"]] == ["101", "102", "102a", "103", "104"]
    assert chapter["nodes"][3]["status"] == "repealed"


def test_chunks_count_bytes_where_letters_are_wide(opened: Snapshot) -> None:
    for row in range(len(opened.nodes)):
        text, raw = opened.nodes.text(row), opened.nodes.text_bytes(row)
        for chunk in range(*opened.nodes.chunk_range(row)):
            start, end, byte_start, byte_end = opened.chunks.span(chunk)
            assert str(raw[byte_start:byte_end], "utf-8") == text[start:end]
            assert opened.chunks.node(chunk) == row
    wide = opened.nodes.find(node_id("/sample/code/t1/s102a"))
    assert wide is not None
    assert not opened.nodes.text(wide).isascii()


def test_two_builds_of_the_same_inputs_are_the_same_bytes(
    selection: Selection, workspace: Workspace, tmp_path: Path
) -> None:
    digests = []
    for name in ("once", "again"):
        folder = tmp_path / name
        folder.mkdir()
        counts = build_response_store(selection, folder, references=workspace.artefact("citation_index"))
        assert counts == {"nodes": 12, "chunks": counts["chunks"], "browse": 6, "citing": 3}
        digests.append(
            [hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in (NODES, CHUNKS, BROWSE)]
        )
    assert digests[0] == digests[1]
    assert not (tmp_path / "once" / ".spool").exists()


def test_progress_counts_every_provision(selection: Selection, workspace: Workspace, tmp_path: Path) -> None:
    seen: list[int] = []
    build_response_store(
        selection, tmp_path, references=workspace.artefact("citation_index"), progress=seen.append
    )
    assert sum(seen) == len(selection)


def test_digests_are_kept_with_the_answers_that_stay_the_same(
    selection: Selection, workspace: Workspace, tmp_path: Path
) -> None:
    """Digests of the earlier build that are not those of its answers show which were kept."""
    references = workspace.artefact("citation_index")
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    build_response_store(selection, first, references=references)
    made = make_digests(first / NODES)
    stored = read_digests(first, len(selection))
    assert {name: stored[name].tolist() for name in stored} == {name: made[name].tolist() for name in made}
    assert len(set(stored["content_hi"].tolist())) == len(selection)
    marked = {name: np.arange(len(selection), dtype=np.uint64) for name in stored}
    write_digests(first / DIGESTS, marked)
    second.mkdir()
    build_response_store(selection, second, references=references, before=first)
    kept = read_digests(second, len(selection))
    assert {name: kept[name].tolist() for name in kept} == {name: marked[name].tolist() for name in marked}
