"""Semantic search: nearest provisions under the same filters as keyword search."""

from uuid import UUID

import numpy as np

from serving.contract.identity import code_body_id
from serving.contract.records import Jurisdiction
from serving.snapshot.filters import Filters, scope_of
from serving.snapshot.store import Snapshot

IN_FORCE = Filters()


def _citations(snapshot: Snapshot, query: str, filters: Filters = IN_FORCE, limit: int = 100) -> list[str]:
    vector = snapshot.encoder.encode_query(query)
    hits = snapshot.vectors.search(vector, filters=filters, limit=limit)
    assert [hit.distance for hit in hits] == sorted(hit.distance for hit in hits)
    for hit in hits:
        assert snapshot.chunks.node(hit.chunk_row) == hit.node_row
    return [snapshot.nodes.citation(hit.node_row) for hit in hits]


def test_what_is_meant_comes_first(snapshot: Snapshot) -> None:
    assert _citations(snapshot, "getting my money back when I move out of a rented flat")[0] in {
        "1 Sample Code § 102",
        "1 Sample Code § 101",
    }
    assert _citations(snapshot, "canine permits")[0] == "1 Sample Code § 104"


def test_each_provision_stands_once_with_its_best_chunk(snapshot: Snapshot) -> None:
    found = _citations(snapshot, "dogs")
    assert len(found) == len(set(found)) == 7
    assert len(_citations(snapshot, "dogs", limit=2)) == 2, "although one provision has many chunks"


def test_a_state_includes_its_city(snapshot: Snapshot) -> None:
    assert len(_citations(snapshot, "permit", Filters(jurisdiction="sample"))) == 7
    city = _citations(snapshot, "permit", Filters(jurisdiction="sample-city"))
    assert set(city) == {"Sample City Code § 29-801.02", "Sample City Code § 29-102"}
    assert _citations(snapshot, "permit", Filters(jurisdiction="va")) == []


def test_code_body_and_status_are_filters(snapshot: Snapshot) -> None:
    assert len(_citations(snapshot, "permit", Filters(code_body=code_body_id("sample-code")))) == 5
    assert _citations(snapshot, "permit", Filters(code_body=UUID(int=3))) == []
    assert _citations(snapshot, "permit", Filters(statuses=("repealed",))) == []
    assert len(_citations(snapshot, "permit", Filters(statuses=()))) == 7


def test_a_filter_from_outside_cannot_end_its_quotes(snapshot: Snapshot) -> None:
    assert _citations(snapshot, "permit", Filters(jurisdiction="' OR 1=1 OR '")) == []


def test_nothing_asked_for_is_nothing_found(snapshot: Snapshot) -> None:
    assert snapshot.vectors.search(np.ones(384, np.float32), filters=Filters(), limit=0) == []


def test_a_scope_is_closed_under_parts() -> None:
    places = (
        Jurisdiction("il-chicago", "Chicago", "municipal", "il-cook"),
        Jurisdiction("il-cook", "Cook County", "county", "il"),
        Jurisdiction("il", "Illinois", "state", None),
        Jurisdiction("us", "United States", "federal", None),
    )
    assert scope_of("il", places) == ("il", "il-chicago", "il-cook")
    assert scope_of("us", places) == ("us",)
