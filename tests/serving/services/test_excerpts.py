"""The first lines of a provision: its own, or those of the first living text below it, cut at a word."""

from uuid import UUID

import pytest

from serving.services.excerpts import LENGTH, excerpt


@pytest.fixture
def of(snapshot, node):
    return lambda identifier: excerpt(snapshot, UUID(node(identifier)))


def test_a_short_text_is_whole(of):
    found = of("/sample-city/code/1")
    assert (found.citation, found.heading, found.status) == ("City Code § 1", "Harbor noise", "in_force")
    assert found.text == "No person shall make noise in the harbor at night."
    assert (found.from_citation, found.whole) == (None, True)


def test_a_long_text_is_cut_at_a_word(of, snapshot, node):
    found = of("/sample/code/1-1")
    whole = snapshot.nodes.text(snapshot.nodes.find(UUID(node("/sample/code/1-1"))))
    assert len(found.text) <= LENGTH
    assert whole.startswith(found.text)
    assert whole[len(found.text)] in " \n"
    assert not found.whole


def test_a_container_begins_with_the_first_text_below_it(of):
    found = of("/us/sample/t1")
    assert (found.citation, found.from_citation) == ("1 S.F.C.", "1 S.F.C. § 5")
    assert found.text.startswith("In this title, “work” means")


def test_a_container_of_nothing_has_no_text(of):
    found = of("/sample/code/t3")
    assert (found.status, found.text, found.from_citation) == ("reserved", "", None)


def test_what_is_not_held_has_no_excerpt(of):
    assert of("/sample/code/9-9") is None
