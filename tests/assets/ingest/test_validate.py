"""Checks over the provisions table: each passes on sound law and names what is wrong on unsound."""

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assets.findings import Verdict
from assets.ingest.pinned import open_pinned
from assets.ingest.validate import (
    byte_ranges_hold_the_provision,
    citations_are_unique,
    hierarchy_is_closed,
    identifiers_are_unique,
    outlines_lie_within_texts,
)
from serving.contract.records import PROVISIONS

LAW = {
    "t1/a.xml": """<p id="/toy/t1" level="title" head="Courts"/>
<p id="/toy/t1/s1" parent="/toy/t1" level="section" head="Fees">(a) Fifty dollars. (1) More. (b) None.</p>
<p id="/toy/t1/s2" parent="/toy/t1" level="section" head="Appeals">To the court.</p>""",
    "t2/a.xml": '<p id="/toy/t2" level="title" head="Liens"/>',
}


def rewrite(toy: Any, row: int, **values: object) -> None:
    """Change one row of the built table."""
    rows = pq.read_table(toy.provisions / "provisions.parquet").to_pylist()
    rows[row] |= values
    pq.write_table(pa.Table.from_pylist(rows, schema=PROVISIONS), toy.provisions / "provisions.parquet")


def codes(verdict: Verdict) -> list[str]:
    return [finding.code for finding in verdict.findings]


def test_sound_law_passes_every_check(toy: Any) -> None:
    toy.build(LAW)
    verdicts = [
        hierarchy_is_closed(toy.provisions),
        identifiers_are_unique(toy.provisions),
        citations_are_unique(toy.provisions),
        outlines_lie_within_texts(toy.provisions),
        byte_ranges_hold_the_provision(toy.provisions, open_pinned(toy.pinned), every=1),
    ]
    assert [(verdict.passed, verdict.examined) for verdict in verdicts] == [
        (True, 4),
        (True, 4),
        (True, 2),
        (True, 4),
        (True, 4),
    ]
    assert verdicts[0].measured == {"units": 2, "top level": 2, "depth": 2}


def test_an_unknown_parent_is_found(toy: Any) -> None:
    toy.build({"t1/a.xml": '<p id="/toy/t1/s1" parent="/toy/t9" level="section" head="Fees"/>'})
    verdict = hierarchy_is_closed(toy.provisions)
    assert codes(verdict) == ["parent_missing"]
    assert verdict.findings[0].where == "/toy/t1/s1"


def test_cycles_and_parents_after_their_children_are_found(toy: Any) -> None:
    toy.build(
        {
            "t1/a.xml": '<p id="/toy/a" parent="/toy/b"/><p id="/toy/b" parent="/toy/a"/><p id="/toy/c" parent="/toy/c"/>'
        }
    )
    assert codes(hierarchy_is_closed(toy.provisions)) == ["parent_missing", "parent_missing"]


def test_a_row_inside_a_unit_must_not_hang_under_another_unit(toy: Any) -> None:
    division = '<p id="/toy/d1" level="division"/>'
    title = '<p id="/toy/t1" parent="/toy/d1"/><p id="/toy/t1/s1" parent="/toy/t1" level="section"/>'
    toy.build({"t0/a.xml": division, "t1/a.xml": title})
    assert hierarchy_is_closed(toy.provisions).passed
    toy.build({"t0/a.xml": division, "t1/a.xml": title.replace('parent="/toy/t1"', 'parent="/toy/d1"')})
    assert codes(hierarchy_is_closed(toy.provisions)) == ["parent_elsewhere"]


def test_parents_of_another_code_body_are_found(toy: Any) -> None:
    toy.build(LAW)
    rewrite(toy, 0, code_body="other")
    assert codes(hierarchy_is_closed(toy.provisions)) == ["parent_elsewhere", "parent_elsewhere"]


def test_ids_that_are_not_derived_and_broken_order_are_found(toy: Any) -> None:
    toy.build(LAW)
    rewrite(toy, 3, node_id="00000000-0000-5000-8000-000000000000", ordinal=1)
    assert codes(hierarchy_is_closed(toy.provisions)) == ["node_id_not_derived", "order_broken"]


def test_double_identifiers_are_named_with_both_places(toy: Any) -> None:
    toy.build(LAW | {"t2/b.xml": '\n<p id="/toy/t2" level="title" head="Liens again"/>'})
    (finding,) = identifiers_are_unique(toy.provisions).findings
    assert finding.message == "/toy/t2 stands in t2/a.xml at byte 0 and in t2/b.xml at byte 1."


def test_live_sections_need_a_citation(toy: Any) -> None:
    toy.build(
        {
            "t1/a.xml": '<p id="/toy/s1" level="section" cite=""/><p id="/toy/s2" level="section" cite="" status="repealed"/>'
        }
    )
    verdict = citations_are_unique(toy.provisions)
    assert codes(verdict) == ["citation_missing"]
    assert verdict.examined == 1


