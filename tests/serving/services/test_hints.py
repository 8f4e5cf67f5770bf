"""Hints of searches: why nothing was found, the word that was meant, and law that is not held."""

from dataclasses import replace
from difflib import SequenceMatcher
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from serving.services import hints
from serving.services.hints import hint_for
from serving.services.requests import LeftOut, Mode, NotHeld, SearchRequest
from serving.services.search import SearchService
from serving.snapshot.filters import Filters
from serving.snapshot.store import Snapshot


def told(snapshot: Snapshot, request: SearchRequest) -> str:
    hint = hint_for(snapshot, request)
    assert hint is not None
    return hint


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("harbr", "harbor"),
        ("comission", "commission"),
        ("autorship", "authorship"),
        ("harbr comission", "harbor commission"),
    ],
)
def test_a_misspelled_word_is_led_to_the_one_of_the_law(snapshot, typed, meant):
    assert f"`{meant}`" in told(snapshot, SearchRequest(query=typed))


@pytest.mark.parametrize(
    "typed", ["asdfghjkl", "xqzzt", "???", "12345678", "harbr asdfghjkl", "x" * 400, "💥"]
)
def test_nonsense_is_led_nowhere(snapshot, typed):
    hint = told(snapshot, SearchRequest(query=typed))
    assert "Did you mean" not in hint
    assert "spelling" in hint


def test_a_jurisdiction_without_law_is_named(snapshot):
    found = SearchService().search(snapshot, SearchRequest(query="harbor", jurisdiction="ca"))
    assert (
        found.hint == "No law of California (`ca`) is held here: that nothing is found says nothing about it."
    )
    for query in ("jazz", "harbor"):
        found = SearchService().search(snapshot, SearchRequest(query=query, jurisdiction="sample"))
        assert "No law of" not in (found.hint or "")


@pytest.mark.parametrize("mode", Mode)
def test_results_are_told_from_law_of_the_places_that_are_named(snapshot, mode):
    request = SearchRequest(query="harbor commission: Texas, Ohio and N.Y.", mode=mode)
    found = SearchService().search(snapshot, request)
    assert found.total
    assert [(one.asked, one.jurisdiction, one.partly) for one in found.not_held] == [
        ("Texas", "tx", False),
        ("Ohio", "oh", False),
        ("New York", "ny", False),
    ]
    assert found.hint == (
        "No law of Texas (`tx`), Ohio (`oh`) or New York (`ny`) is held here: results are of other places."
    )


def test_a_place_in_the_name_of_an_act_that_is_held_is_not_asked_for(snapshot):
    act = SearchService().search(snapshot, SearchRequest(query="Maine Lantern Law"))
    assert act.items[0].citation == "1 S.F.C. § 9"
    assert (act.hint, act.not_held) == (None, ())
    among = SearchService().search(snapshot, SearchRequest(query="boats under the Maine Lantern Law"))
    assert (among.hint, among.not_held) == (None, ())
    twice = SearchService().search(snapshot, SearchRequest(query="Maine boats under the Maine Lantern Law"))
    assert [one.jurisdiction for one in twice.not_held] == ["me"]
    unheld = SearchService().search(snapshot, SearchRequest(query="harbors of the Sunken Harbors Act"))
    assert unheld.not_held == (NotHeld(asked="sunken harbors act", stands_at="1 S.F.C. § 99"),)
    place = SearchService().search(snapshot, SearchRequest(query="harbor commission in Maine"))
    assert place.hint == "No law of Maine (`me`) is held here: results are of other places."


def test_what_no_code_has_is_told_from_a_code_that_is_not_held(snapshot):
    query = "harbors of 1 S.F.C. § 99 and Ada County Code § 5-1"
    found = SearchService().search(snapshot, SearchRequest(query=query))
    assert [(one.asked, one.outcome) for one in found.not_held] == [
        ("1 S.F.C. § 99", "not_in_code"),
        ("Ada County Code § 5-1", "unknown_code"),
    ]
    assert found.hint == (
        "The query cites or names law that is not held: `Ada County Code § 5-1`. The query cites what is not in the "
        "code as it is held: `1 S.F.C. § 99`. No result is of it; coverage says what is held."
    )


def test_a_place_and_what_is_cited_are_told_where_nothing_is_found(snapshot):
    query = "1 S.F.C. § 99 xqzzt"
    found = SearchService().search(snapshot, SearchRequest(query=query, jurisdiction="ca"))
    assert not found.total
    assert found.hint is not None
    assert found.hint.startswith(
        "No law of California (`ca`) is held here: that nothing is found says nothing"
    )
    assert "`1 S.F.C. § 99`" in found.hint


def test_law_that_is_held_in_part_is_told_once(snapshot):
    request = SearchRequest(query="harbor", jurisdiction="sample-city")
    hint = SearchService().search(snapshot, request).hint
    assert hint is not None
    assert hint.startswith("Not all law of ")
    assert hint.endswith("coverage says what is missing.")
    assert "Not all law" not in (SearchService().search(snapshot, replace(request, page=2)).hint or "")


def test_known_words_that_match_nothing_are_no_misspelling(snapshot):
    assert "near enough" in told(snapshot, SearchRequest(query="harbor"))


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("query", "unheld"),
    [
        ("1 S.F.C. § 99", "`1 S.F.C. § 99`"),
        ("1 S.F.C. §§ 7, 99", "`1 S.F.C. § 99`"),
        ("fees under the Sunken Harbors Act", "`sunken harbors act` (1 S.F.C. § 99)"),
        ("1 S.F.C. § 7", None),
        ("fair use of a protected work", None),
        ("1 S.F.C. §§ 95, 96, 97, 98", "`1 S.F.C. § 95`, `1 S.F.C. § 96`, `1 S.F.C. § 97` and 1 more"),
    ],
)
def test_law_that_is_cited_and_not_held_is_told(snapshot, query, unheld, mode):
    found = SearchService().search(snapshot, SearchRequest(query=query, mode=mode))
    hint = found.hint or ""
    assert ("The query cites" in hint) is (unheld is not None)
    assert (unheld or "") in hint


