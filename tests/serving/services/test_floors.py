"""The floor below which nothing is a match: nonsense finds nothing, and no real question loses its answer."""

import pytest

from serving.services.floors import least_likeness, least_similarity
from serving.services.requests import Mode, SearchRequest
from serving.services.search import SearchService

NONSENSE = ["asdfghjkl", "qwertyuiop", "xqzzt vblorp", "???", "12345678901234567890", "💥"]


@pytest.fixture(scope="module")
def find(snapshot):
    service = SearchService()

    def run(query, **more):
        return service.search(snapshot, SearchRequest(query=query, **more))

    return run


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("query", NONSENSE)
def test_nonsense_finds_nothing_and_counts_nothing(find, mode, query):
    results = find(query, mode=mode, facets=True)
    assert (results.items, results.total) == ((), 0)
    assert all(not counts for counts in results.facets.values())
    assert results.hint


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.SEMANTIC])
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("may a teacher copy parts of a book for her class", "1 S.F.C. § 7"),
        ("how loud may a party on a boat be after dark", "City Code § 1"),
        ("fine for copying somebody's work", "1 S.F.C. § 9"),
    ],
)
def test_questions_in_other_words_find_their_provision(find, mode, question, answer):
    results = find(question, mode=mode)
    assert answer in [item.citation for item in results.items[:5]]
    assert results.hint is None


@pytest.mark.parametrize(("query", "is_asked"), [("29-102", False), ("29.84.010", False), ("§ 5 bond", True)])
def test_a_mere_number_is_like_no_question(snapshot, query, is_asked):
    assert (least_likeness(snapshot, query) < 1) is is_asked


def test_all_that_a_semantic_search_finds_lies_above_the_floor(find, snapshot):
    results = find("noise at night", mode=Mode.SEMANTIC, limit=100)
    scores = [item.score for item in results.items]
    assert min(scores) >= least_similarity(snapshot, "noise at night")
    assert results.total == len(scores) < 100, "the law has more provisions than come near"


def test_one_word_in_common_is_no_match_where_the_meaning_is_far_off(find):
    query = "holder saxophone jazz bebop trumpet"
    assert find(query, mode=Mode.KEYWORD).total > 0, "asked by words, one is enough"
    assert find(query, facets=True).total == 0


def test_a_word_of_the_law_has_a_lower_floor_than_none(snapshot):
    known, unknown = (least_similarity(snapshot, query) for query in ("harbor", "asdfghjkl"))
    assert 0 < known < unknown < 1


def test_a_citation_is_found_whatever_its_words_mean(find):
    assert find("1 SFC 7").items[0].citation == "1 S.F.C. § 7"
