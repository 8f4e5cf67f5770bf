"""Keyword search: what matches, in which order, under which filters; and queries that no one foresaw."""

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.contract.identity import code_body_id
from serving.snapshot.facets import Facets
from serving.snapshot.filters import Filters
from serving.snapshot.keyword import WHOLE_BOOST, KeywordHits, required
from serving.snapshot.query import query_parser
from serving.snapshot.store import Snapshot

Row = Callable[[str], int]
IN_FORCE = Filters()
ALL = Filters(statuses=())


def _search(snapshot: Snapshot, query: str, filters: Filters = IN_FORCE, **options: bool) -> KeywordHits:
    return snapshot.keyword.search(query, filters=filters, limit=20, **options)


def _citations(snapshot: Snapshot, query: str, filters: Filters = IN_FORCE) -> list[str]:
    return [snapshot.nodes.citation(row) for row in _search(snapshot, query, filters).rows]


@pytest.mark.parametrize(
    ("query", "citation"),
    [
        ("return of a security deposit", "1 Sample Code § 102"),
        ("how long may a landlord keep my deposit?", "1 Sample Code § 102"),
        ("REGISTERED AGENTS", "Sample City Code § 29-801.02"),
        ("29-801.02", "Sample City Code § 29-801.02"),
        ("29–801.02", "Sample City Code § 29-801.02"),
        ("§ 29-801.02", "Sample City Code § 29-801.02"),
        ("Sample City Code § 29-801.02(a)", "Sample City Code § 29-801.02"),
        ("1 Sample Code § 102", "1 Sample Code § 102"),
        ("1 Sample Code 102(b)", "1 Sample Code § 102"),
        ("42 U.S.C. 2000e-1", "1 Sample Code § 102a"),
        ("42 usc 2000e–1", "1 Sample Code § 102a"),
        ("naive facade", "1 Sample Code § 102a"),
        ('"keeps a registered agent"', "Sample City Code § 29-801.02"),
        ("“treble damages” landlord", "1 Sample Code § 102"),
        ("title 2", "Title 2, Sample Code"),
    ],
)
def test_the_provision_meant_comes_first(query: str, citation: str, snapshot: Snapshot) -> None:
    assert _citations(snapshot, query)[0] == citation


def test_a_phrase_must_stand_as_it_is_quoted(snapshot: Snapshot) -> None:
    assert _citations(snapshot, '"landlord shall return"') == ["1 Sample Code § 102"]
    assert _citations(snapshot, '"return landlord shall"') == []


def test_a_phrase_does_not_run_from_the_heading_into_the_text(snapshot: Snapshot) -> None:
    assert _citations(snapshot, '"wells no person"') == []


def test_words_in_a_row_are_found_within_one_code_body(snapshot: Snapshot) -> None:
    row = _search(snapshot, "return of a security deposit").rows[0]
    body = snapshot.nodes.code_body(row).id
    words = " ".join(snapshot.nodes.text(row).split()[:6])
    assert row in snapshot.keyword.with_phrase(words, code_body=body, limit=5)
    assert snapshot.keyword.with_phrase(" ".join(reversed(words.split())), code_body=body, limit=5) == []
    assert snapshot.keyword.with_phrase(words, code_body=str(code_body_id("no-code")), limit=5) == []
    assert snapshot.keyword.with_phrase("—", code_body=body, limit=5) == []


def test_sections_come_before_their_containers(snapshot: Snapshot) -> None:
    levels = [snapshot.nodes.level(row) for row in _search(snapshot, "security deposits").rows]
    assert levels[0] == "section"
    assert "chapter" in levels


def test_a_match_holds_as_many_words_as_any_provision_up_to_most(snapshot: Snapshot) -> None:
    assert _citations(snapshot, "well permit") == ["2 Sample Code § 201"]
    assert set(_citations(snapshot, "well xylophone")) == {"2 Sample Code § 201"}
    assert [required(words) for words in range(9)] == [0, 1, 2, 2, 3, 3, 3, 3, 3]


@pytest.mark.parametrize(
    ("query", "citation"),
    [
        ("can my landlord just keep my deposit after i got kicked out of zanzibar", "1 Sample Code § 102"),
        ("is it ok if i dont have a permit for a xylophone", "Sample City Code § 29-102"),
        (
            "who do i tell when somebody takes up residence as registered agent",
            "Sample City Code § 29-801.02",
        ),
    ],
)
def test_a_sentence_is_never_emptied_by_its_words_of_talk(
    query: str, citation: str, snapshot: Snapshot
) -> None:
    assert _citations(snapshot, query)[0] == citation