@pytest.mark.parametrize("typed", ["xarbor", "parbor", "karbor xommission"])
def test_no_word_is_meant_that_begins_otherwise(snapshot, typed):
    assert "Did you mean" not in told(snapshot, SearchRequest(query=typed))


def test_each_word_is_led_to_one_that_begins_as_it_does(snapshot):
    """Though words of all the provisions that were looked through are known."""
    assert "`commission harbor`" in told(snapshot, SearchRequest(query="comission harbr"))


def test_filters_that_no_provision_passes_are_told(snapshot):
    city = next(body for body in snapshot.code_bodies if body.jurisdiction == "sample-city")
    request = SearchRequest(query="harbor", jurisdiction="us", code_body=UUID(city.id))
    assert SearchService().search(snapshot, request).hint == told(snapshot, request)
    assert "No provision that is held passes all of the filters" in told(snapshot, request)
    assert "No provision" not in told(snapshot, SearchRequest(query="harbor", jurisdiction="us"))


@pytest.mark.parametrize("mode", Mode)
def test_filters_that_leave_out_what_the_words_match_are_told_with_how_much_it_is(snapshot, mode):
    without = snapshot.keyword.search("harbor", filters=Filters(), limit=0).total
    assert without > 1
    left_out = SearchRequest(query="harbor", mode=mode, statuses=("repealed",))
    assert f"match {without} provisions" in told(snapshot, left_out)
    assert "near enough" in told(snapshot, SearchRequest(query="harbor", mode=mode))


def test_law_that_is_not_in_force_is_told_where_the_words_match_no_other(snapshot):
    request = SearchRequest(query="once governed", mode=Mode.KEYWORD)
    hint = SearchService().search(snapshot, request).hint
    assert hint is not None
    assert "1 provision, is not in force" in hint
    assert hint == told(snapshot, request)


def test_one_word_in_common_is_left_out_where_it_would_be_no_match(snapshot):
    hybrid = SearchRequest(query="governed harbor zebra lemon", statuses=("reserved",))
    assert snapshot.keyword.search(hybrid.query, filters=Filters(), limit=0).is_lenient
    assert "near enough" in told(snapshot, hybrid)
    assert "leave out" in told(snapshot, replace(hybrid, mode=Mode.KEYWORD))


def test_the_work_for_words_that_no_law_has_is_bounded(monkeypatch):
    """As provisions have thousands of words, of which hundreds begin alike."""
    letters = "bdfghjklmnpqrstvwxyz"
    words = [f"con{a}{b}{c}tor" for a in letters for b in letters for c in letters]
    law: Any = SimpleNamespace(
        keyword=SimpleNamespace(knows_word=lambda _: False, spelled_like=lambda *_, **__: range(20)),
        nodes=SimpleNamespace(heading=lambda _: "Contractor", text=lambda row: " ".join(words[row::20])),
        passing=lambda _: np.ones(20, bool),
    )
    compared = []

    class Counted(SequenceMatcher[str]):
        def set_seq1(self, a):
            compared.append(a)
            super().set_seq1(a)

    monkeypatch.setattr(hints, "SequenceMatcher", Counted)
    typed = " ".join(f"con{letter}bbtors" for letter in letters[:8])
    assert typed.replace("tors", "tor") in told(law, SearchRequest(query=typed))
    assert 100 < len(set(compared)) < len(compared) < 2_000
    assert all(word.startswith("con") for word in compared if word)


@pytest.mark.parametrize("mode", Mode)
def test_what_is_cited_and_left_out_is_told_with_its_status(cited, mode):
    search = SearchService().search
    for query in ("1 S.F.C. § 8", "1 S.F.C. § 8 lamps"):
        found = search(cited, SearchRequest(query=query, mode=mode))
        assert "not in force, and not among the results: `1 S.F.C. § 8` (repealed)." in (found.hint or "")
    moved = search(cited, SearchRequest(query="1 S.F.C. § 13", mode=mode))
    assert "`1 S.F.C. § 13` (renumbered, and now `1 S.F.C. § 5`)." in (moved.hint or "")
    assert [one.successor for one in moved.left_out] == ["1 S.F.C. § 5"]
    several = search(cited, SearchRequest(query="1 S.F.C. §§ 8-12", mode=mode))
    assert "(expired) and 2 more." in (several.hint or "")
    shown = search(cited, SearchRequest(query="1 S.F.C. § 8", mode=mode, statuses=()))
    assert (shown.items[0].citation, shown.left_out) == ("1 S.F.C. § 8", ())


def test_where_nothing_else_is_found_what_is_left_out_is_told_alone(cited):
    dead = LeftOut(citation="1 S.F.C. § 8", node_id=str(UUID(int=8)), status="repealed")
    live = LeftOut(citation="1 S.F.C. § 5", node_id=str(UUID(int=5)), status="in_force")
    request = SearchRequest(query="1 S.F.C. §§ 5, 8")
    assert hint_for(cited, request, left_out=[dead]) == (
        "What the query cites is not in force, and not among the results: `1 S.F.C. § 8` (repealed). "
        "The text is read by the citation."
    )
    assert hint_for(cited, request, left_out=[live, dead]) == (
        "The filters leave out what the query cites: `1 S.F.C. § 5` (in force), `1 S.F.C. § 8` (repealed). "
        "The text is read by the citation."
    )
