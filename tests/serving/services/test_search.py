"""Search: modes, filters, totals, facets and paging, on a real snapshot."""

from dataclasses import replace
from uuid import UUID, uuid4

import numpy as np
import pytest

from serving.contract.errors import AbandonedError, ValidationError
from serving.services.requests import Mode, SearchRequest
from serving.services.search import DEPTH, SearchService
from serving.snapshot.filters import Filters

PERMITS = 260


@pytest.fixture(scope="module")
def service() -> SearchService:
    return SearchService()


@pytest.fixture
def search(service, snapshot):
    def run(query, **options):
        return service.search(snapshot, SearchRequest(query=query, **options))

    return run


def citations(results):
    return [item.citation for item in results.items]


@pytest.mark.parametrize("mode", list(Mode))
def test_the_section_that_is_asked_for_comes_first(search, mode):
    results = search("fair use of a protected work", mode=mode)
    assert results.items[0].citation == "1 S.F.C. § 7"


def test_item_describes_its_provision(search, node, body):
    item = search("fair use of a protected work").items[0]
    assert (item.node_id, item.code_body) == (node("/us/sample/t1/s7"), body("us-sample"))
    assert (item.heading, item.jurisdiction, item.level, item.status) == (
        "Fair use",
        "us",
        "section",
        "in_force",
    )
    assert item.tags == ("protected-works",)
    assert (item.matched.keyword_rank, item.matched.semantic_rank, item.matched.citation) == (1, 1, False)
    shown = [item.snippet[start:end] for start, end in item.highlights]
    assert {"fair", "use", "protected", "work"} <= set(shown)


def test_a_like_question_is_a_reason_in_hybrid_mode_alone(search):
    query = "quote from a novel in a book review"
    (first, *_) = search(query).items
    assert (first.citation, first.matched.question) == ("1 S.F.C. § 7", True)
    for mode in (Mode.KEYWORD, Mode.SEMANTIC):
        assert not any(item.matched.question for item in search(query, mode=mode).items)
    assert not any(item.matched.question for item in search("harbor plan").items)


@pytest.mark.parametrize("query", ["1 S.F.C. § 7", "1 SFC 7", "1 s.f.c. §7"])
def test_a_citation_is_recognised(search, query):
    results = search(query)
    assert (results.items[0].citation, results.items[0].matched.citation) == ("1 S.F.C. § 7", True)
    assert [item.matched.citation for item in results.items[1:]] == [False] * (len(results.items) - 1)


def test_keyword_scores_and_ranks_fall(search):
    results = search("harbor", mode=Mode.KEYWORD)
    assert [item.matched.keyword_rank for item in results.items] == list(range(1, len(results.items) + 1))
    assert all(item.matched.semantic_rank is None for item in results.items)
    scores = [item.score for item in results.items]
    assert scores == sorted(scores, reverse=True)


def test_semantic_total_is_the_candidates(search):
    results = search("who must show a permit", mode=Mode.SEMANTIC)
    assert results.total == DEPTH
    assert search("who must show a permit", mode=Mode.SEMANTIC, page=6).items == ()
    assert all(-1.0 <= item.score <= 1.0 + 1e-3 for item in results.items)


def test_words_that_occur_nowhere_match_nothing_by_keyword(search):
    results = search("xylophone", mode=Mode.KEYWORD, facets=True)
    assert (results.items, results.total) == ((), 0)
    assert results.facets == {"jurisdiction": (), "codeBody": (), "level": (), "tag": ()}


@pytest.mark.parametrize("mode", list(Mode))
def test_dead_provisions_are_found_only_when_asked_for(search, mode):
    assert "1 S.F.C. § 8" not in citations(search("old fair use rule", mode=mode, limit=100))
    dead = search("old fair use rule", mode=mode, statuses=("repealed",))
    assert citations(dead) == ["1 S.F.C. § 8"]
    assert dead.items[0].status == "repealed"


@pytest.mark.parametrize("mode", list(Mode))
def test_a_states_scope_includes_its_city(search, mode):
    found = search("harbor", mode=mode, jurisdiction="sample", limit=100)
    assert {item.jurisdiction for item in found.items} == {"sample", "sample-city"}
    city = search("harbor", mode=mode, jurisdiction="sample-city", limit=100)
    assert {item.jurisdiction for item in city.items} == {"sample-city"}
    federal = search("harbor work", mode=mode, jurisdiction="us", limit=100)
    assert {item.jurisdiction for item in federal.items} <= {"us"}


@pytest.mark.parametrize("mode", list(Mode))
def test_one_code_body_can_be_searched_alone(search, body, mode):
    results = search("harbor", mode=mode, code_body=UUID(body("sample-city-code")))
    assert citations(results) == ["City Code § 1"]