def test_words_of_talk_count_where_they_are_not_talk() -> None:
    parse = query_parser().parse
    assert parse("back pay").groups == (("back",), ("pay",))
    assert parse("can i get back pay").groups == (("pay",),)
    assert parse("what is it that i want").groups == (("want",),)
    assert (parse("back pay").asks, parse("can i get back pay").asks) == (False, True)


@pytest.mark.parametrize(
    "query", ["well permit", "deposit landlord tenant", "deposit of a zebra", '"treble damages"']
)
def test_candidates_come_in_the_order_of_matches_and_hold_them_all(query: str, snapshot: Snapshot) -> None:
    matches = _search(snapshot, query).rows
    candidates = snapshot.keyword.candidates(query, filters=IN_FORCE, limit=100)
    assert [row for row in candidates if row in matches] == matches
    assert len(set(candidates)) == len(candidates)
    assert snapshot.keyword.candidates(query, filters=IN_FORCE, limit=1) == candidates[:1]


def test_scores_of_words_are_shares(snapshot: Snapshot, row: Row) -> None:
    deposit, well = row("/sample/code/t1/s102"), row("/sample/code/t2/s201")
    scores = snapshot.keyword.score("return of a security deposit", [well, deposit])
    for column in (scores.relevance, scores.held, scores.in_heading, scores.pairs):
        assert column[0] == 0
        assert 0 < column[1] <= 1.0001
    assert scores.held[1] == pytest.approx(1)
    assert len(scores.rarity) == 3
    assert min(scores.rarity) > 0
    assert scores.in_citation.tolist() == [0, 0]
    numbered = snapshot.keyword.score("deposit under section 102 of 1999", [well, deposit])
    assert numbered.in_citation.tolist() == [0, 0.5]
    nothing = snapshot.keyword.score("???", [well])
    assert [float(column[0]) for column in nothing[:5]] == [0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    "query",
    [
        "deposit",
        "deposit landlord",
        "deposit landlord tenant",
        "landlord permit well",
        "deposit landlord tenant return",
        "deposit return treble landlord",
        "deposit landlord tenant return days",
        "landlord deposit tenant security permit keeps",
    ],
)
def test_words_add_up_and_all_of_them_count_more(query: str, snapshot: Snapshot) -> None:
    words = query.split()
    alone: list[dict[int, float]] = []
    for word in words:
        hits = snapshot.keyword.search(word, filters=ALL, limit=100)
        alone.append(dict(zip(hits.rows, hits.scores, strict=True)))
    held = {row: [scores[row] for scores in alone if row in scores] for row in set().union(*alone)}
    hits = snapshot.keyword.search(query, filters=ALL, limit=100)
    assert set(hits.rows) == {row for row, scores in held.items() if len(scores) >= required(len(words))}
    for row, score in zip(hits.rows, hits.scores, strict=True):
        whole = sum(held[row])
        if len(held[row]) < len(words) or len(words) == 1:
            assert score == pytest.approx(whole)
        else:  # a heading's words are counted once
            assert whole * 1.0001 < score <= whole * (1.0001 + WHOLE_BOOST)


def test_words_of_grammar_are_left_out_unless_nothing_else_is_there(snapshot: Snapshot) -> None:
    assert _citations(snapshot, "what is the fee for a permit")[0] == "Sample City Code § 29-102"
    assert _search(snapshot, "the").total > 3


def test_dead_provisions_are_out_unless_asked_for(snapshot: Snapshot) -> None:
    assert "1 Sample Code § 103" not in _citations(snapshot, "repealed")
    assert _citations(snapshot, "repealed", Filters(statuses=("repealed",))) == ["1 Sample Code § 103"]
    assert "1 Sample Code § 103" in _citations(snapshot, "repealed", ALL)


def test_a_state_includes_its_city_and_not_the_other_way(snapshot: Snapshot) -> None:
    state = _citations(snapshot, "permit", Filters(jurisdiction="sample"))
    city = _citations(snapshot, "permit", Filters(jurisdiction="sample-city"))
    assert set(state) == {"Sample City Code § 29-102", "2 Sample Code § 201"}
    assert city == ["Sample City Code § 29-102"]
    assert _citations(snapshot, "permit", Filters(jurisdiction="va")) == []


def test_a_code_body_is_a_filter(snapshot: Snapshot) -> None:
    only = Filters(code_body=code_body_id("sample-code"))
    assert _citations(snapshot, "permit", only) == ["2 Sample Code § 201"]