@pytest.mark.parametrize(
    ("identifiers", "passed"),
    [
        (["/toy/s1", "/toy/s1@pl-1-2"], True),
        (["/toy/s1@pl-1-1", "/toy/s1@pl-1-2"], True),
        (["/toy/s1", "/toy/s2"], False),
        (["/toy/s1@pl-1-1", "/toy/s2@pl-1-1"], False),
        (["/toy/s1", "/toy/s1"], False),
    ],
)
def test_only_named_duplicates_share_a_citation(toy: Any, identifiers: list[str], passed: bool) -> None:
    law = "".join(f'<p id="{own}" level="section" cite="Toy Code § 1"/>' for own in identifiers)
    toy.build({"t1/a.xml": law})
    verdict = citations_are_unique(toy.provisions)
    assert verdict.passed is passed
    assert verdict.measured["named duplicates"] == 1
    assert codes(verdict) == ([] if passed else ["citation_double"])


def label(start: int, end: int) -> dict[str, object]:
    return {"label": "(a)", "start": start, "end": end, "uncertain": False}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outline": [label(0, 39)]}, "has '(a)' at 0 to 39 of a text of 38 characters"),
        ({"outline": [label(-1, 4)]}, "has '(a)' at -1 to 4"),
        ({"outline": [label(4, 4)]}, "has '(a)' at 4 to 4"),
        ({"outline": [label(5, 9), label(0, 4)]}, "has '(a)' at 0 after a label at 5"),
        ({"outline": [label(0, 20), label(10, 30)]}, "has '(a)', which runs out of '(a)'"),
        ({"references": [{"start": 30, "end": 39, "target": "/x"}]}, "has '/x' at 30 to 39"),
        (
            {"notes": [{"topic": "footnote", "heading": None, "text": "", "offset": 39}]},
            "has a footnote at 39",
        ),
    ],
)
def test_ranges_outside_the_text_are_found(toy: Any, change: dict[str, Any], message: str) -> None:
    toy.build(LAW)
    rewrite(toy, 1, **change)
    (finding,) = outlines_lie_within_texts(toy.provisions).findings
    assert finding.code == "range_wrong"
    assert message in finding.message


def test_nested_labels_pass(toy: Any) -> None:
    toy.build(LAW)
    rewrite(toy, 1, outline=[label(0, 28), label(0, 10), label(19, 28), label(29, 38)])
    assert outlines_lie_within_texts(toy.provisions).passed


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ranges=st.lists(st.tuples(st.integers(0, 12), st.integers(1, 12)), max_size=4))
def test_nesting_is_what_pairs_of_labels_say(toy: Any, ranges: list[tuple[int, int]]) -> None:
    if not (toy.provisions / "report.json").exists():
        toy.build(LAW)
    spans = sorted(
        ((start, start + length) for start, length in ranges), key=lambda span: (span[0], -span[1])
    )
    rewrite(toy, 1, outline=[label(*span) for span in spans])
    crossing = any(a[0] < b[0] < a[1] < b[1] for a in spans for b in spans)
    assert outlines_lie_within_texts(toy.provisions).passed is not crossing


@pytest.mark.parametrize(
    "change", [{"byte_start": 1}, {"byte_end": 40}, {"byte_end": 9_999}, {"byte_start": -3}]
)
def test_byte_ranges_that_hold_no_element_are_found(toy: Any, change: dict[str, Any]) -> None:
    toy.build(LAW)
    rewrite(toy, 0, **change)
    verdict = byte_ranges_hold_the_provision(toy.provisions, open_pinned(toy.pinned), every=1)
    assert codes(verdict) == ["byte_range_wrong"]


def test_rows_of_older_files_are_counted_and_not_looked_at(toy: Any) -> None:
    toy.build(LAW)
    toy.build({"t1/a.xml": "BROKEN", "t2/a.xml": LAW["t2/a.xml"]})
    verdict = byte_ranges_hold_the_provision(toy.provisions, open_pinned(toy.pinned), every=1)
    assert verdict.passed
    assert (verdict.examined, verdict.measured["of older files"]) == (1, 3)


def test_a_check_that_saw_nothing_has_not_passed(toy: Any) -> None:
    toy.build({"t1/a.xml": '<p id="/toy/t1"/>'})
    assert codes(citations_are_unique(toy.provisions)) == ["nothing_examined"]


def test_a_flood_of_findings_is_counted(toy: Any) -> None:
    toy.build({"t1/a.xml": "".join('<p id="/toy/s1" level="section"/>' for _ in range(80))})
    verdict = identifiers_are_unique(toy.provisions)
    assert len(verdict.findings) == 79