def test_listed_jurisdiction_without_law_is_empty(search):
    assert search("harbor", jurisdiction="ca").total == 0


def test_unknown_jurisdiction_names_the_nearest(search):
    with pytest.raises(ValidationError, match=r"sampel.*Nearest: sample") as caught:
        search("harbor", jurisdiction="sampel")
    assert caught.value.parameter == "jurisdiction"
    with pytest.raises(ValidationError, match="Nearest: ca"):
        search("harbor", jurisdiction="Calif.")


@pytest.mark.parametrize("named", ["sample-city", "Sample City (invented)", "SAMPLE  city (Invented)"])
def test_a_place_is_searched_by_its_name_as_by_its_code(search, named):
    found = search("harbor", jurisdiction=named, limit=100)
    assert {item.jurisdiction for item in found.items} == {"sample-city"}


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ("sample-town", "sample"),
        ("ca-los-angeles", "ca"),
        ("sample-citi", "sample-city, sample"),
        ("nowhere-at-all", None),
    ],
)
def test_the_nearest_of_an_unknown_place_is_what_it_lies_in(search, given, nearest):
    with pytest.raises(ValidationError) as caught:
        search("harbor", jurisdiction=given)
    assert (f"Nearest: {nearest}." in caught.value.message) is (nearest is not None)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("name", ["level", "tag"])
def test_a_filter_finds_what_the_facet_counts(search, mode, name):
    whole = search("work permit harbor", mode=mode, facets=True)
    assert whole.facets[name]
    for facet in whole.facets[name]:
        found = search("work permit harbor", mode=mode, facets=True, limit=100, **{name: facet.value})
        for item in found.items:
            assert facet.value in ((item.level,) if name == "level" else item.tags)
        if mode is Mode.KEYWORD:
            assert found.total == facet.count
        else:
            assert found.total >= facet.count, "filtered before the nearest are taken"


def test_a_filter_holds_for_what_is_cited(search):
    assert citations(search("1 S.F.C. § 7", level="section"))[0] == "1 S.F.C. § 7"
    assert "1 S.F.C. § 7" not in citations(search("1 S.F.C. § 7", level="chapter"))
    assert "1 S.F.C. § 7" not in citations(search("1 S.F.C. § 7", tag="definitions"))


@pytest.mark.parametrize(("name", "near"), [("level", "section"), ("tag", "definitions")])
def test_an_unknown_facet_value_is_refused_with_the_nearest(search, name, near):
    with pytest.raises(ValidationError, match=f"Nearest: {near}") as caught:
        search("harbor", **{name: near[:-1] + "x"})
    assert caught.value.parameter == name


def test_values_that_are_few_are_listed_whole(search, monkeypatch):
    with pytest.raises(ValidationError, match="There are chapter, section, title"):
        search("harbor", level="paragraph")
    monkeypatch.setattr("serving.services.known_values._MOST_LISTED", 2)
    with pytest.raises(ValidationError, match="The facet `level` of a search lists all"):
        search("harbor", level="paragraph")


def test_unknown_code_body_is_refused(search):
    with pytest.raises(ValidationError, match=r"Coverage lists all\.") as caught:
        search("harbor", code_body=uuid4())
    assert caught.value.parameter == "codeBody"