def test_facets_count_all_matches(snapshot: Snapshot) -> None:
    found = snapshot.keyword.search("permit", filters=Filters(), limit=1, facets=True)
    assert found.total == 2
    assert len(found.rows) == 1
    assert found.facets is not None
    assert {(entry.value, entry.count) for entry in found.facets.jurisdiction} == {
        ("sample", 1),
        ("sample-city", 1),
    }
    assert {entry.value for entry in found.facets.code_body} == {
        str(code_body_id("sample-code")),
        str(code_body_id("sample-city-code")),
    }
    assert [(entry.value, entry.count) for entry in found.facets.level] == [("section", 2)]
    assert [entry.value for entry in found.facets.tag] == ["fees", "permits", "water"]


def test_pages_go_on_where_the_last_ended(snapshot: Snapshot) -> None:
    keyword = snapshot.keyword
    whole = keyword.search("deposit", filters=Filters(), limit=20)
    assert whole.total == len(whole.rows) > 3
    assert whole.scores == sorted(whole.scores, reverse=True)
    pages = [keyword.search("deposit", filters=Filters(), limit=2, offset=first) for first in range(0, 8, 2)]
    assert [row for page in pages for row in page.rows] == whole.rows
    assert {page.total for page in pages} == {whole.total}


def test_past_the_last_page_the_total_stays(snapshot: Snapshot) -> None:
    first = snapshot.keyword.search("security deposit", filters=Filters(), limit=5)
    beyond = snapshot.keyword.search("security deposit", filters=Filters(), limit=5, offset=100)
    assert (beyond.rows, beyond.total) == ([], first.total)


def test_matching_tells_which_rows_the_query_matches(snapshot: Snapshot, row: Row) -> None:
    well, agent = row("/sample/code/t2/s201"), row("/sample-city/code/29-801.02")
    keyword = snapshot.keyword
    assert keyword.matching("well permit", filters=Filters(), rows=[well, agent], least=2) == {well}
    assert keyword.matching("well xylophone", filters=Filters(), rows=[well, agent], least=1) == {well}
    assert keyword.matching("agent", filters=Filters(), rows=[], least=1) == set()
    assert keyword.matching("agent", filters=Filters(jurisdiction="us"), rows=[agent], least=1) == set()


@pytest.mark.parametrize(
    "query",
    [
        "deposit",
        "security deposit",
        "when must the landlord return a security deposit to the tenant",
        '"security deposit"',
        '"security deposit" landlord 30',
        "29-801.02",
        "permit 29-801.02",
        "xylophone",
        "the of a",
        "",
        "???",
    ],
)
@pytest.mark.parametrize(
    "filters", [Filters(), ALL, Filters(jurisdiction="sample-city"), Filters(tag="fees")]
)
def test_what_matches_is_what_a_search_finds(snapshot: Snapshot, query: str, filters: Filters) -> None:
    found = snapshot.keyword.search(query, filters=filters, limit=1000)
    every = list(range(len(snapshot.nodes)))
    matched = snapshot.keyword.matching(query, filters=filters, rows=every, least=found.least)
    assert matched == set(found.rows)
    assert len(matched) == found.total
    counted = snapshot.keyword.search(query, filters=filters, limit=0, facets=True)
    assert (counted.rows, counted.total, counted.least) == ([], found.total, found.least)
    assert counted.facets == snapshot.keyword.search(query, filters=filters, limit=1, facets=True).facets


@pytest.mark.parametrize(
    "query",
    [
        "deposit",
        "when must the landlord return a security deposit to the tenant",
        '"security deposit" landlord 30',
        "permit 29-801.02",
        # More than a score has bits, whichever words are held.
        "deposit landlord tenant permit well agent fee notice water harbor zoning copy registered",
        "the of a",
        "???",
    ],
)
def test_the_words_counted_in_provisions_are_those_of_a_match(snapshot: Snapshot, query: str) -> None:
    every = list(range(len(snapshot.nodes)))
    counted = snapshot.keyword.score(query, every).counted
    parsed = snapshot.keyword.parse(query)
    for least in range(1, 1 + len(parsed.phrases or parsed.groups)):
        found = snapshot.keyword.matching(query, filters=ALL, rows=every, least=least)
        assert found == {row for row in every if counted[row] >= least}
    assert parsed.groups or not counted.any()


