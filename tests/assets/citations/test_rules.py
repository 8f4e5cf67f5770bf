"""Members, spellings, doubtful references, readings in processes, and how the gates are judged."""

from typing import Any

import pytest

from assets.citations import reading
from assets.citations.bare import Read, without_doubtful
from assets.citations.citing import Citing, load_citing
from assets.citations.members import members_of
from assets.citations.quality import round_trip_verdict, second_reader_verdict, spellings_verdict
from assets.citations.reading import Passage, read_citations
from assets.citations.spellings import spell
from assets.registry import Registry
from serving.contract.citations import CitingContext, Grammar, parse_within, read_one
from tests.conftest import CHECKOUT


@pytest.fixture(scope="module")
def citing(registry: Registry) -> Citing:
    return load_citing(CHECKOUT / "datasets" / "citations", registry, ["us-usc", "dc-code"])


@pytest.fixture(scope="module")
def grammar(citing: Citing) -> Grammar:
    return citing.grammar()


@pytest.mark.parametrize(
    ("citation", "members"),
    [
        ("17 U.S.C. § 107", []),
        ("24 U.S.C. §§ 1, 2", ["24 U.S.C. § 1", "24 U.S.C. § 2"]),
        ("24 U.S.C. §§ 1 to 3", ["24 U.S.C. § 1", "24 U.S.C. § 2", "24 U.S.C. § 3"]),
        ("45 U.S.C. §§ 22 to 24a", ["45 U.S.C. § 22", "45 U.S.C. § 23", "45 U.S.C. § 24", "45 U.S.C. § 24a"]),
        ("27 U.S.C. §§ 63a to 63c", ["27 U.S.C. § 63a", "27 U.S.C. § 63b", "27 U.S.C. § 63c"]),
        ("15 U.S.C. §§ 78a to 78pp", ["15 U.S.C. § 78a", "15 U.S.C. § 78pp"]),
        ("18 U.S.C. app. §§ 1201, 1202", ["18 U.S.C. app. § 1201", "18 U.S.C. app. § 1202"]),
        (
            "Inspector General Act of 1978 §§ 8B to 8D, 5 U.S.C. app.",
            [f"Inspector General Act of 1978 § 8{letter}, 5 U.S.C. app." for letter in "BCD"],
        ),
    ],
)
def test_members_of_lists_and_ranges(grammar: Grammar, citation: str, members: list[str]) -> None:
    assert list(members_of(citation, grammar)) == members


def test_a_range_that_is_too_long_is_known_by_its_ends(grammar: Grammar) -> None:
    assert members_of("42 U.S.C. §§ 1 to 90000", grammar) == ("42 U.S.C. § 1", "42 U.S.C. § 90000")


@pytest.mark.parametrize(
    "citation",
    [
        "17 U.S.C. § 107",
        "42 U.S.C. § 2000e-2",
        "D.C. Code § 29-801.02",
        "Fed. R. Civ. P. 12",
        "50 U.S.C. app. § 5",
        "24 U.S.C. §§ 1, 2",
    ],
)
def test_spellings_differ_and_can_be_read(grammar: Grammar, citation: str) -> None:
    spellings = spell(citation, grammar)
    texts = [spelling.text for spelling in spellings]
    assert len(set(texts)) == len(texts) == 10
    assert citation not in texts
    for text in texts:
        read = read_one(text, grammar)
        assert isinstance(read, tuple), text


def test_a_citation_of_no_scheme_has_no_spellings(grammar: Grammar) -> None:
    assert spell("Chapter 7", grammar) == []


HOME = CitingContext("us-usc", "17", "107", implicit_title=True)


def _kept(text: str, grammar: Grammar, known: set[str]) -> list[str]:
    exact = {citation.start for citation in parse_within(text, grammar, CitingContext("us-usc", "17", "107"))}
    read = [Read(citation, citation.start not in exact) for citation in parse_within(text, grammar, HOME)]
    kept = without_doubtful(text, read, lambda citation: citation.target in known)
    return [entry.citation.target for entry in kept]