@pytest.mark.parametrize("limit", [7, 100])
def test_hybrid_paging_neither_repeats_nor_skips(search, snapshot, limit):
    first = search("permit", limit=limit)
    pages = [search("permit", limit=limit, page=page) for page in range(1, first.total // limit + 3)]
    seen = [item.node_id for page in pages for item in page.items]
    assert len(seen) == len(set(seen)) == first.total
    assert {page.total for page in pages} == {first.total}
    keyword = snapshot.keyword.search("permit", filters=Filters(), limit=1000)
    assert {str(snapshot.nodes.id(row)) for row in keyword.rows} <= set(seen)
    scores = [item.score for page in pages for item in page.items]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    "query",
    [
        "who do i ask for a permit if my boat is in the harbor",
        "harbor works permit number",
        '"permit" harbor',
        "1 S.F.C. § 7",
        "permits zanzibar",
    ],
)
def test_pages_add_up_to_the_total_whatever_is_asked(search, mode, query):
    first = search(query, mode=mode, limit=50, facets=True)
    pages = [search(query, mode=mode, limit=50, page=page) for page in range(1, first.total // 50 + 3)]
    found = [(item.node_id, item.score) for page in pages for item in page.items]
    assert len(found) == len({node for node, _ in found}) == first.total > 0
    assert sum(entry.count for entry in first.facets["jurisdiction"]) == first.total
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.KEYWORD])
def test_a_sentence_with_words_that_no_law_has_still_matches(search, mode):
    results = search("is it ok if my buddy brings his xylophone to the harbor without a permit", mode=mode)
    assert results.total > 0
    assert "harbor" in results.items[0].snippet.lower() or "permit" in results.items[0].snippet.lower()


def test_semantic_scores_are_cosines(search, snapshot):
    query = "who must show a permit"
    vector = snapshot.encoder.encode_query(query)
    for item in search(query, mode=Mode.SEMANTIC, limit=20).items:
        first, last = snapshot.nodes.chunk_range(snapshot.nodes.find(UUID(item.node_id)))
        cosines = snapshot.vectors.passages.similarity(vector, np.arange(first, last))
        assert item.score == pytest.approx(float(cosines.max()), abs=1e-5)


def test_hybrid_scores_lie_between_0_and_1_but_for_what_is_cited(search):
    assert all(0 <= item.score <= 1 for item in search("permit", limit=100).items)
    led, *others = search("1 S.F.C. § 7").items
    assert led.score > 1
    assert all(0 <= item.score <= 1 for item in others)


def test_past_the_fused_depth_hybrid_goes_on_in_keyword_order(search):
    tail = search("permit", limit=50, page=5)
    ranks = [item.matched.keyword_rank for item in tail.items]
    assert ranks == sorted(ranks)
    assert min(ranks) > DEPTH
    assert all(item.matched.semantic_rank is None for item in tail.items)


def test_keyword_pages_follow_each_other(search):
    whole = search("permit", mode=Mode.KEYWORD, limit=100)
    parts = [search("permit", mode=Mode.KEYWORD, limit=25, page=page) for page in range(1, 5)]
    assert [item.node_id for item in whole.items] == [item.node_id for part in parts for item in part.items]
    assert whole.total >= PERMITS


def test_hybrid_total_counts_each_provision_once(search, snapshot):
    request = SearchRequest(query="permit")
    keyword = snapshot.keyword.search("permit", filters=Filters(), limit=1000)
    semantic = snapshot.vectors.search(
        snapshot.encoder.encode_query("permit"), filters=Filters(), limit=DEPTH
    )
    union = {*keyword.rows, *(hit.node_row for hit in semantic)}
    assert search(request.query).total == len(union)


@pytest.mark.parametrize("mode", list(Mode))
def test_facets_add_up_to_the_total(search, mode):
    results = search("permit", mode=mode, facets=True)
    for name in ("jurisdiction", "codeBody", "level"):
        assert sum(entry.count for entry in results.facets[name]) == results.total
        counts = [entry.count for entry in results.facets[name]]
        assert counts == sorted(counts, reverse=True)
    assert results.facets["jurisdiction"][0].value == "sample"
    assert results.facets["codeBody"][0].label == "Sample State Code"
    assert results.facets["level"][0].label == "Section"
    assert "fees" in {entry.value for entry in results.facets["tag"]}


def test_facets_are_absent_unless_asked_for(search):
    assert search("permit").facets is None


def test_long_provision_shows_the_chunk_that_matched(search):
    item = search("matter 57 of the harbor plan", mode=Mode.SEMANTIC, jurisdiction="sample").items[0]
    assert item.citation == "Sample Code § 1-1"
    assert not item.snippet.startswith("(1)")


def test_same_request_gives_the_same_results(search):
    assert search("harbor permit") == search("harbor permit")
    assert search("harbor permit") != replace(search("harbor permit"), total=0)


@pytest.mark.parametrize("typed", ["Sample Code § 1–1", "sample code § 1−1", "SAMPLE CODE 1-1"])
def test_a_citation_is_recognised_whatever_its_dash(search, typed):
    (item, *_) = search(typed).items
    assert (item.citation, item.matched.citation) == ("Sample Code § 1-1", True)


@pytest.mark.parametrize("mode", list(Mode))
def test_an_abandoned_search_stops_between_its_parts(service, snapshot, mode, monkeypatch):
    asked = SearchRequest(query="permit", mode=mode)
    looks: list[int] = []

    def look() -> bool:
        looks.append(1)
        return False

    service.search(snapshot, asked, is_abandoned=look)
    described: list[int] = []
    monkeypatch.setattr("serving.services.search._items", lambda *_: described.append(1))
    for last in range(len(looks)):
        left = [False] * last + [True] * 10
        with pytest.raises(AbandonedError):
            service.search(snapshot, asked, is_abandoned=iter(left).__next__)
    assert len(looks) >= 2
    assert described == []
