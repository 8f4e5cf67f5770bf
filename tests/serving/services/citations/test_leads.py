"""Provisions that a search cites lead its results in every mode, once, and only where the filters let them through."""

from uuid import UUID

import pytest

from serving.contract.ranking import FEATURES
from serving.services.citations.leads import find_leads
from serving.services.requests import Mode, SearchRequest
from serving.services.search import SearchService
from serving.snapshot.filters import Filters
from serving.snapshot.ranker import Ranker

MODES = pytest.mark.parametrize("mode", list(Mode))


@pytest.fixture(scope="module")
def service() -> SearchService:
    return SearchService()


@pytest.fixture
def search(service, snapshot):
    def run(query, **options):
        return service.search(snapshot, SearchRequest(query=query, **options))

    return run


def marked(results):
    return [item.citation for item in results.items if item.matched.citation]


@MODES
@pytest.mark.parametrize(
    "query",
    [
        "1 S.F.C. § 7",
        "1 sfc 7",
        "section 7 of title 1, S.F.C.",
        "1 S.F.C. § 7(a)(1)",
        "Fair Works Act",
        "FWA",
    ],
)
def test_the_provision_that_is_cited_leads(search, mode, query):
    results = search(query, mode=mode)
    assert results.items[0].citation == "1 S.F.C. § 7"
    assert marked(results) == ["1 S.F.C. § 7"]


@MODES
def test_what_no_arm_finds_leads_nevertheless(search, mode):
    results = search("General Provisions Act", mode=mode, limit=100)
    assert marked(results) == ["1 S.F.C. § 5", "1 S.F.C. ch. 1"]
    assert [item.level for item in results.items[:2]] == ["section", "chapter"]
    assert search("FWA", mode=mode).items[0].citation == "1 S.F.C. § 7"


def test_lead_that_matches_no_word_is_counted_once(search):
    results = search("FWA", mode=Mode.KEYWORD, facets=True)
    assert (results.total, marked(results)) == (1, ["1 S.F.C. § 7"])
    assert (results.items[0].matched.keyword_rank, results.items[0].score > 0) == (None, True)
    assert [(entry.value, entry.count) for entry in results.facets["level"]] == [("section", 1)]


def test_what_leads_is_counted_where_nothing_else_is_a_match(search):
    # The act's sections hold one of the words, and nothing means what the query does.
    results = search("fwa work saxophone jazz bebop trumpet", facets=True)
    assert (results.total, len(results.items), results.hint) == (3, 3, None)
    assert [(entry.value, entry.count) for entry in results.facets["level"]] == [("section", 3)]


@MODES
@pytest.mark.parametrize(
    ("query", "leads"),
    [
        ("penalties under the Fair Works Act", ["1 S.F.C. § 7"]),
        ("fwa copies", ["1 S.F.C. § 7"]),
        ("What is the lantern law?", ["1 S.F.C. § 9", "1 S.F.C. § 7"]),
        ("harbor pass", ["1 S.F.C. § 5"]),
        ("Harbor Pass and the Fair Works Act", ["1 S.F.C. § 5", "1 S.F.C. § 7"]),
        ("lamp", ["1 S.F.C. § 9", "1 S.F.C. § 7"]),
        ("lamp at night", ["1 S.F.C. § 9", "1 S.F.C. § 7"]),
        ("lamp of a lantern", ["1 S.F.C. § 9", "1 S.F.C. § 7"]),
    ],
)
def test_act_that_is_named_leads(search, mode, query, leads):
    found = marked(search(query, mode=mode))
    # Among other words the ranker orders the places of acts.
    assert (sorted(found) if mode is Mode.HYBRID else found) == (
        sorted(leads) if mode is Mode.HYBRID else leads
    )


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("penalties under the Fair Works Act", {"1 S.F.C. § 7": 1.0}),
        ("who pays penalties and costs under the Fair Works Act", {"1 S.F.C. § 7": 1 / 3}),
        ("Harbor Pass and the Fair Works Act", {"1 S.F.C. § 5": 1.0, "1 S.F.C. § 7": 0.5}),
        ("Fair Works Act", {}),
        ("section 7 of the Fair Works Act", {}),
    ],
)
def test_a_name_weighs_the_more_the_fewer_other_words_there_are(query, named, snapshot):
    leads = find_leads(snapshot, query, Filters())
    assert {snapshot.nodes.citation(row): share for row, share in leads.named.items()} == pytest.approx(named)
    assert set(leads.first) | set(leads.named) == set(leads.rows)