def test_many_words_are_each_counted_on_their_own(snapshot: Snapshot, row: Row) -> None:
    deposit = row("/sample/code/t1/s102")
    words = "landlord return security deposit tenant"
    unknown = " ".join(f"xq{letter}" for letter in "abcdefghijklmnopqrst")
    few, many = (snapshot.keyword.score(query, [deposit]) for query in (words, f"{unknown} {words}"))
    assert few.counted == many.counted > 2
    assert few.held * sum(few.rarity) == pytest.approx(many.held * sum(many.rarity))
    assert few.in_heading * sum(few.rarity) == pytest.approx(many.in_heading * sum(many.rarity))


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        "???",
        "§§",
        '""',
        '"',
        "“”",
        "(",
        "AND",
        "OR NOT",
        "+-",
        "\x00",
        "\ud800",
        "*",
        "a:b^2~",
        "[ TO ]",
    ],
)
def test_signs_and_operators_are_no_error(query: str, snapshot: Snapshot) -> None:
    found = _search(snapshot, query, facets=True)
    assert found.total == len(found.rows)


@pytest.mark.parametrize("query", ["???", '""', "—"])
def test_signs_alone_match_nothing(query: str, snapshot: Snapshot) -> None:
    assert _search(snapshot, query, facets=True) == KeywordHits([], [], 0, facets=Facets())


@given(st.text(st.characters(), max_size=500))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_query(snapshot: Snapshot, query: str) -> None:
    found = _search(snapshot, query)
    assert len(found.rows) == len(found.scores) == min(found.total, 20)


@given(st.text('ab1 "“”()-.§–' + "'", max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_arrangement_of_signs_is_a_query(snapshot: Snapshot, query: str) -> None:
    assert _search(snapshot, query, ALL).total <= 12


def test_terms_for_highlights_are_stems() -> None:
    parsed = query_parser().parse('landlords "security deposits" § 29-801.02')
    assert parsed.terms == {"landlord", "secur", "deposit", "29", "801", "02"}
    assert parsed.phrases == (("secur", "deposit"),)
    assert parsed.groups == (("landlord",), ("29", "801", "02"))


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ('fence 6" high and 4" wide', ()),
        ('pipe 12" in diameter or 8" in diameter', ()),
        ('sign letters 6" tall, 2" thick', ()),
        ("sign letters 6½” tall, 2” thick", ()),
        ('boards 2"x4" and 2"x6"', ()),
        ('six (6)" high and 4 " wide', ()),
        ('fence 6" high "public nuisance"', (("public", "nuisanc"),)),
        ('"public nuisance" fence 6" high or 4" wide', (("public", "nuisanc"),)),
    ],
)
def test_marks_of_inches_quote_nothing(query: str, phrases: tuple[tuple[str, ...], ...]) -> None:
    assert query_parser().parse(query).phrases == phrases


def test_words_behind_a_mark_of_inches_are_words() -> None:
    parse = query_parser().parse
    assert parse('fence 6" high and 4" wide') == parse("fence 6 high and 4 wide")


@pytest.mark.parametrize(
    "query",
    [
        '"fair use"',
        "“fair use”",
        "„fair use“",
        '“fair use"',
        '("fair use")',
        'copyright—"fair use"—works',
        '"fair use", works',
        '"Fair Use."',
        'works,"fair use"',
        'see 17 "fair use"',
        "of a “fair use” in “works",
    ],
)
def test_words_between_quotation_marks_are_a_phrase(query: str) -> None:
    assert query_parser().parse(query).phrases == (("fair", "use"),)


def test_a_phrase_may_end_with_a_number() -> None:
    assert query_parser().parse('"§ 107" works').phrases == (("107",),)


def test_a_phrase_within_a_quotation_is_the_phrase() -> None:
    assert query_parser().parse("“the term “fair use” means").phrases == (("fair", "use"),)


def test_what_is_repeated_is_asked_once_and_only_so_much_of_the_rest() -> None:
    parse = query_parser().parse
    assert parse("1(a)" * 125 + '"fair use"' * 9) == replace(parse('1(a) "fair use"'), numbered=("1",) * 32)
    many = parse(" ".join(f"{number}(a)" for number in range(60)) + "".join(f'"{n} use"' for n in range(60)))
    assert (len(many.pinpoints), len(many.phrases), len(many.groups)) == (8, 32, 32)


def test_a_quotation_is_no_number_that_may_be_a_citation() -> None:
    assert query_parser().parse('"fair use" dc code').numbered == ()
    assert query_parser().parse('"fair use" dc code 7').numbered == ("dc", "code", "7")


@pytest.mark.parametrize("text", ["7" * 500, "7a" * 250, "7(a" * 166, "7(a)" * 125, "(" * 500, "a7-" * 166])
def test_long_runs_of_signs_and_digits_are_read_at_once(text: str) -> None:
    started = time.thread_time()
    query_parser().parse(text)
    assert time.thread_time() - started < 0.1
