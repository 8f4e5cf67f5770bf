"""What cites a provision: the very number that its answer gives, each once, in a settled order."""

from collections import Counter
from uuid import UUID

import orjson
import pytest

from serving.contract.errors import NotFoundError, ValidationError
from serving.contract.reading_order import by_number
from serving.services.citing import CitingProvision, citing_provisions
from serving.services.requests import PageRequest


def everyone(snapshot, node):
    """List all pages, two provisions on each."""
    found: list[CitingProvision] = []
    page = 1
    while True:
        part = citing_provisions(snapshot, node, PageRequest(page=page, limit=2))
        found += part.results
        page += 1
        if not part.results:
            return part.total, found


def test_every_node_is_cited_by_as_many_as_its_answer_says(snapshot):
    counts: Counter[int] = Counter()
    for row in range(len(snapshot.nodes)):
        answer = snapshot.nodes.answer(row)
        total, found = everyone(snapshot, snapshot.nodes.id(row))
        assert total == len(found) == len({one.node_id for one in found}) == answer["citedByCount"]
        counts[total] += 1
    assert max(counts) > 1, "a node that several cite, and most that nobody does"
    assert counts[0]


def test_the_places_are_references_to_the_node(snapshot, node):
    wanted = node("/us/sample/t1/s5")
    _, found = everyone(snapshot, UUID(wanted))
    for one in found:
        text = orjson.loads(snapshot.nodes.body(snapshot.nodes.find(UUID(one.node_id))).plain)
        spans = {
            (entry["start"], entry["end"])
            for entry in text["references"]
            if wanted in (entry["nodeId"], entry.get("throughId")) or "throughId" in entry
        }
        assert one.places
        assert set(one.places) <= spans
        assert one.node_id != wanted


def test_sections_stand_in_the_order_of_their_numbers(snapshot, node):
    _, found = everyone(snapshot, UUID(node("/us/sample/t1/s5")))
    assert [one.citation for one in found] == ["1 S.F.C. § 7", "1 S.F.C. § 9"]
    shuffled = ["17 U.S.C. § 107", "5 U.S.C. § 552a", "17 U.S.C. § 9", "5 U.S.C. § 552", "9-12A", "9-2"]
    assert sorted(shuffled, key=by_number) == [
        "5 U.S.C. § 552",
        "5 U.S.C. § 552a",
        "9-2",
        "9-12A",
        "17 U.S.C. § 9",
        "17 U.S.C. § 107",
    ]


def test_an_unknown_node_is_not_found(snapshot):
    with pytest.raises(NotFoundError) as caught:
        citing_provisions(snapshot, UUID(int=5), PageRequest())
    assert caught.value.kind == "node"


def test_a_page_beyond_the_window_is_refused():
    assert PageRequest(page=100, limit=100).offset == 9_900
    with pytest.raises(ValidationError, match="10,000"):
        PageRequest(page=101, limit=100)
