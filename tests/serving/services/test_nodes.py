"""Nodes: ready answers, and the same as text with the citation first."""

from uuid import UUID, uuid4

import orjson
import pytest

from serving.contract.errors import NotFoundError
from serving.contract.identity import content_etag
from serving.services.nodes import node_body, node_markdown, node_plain, reservations


def test_body_is_the_stored_answer(snapshot, node):
    stored = node_body(snapshot, UUID(node("/us/sample/t1/s7")))
    assert orjson.loads(bytes(stored.plain))["citation"] == "1 S.F.C. § 7"


def test_unknown_node_is_named(snapshot):
    with pytest.raises(NotFoundError) as caught:
        node_body(snapshot, uuid4())
    assert caught.value.kind == "node"


def test_markdown_puts_the_citation_first(snapshot, node):
    text = node_markdown(snapshot, UUID(node("/us/sample/t1/s7"))).body.decode()
    assert text.startswith("# 1 S.F.C. § 7 — Fair use\n\n*Sample Federal Code > Title 1. Protected works > ")
    assert "Current through 2026-10-31.*\n\nNotwithstanding" in text
    assert "not an infringement.  \nIn determining" in text


def test_plain_text_puts_the_citation_first(snapshot, node):
    text = node_plain(snapshot, UUID(node("/us/sample/t1/s8"))).body.decode()
    assert text.startswith("1 S.F.C. § 8\n\nOld fair use rule\n\n")
    assert "(repealed)" in text
    assert text.endswith("Fair use was once governed by this section.\n")


def test_old_law_says_since_when_it_is(snapshot, node):
    text = node_plain(snapshot, UUID(node("/sample/code/t3"))).body.decode()
    assert text.endswith(
        "Current through 2024-10-08. An earlier text: it could not be updated from the edition of 2025-02-14.\n"
    )


def test_text_says_from_when_and_until_when_it_applies(snapshot, node):
    for render in (node_markdown, node_plain):
        text = render(snapshot, UUID(node("/us/sample/t1/s9"))).body.decode()
        assert "Current through 2026-10-31. Effective from 2021-07-01 until 2031-07-01." in text
        assert "Effective from" not in render(snapshot, UUID(node("/us/sample/t1/s7"))).body.decode()


def test_what_to_know_first_is_told_of_what_moved_and_of_what_shares_its_number():
    """Days without their words are those of snapshots that an earlier version published."""
    assert reservations({}) == []
    assert reservations({"effectiveEnd": "2031-07-01"}) == ["Effective until 2031-07-01"]
    assert reservations(
        {"successor": {"citation": "1 S.F.C. § 6", "nodeId": None}, "duplicateOf": ["one"]}
    ) == ["Its source names a new place for it: 1 S.F.C. § 6", "Another provision bears this number too"]
    assert reservations({"duplicateOf": ["one", "two"]}) == ["2 other provisions bear this number too"]


def test_container_without_text_has_its_place_only(snapshot, node):
    text = node_plain(snapshot, UUID(node("/us/sample/t1"))).body.decode()
    assert text == ("1 S.F.C.\n\nProtected works\n\nSample Federal Code. Current through 2026-10-31.\n")


def test_a_rendition_is_tagged_by_its_own_content(snapshot, node):
    section = UUID(node("/us/sample/t1/s7"))
    for render in (node_markdown, node_plain):
        rendition = render(snapshot, section)
        assert rendition.etag == content_etag(rendition.body)