KNOWN = {f"17 U.S.C. § {number}" for number in (101, 102, 106, 110, 501)}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Subject to sections 106 and 110, the owner may sue.", ["106", "110"]),
        ("as sections 102, 110, and 101, respectively, of title 41 say", []),
        ("under section 101 and section 102(b) of the Clean Air Act", ["102"]),
        ("under section 106. The Clean Air Act is another matter.", ["106", "Act"]),
        ("under section 230, or under section 106 as in force", []),
        ("under section 230. A suit under section 501 is timely.", ["501"]),
        ("under section 106 of this title, or section 999 of this title", ["106", "999"]),
        ("under chapter 7 of title 17-A of the Municipal Regulations", []),
        ("a report under section 106 of this title of the President’s intention", ["106"]),
        ("except sections 101 and 102 (15 U.S.C. 45(m), 57a)", ["45", "57a"]),
    ],
)
def test_a_bare_number_in_doubt_is_left_out(grammar: Grammar, text: str, kept: list[str]) -> None:
    assert [target.rpartition(" ")[2] for target in _kept(text, grammar, KNOWN)] == kept


def test_readings_in_processes_are_those_of_one(
    citing: Citing, grammar: Grammar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_BATCH", 7)
    passages = [
        Passage(f"See section {number}; also 42 U.S.C. § {number}.", HOME, "us-usc") for number in range(50)
    ]
    here = list(read_citations(passages, citing, characters=0))
    there = list(read_citations(passages, citing, characters=reading.IN_PROCESS + 1))
    assert here == there
    assert [len(read) for read in here] == [2] * 50
    assert all([entry.bare for entry in read] == [True, False] for read in here)


def _report(**changes: Any) -> dict[str, Any]:
    figures = {
        "examined": 10,
        "resolved": 10,
        "share": 1.0,
        "required": 0.995,
        "nodes": 1,
        "ambiguous": [],
        "failures": [],
        "byForm": {},
    }
    reader = {
        "name": "eyecite",
        "installed": True,
        "examined": 5,
        "silent": 5,
        "agreed": 5,
        "shorter": [],
        "disagreements": [],
        "shorterCount": 0,
    }
    citations = {
        "roundTrip": {**figures, **changes},
        "spellings": {**figures, **changes},
        "secondReader": {**reader, **changes},
    }
    return {"citations": citations}


FAILURE = {"citation": "1 X § 1", "text": "1 x 1", "form": "no sign", "outcome": "unparsed"}


def test_the_gates_pass_where_all_is_well() -> None:
    for judge in (round_trip_verdict, spellings_verdict, second_reader_verdict):
        verdict = judge(_report())
        assert verdict.passed
        assert not verdict.findings
        assert verdict.examined == 10


def test_one_citation_astray_stops_a_publication() -> None:
    verdict = round_trip_verdict(_report(resolved=9, share=0.9, failures=[FAILURE]))
    assert not verdict.passed
    assert verdict.findings[0].code == "citation_astray"


def test_failures_beyond_those_listed_stop_it_too() -> None:
    assert not round_trip_verdict(_report(resolved=9, failures=[])).passed


def test_a_shared_number_is_listed_and_stops_nothing() -> None:
    verdict = round_trip_verdict(_report(ambiguous=["10 U.S.C. § 130g"]))
    assert verdict.passed
    assert [finding.where for finding in verdict.findings] == ["10 U.S.C. § 130g"]


@pytest.mark.parametrize(("share", "passed"), [(0.9949, False), (0.9951, True)])
def test_spellings_may_fail_a_little(share: float, passed: bool) -> None:
    verdict = spellings_verdict(_report(share=share, failures=[FAILURE]))
    assert verdict.passed is passed
    assert any(finding.code == "spelling_astray" for finding in verdict.findings), "each is named"


def test_readers_that_disagree_stop_a_publication() -> None:
    entry = {"text": "17 U.S.C. § 107", "ours": "17 | 107", "theirs": "17 | 170"}
    assert not second_reader_verdict(_report(disagreements=[entry])).passed
    assert second_reader_verdict(_report(shorter=[entry], shorterCount=1)).passed


def test_a_second_reader_that_is_missing_is_named() -> None:
    verdict = second_reader_verdict(_report(installed=False))
    assert verdict.passed
    assert [finding.code for finding in verdict.findings] == ["second_reader_missing"]
