"""How the figures of the gates are judged."""

from typing import Any

import pytest

from assets.release.quality.report import round_trip_verdict, second_reader_verdict, spellings_verdict


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