def test_a_ranker_of_before_puts_the_places_of_a_named_act_first(search, snapshot, monkeypatch):
    query = "copies of a lamp and a book for the harbor under the Fair Works Act"
    (lead,) = find_leads(snapshot, query, Filters()).rows
    weights = snapshot.ranker.weights.copy()
    weights[FEATURES.index("named_act")] = 0
    assert search(query).items[0].score < 1
    monkeypatch.setitem(snapshot.__dict__, "ranker", Ranker(weights))
    first = search(query).items[0]
    assert (first.citation, first.score > 1) == (snapshot.nodes.citation(lead), True)


@pytest.mark.parametrize("query", ["Fair Works Act", "penalties under the Fair Works Act"])
def test_what_stands_beside_a_named_act_is_proposed_in_hybrid_mode(search, query):
    beside = [item.citation for item in search(query, limit=100).items if item.matched.named_act]
    assert sorted(beside) == ["1 S.F.C. § 5", "1 S.F.C. § 9"]
    for mode in (Mode.KEYWORD, Mode.SEMANTIC):
        assert not any(item.matched.named_act for item in search(query, mode=mode, limit=100).items)


def test_beside_a_citation_nothing_is_proposed(search):
    assert not any(item.matched.named_act for item in search("1 S.F.C. § 7", limit=100).items)


def test_what_stands_beside_two_places_is_nearer(snapshot):
    def beside(query, **filters):
        found = find_leads(snapshot, query, Filters(**filters)).beside
        return {snapshot.nodes.citation(row): near for row, near in found.items()}

    assert beside("Fair Works Act") == {"1 S.F.C. § 5": 1 / 2, "1 S.F.C. § 9": 1 / 2}
    # Sections 9 and 7: the one is two steps away, the other one; section 8 is repealed.
    assert beside("What is the lantern law?") == {"1 S.F.C. § 5": pytest.approx(1 / 3 + 1 / 2)}
    assert beside("Fair Works Act", statuses=("in_force", "repealed"))["1 S.F.C. § 8"] == 1 / 2
    assert not beside("Fair Works Act", level="chapter")


@pytest.mark.parametrize(
    "query",
    [
        "lamp copies",
        "works act",
        "fair works",
        "Virginia Fair Works Act copies",
        "fair works acts",
        "act",
        "the",
    ],
)
def test_words_that_name_no_act_do_not_lead(search, query):
    assert marked(search(query)) == []


@MODES
def test_members_of_a_list_lead_in_its_order(search, mode):
    results = search("Sample Code §§ 2-9, 2-3", mode=mode)
    assert marked(results) == ["Sample Code § 2-9", "Sample Code § 2-3"]
    assert [item.citation for item in results.items[:2]] == marked(results)


@MODES
def test_dead_provision_leads_only_where_its_status_is_searched(search, mode):
    assert marked(search("1 S.F.C. § 8", mode=mode)) == []
    assert marked(search("1 S.F.C. § 8", mode=mode, statuses=("repealed",))) == ["1 S.F.C. § 8"]


@MODES
def test_provision_outside_the_filters_does_not_lead(search, body, mode):
    assert marked(search("1 S.F.C. § 7", mode=mode, jurisdiction="sample")) == []
    assert marked(search("City Code § 1", mode=mode, jurisdiction="sample")) == ["City Code § 1"]
    other, own = UUID(body("sample-code")), UUID(body("us-sample"))
    assert marked(search("1 S.F.C. § 7", mode=mode, code_body=other)) == []
    assert marked(search("1 S.F.C. § 7", mode=mode, code_body=own)) == ["1 S.F.C. § 7"]


@pytest.mark.parametrize(
    "query",
    ["permit", "lamps that 1 S.F.C. § 7 calls fair use", "fair use", "Sample Code § 2-999", "title 9 team"],
)
def test_query_that_cites_no_provision_is_searched_as_words(search, query):
    assert marked(search(query)) == []
    results = search(query, mode=Mode.KEYWORD)
    assert marked(results) == []
    assert results.total > 0


@MODES
@pytest.mark.parametrize("limit", [3, 7, 50])
def test_paging_with_leads_neither_repeats_nor_skips(search, mode, limit):
    query = "Sample Code §§ 2-250, 2-17, 2-3"
    first = search(query, mode=mode, limit=limit, facets=True)
    pages = [search(query, mode=mode, limit=limit, page=page) for page in range(1, first.total // limit + 3)]
    items = [item for page in pages for item in page.items]
    assert len(items) == len({item.node_id for item in items}) == first.total
    assert [item.citation for item in items[:3]] == [f"Sample Code § 2-{num}" for num in (250, 17, 3)]
    assert [item.matched.citation for item in items] == [True] * 3 + [False] * (first.total - 3)
    assert {page.total for page in pages} == {first.total}
    assert sum(entry.count for entry in first.facets["level"]) == first.total
    scores = [item.score for item in items]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("1 S.F.C. § 5 lamps of harbors", ["1 S.F.C. § 5"]),
        ("lamps of harbors under 1 S.F.C. § 5(a)", ["1 S.F.C. § 5"]),
        ("what does 1 S.F.C. § 5 say of lamps", ["1 S.F.C. § 5"]),
        ("lamps: 1 S.F.C. §§ 5, 7", ["1 S.F.C. § 5", "1 S.F.C. § 7"]),
        ("4 S.F.C. § 107, lamps, and 4 S.F.C. § 108", ["4 S.F.C. § 107", "4 S.F.C. § 108"]),
        ("Sample Code § 1-1 lamps", ["Sample Code § 1-1"]),
        # Within what is asked for, as in an excerpt of the law.
        ("lamps that 1 S.F.C. § 5 allows in harbors", []),
        # Another law than that of today.
        ("lamps in former 4 S.F.C. § 107", []),
        ("4 S.F.C. § 107 (1909) lamps", []),
        ("lamps: 1 S.F.C. § 99", []),
        ("lamps: 1 S.F.C. § 8", []),
        ("lamps of harbors", []),
    ],
)
def test_a_citation_before_or_behind_what_is_asked_of_it_leads(cited, query, first):
    assert [cited.nodes.citation(row) for row in find_leads(cited, query, Filters()).first] == first


@pytest.mark.parametrize(
    ("query", "filters", "left_out"),
    [
        ("1 S.F.C. § 8", {}, [("1 S.F.C. § 8", "repealed", None)]),
        ("1 S.F.C. § 8 lamps", {}, [("1 S.F.C. § 8", "repealed", None)]),
        ("1 S.F.C. §§ 7-9", {}, [("1 S.F.C. § 8", "repealed", None), ("1 S.F.C. § 9", "omitted", None)]),
        ("1 S.F.C. § 13", {}, [("1 S.F.C. § 13", "renumbered", "1 S.F.C. § 5")]),
        ("1 S.F.C. § 8", {"statuses": ("repealed",)}, []),
        ("1 S.F.C. § 5", {"statuses": ("repealed",)}, [("1 S.F.C. § 5", "in_force", None)]),
        ("Sample Code § 1-1", {"level": "title"}, [("Sample Code § 1-1", "in_force", None)]),
        ("1 S.F.C. § 5", {}, []),
        ("1 S.F.C. § 99", {}, []),
        ("lamps that 1 S.F.C. § 8 allows in harbors", {}, []),
        ("former 1 S.F.C. § 8", {}, [("1 S.F.C. § 8", "repealed", None)]),
    ],
)
def test_what_is_cited_and_does_not_pass_the_filters_is_told(cited, query, filters, left_out):
    told = find_leads(cited, query, Filters(**filters)).left_out
    assert [(one.citation, one.status, one.successor) for one in told] == left_out
    assert all(cited.nodes.citation(cited.nodes.find(UUID(one.node_id))) == one.citation for one in told)
