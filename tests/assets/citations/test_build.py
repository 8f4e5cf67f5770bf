"""The citation index of a small code: keys, references, successors and names."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from assets.citations.references import FoundReferences, Reference
from assets.citations.references_fit import references_fit
from assets.selection.selection import Selection
from serving.contract.citations.keys import citation_key
from serving.contract.layout import CITATIONS, CITING, REFERENCES
from serving.contract.records import FROM_MARKUP, FROM_TEXT
from serving.snapshot.citations import CitationTable
from serving.snapshot.citing import open_grammar
from serving.snapshot.edges import EdgeTable

ReadCitation = Callable[[str], list[Reference]]


@pytest.fixture(scope="module")
def table(index: Path) -> CitationTable:
    return CitationTable(index / CITATIONS)


@pytest.fixture(scope="module")
def led(table: CitationTable, selection: Selection) -> Callable[[str], list[str]]:
    """Return the citations of the provisions that a citation leads to."""
    citations: list[str] = selection.provisions.column("citation").to_pylist()
    order = selection.numbering.positions

    def find(citation: str) -> list[str]:
        return [citations[order[table.node(entry)]] for entry in table.find(citation_key(citation))]

    return find


@pytest.mark.parametrize(
    ("cited", "provision"),
    [
        ("1 Sample Code § 101", "1 Sample Code § 101"),
        ("1 SAMPLE CODE §  101", "1 Sample Code § 101"),
        ("1 Sample Code ch. 1", "1 Sample Code ch. 1"),
        ("1 Sample Code §§ 104, 105", "1 Sample Code §§ 104, 105"),
        ("1 Sample Code § 105", "1 Sample Code §§ 104, 105"),
        ("1 Sample Code § 107", "1 Sample Code §§ 106 to 109a"),
        ("1 Sample Code § 109a", "1 Sample Code §§ 106 to 109a"),
        ("Sample City Code § 29-102", "Sample City Code § 29-102"),
    ],
)
def test_a_provision_is_under_its_citation_and_its_members(
    led: Callable[[str], list[str]], cited: str, provision: str
) -> None:
    assert led(cited) == [provision]


def test_a_live_number_within_a_dead_range_is_there_twice(
    led: Callable[[str], list[str]], table: CitationTable
) -> None:
    assert sorted(led("1 Sample Code § 109")) == ["1 Sample Code § 109", "1 Sample Code §§ 106 to 109a"]
    entries = table.find(citation_key("1 Sample Code § 109"))
    assert sorted(table.is_whole(entry) for entry in entries) == [False, True]


def test_what_is_missing_has_neighbours_of_its_own_title(table: CitationTable) -> None:
    before, after = table.neighbours(citation_key("1 Sample Code § 110"))
    assert [table.key(entry) for entry in before] == [citation_key("1 Sample Code § 109a")]
    assert [table.key(entry) for entry in after] == [citation_key("1 Sample Code § 111")]
    assert table.neighbours(citation_key("2 Sample Code § 1")) == (range(0), range(0))
    last = table.neighbours(citation_key("1 Sample Code § 999"))
    assert len(last[0]) == 1
    assert not last[1]


@pytest.mark.parametrize(
    ("gone", "successor"),
    [
        ("1 Sample Code § 111", "1 Sample Code § 109"),
        ("1 Sample Code § 112", "1 Sample Code § 101"),
        ("1 Sample Code § 103", None),
        ("1 Sample Code § 101", None),
    ],
)
def test_a_successor_is_what_the_source_names(table: CitationTable, gone: str, successor: str | None) -> None:
    (entry,) = table.find(citation_key(gone))
    assert table.successor(entry) == successor


def _led(references: list[Reference], selection: Selection, text: str) -> list[tuple[str, str, str | None]]:
    citations: list[str] = selection.provisions.column("citation").to_pylist()
    return [
        (
            text[reference.start : reference.end],
            reference.citation,
            reference.reason if reference.target is None else citations[reference.target],
        )
        for reference in references
    ]


def _text(selection: Selection, position: int) -> str:
    texts = [text for _, batch in selection.batches(["text"]) for text in batch.column(0).to_pylist()]
    found: str = texts[position]
    return found


def test_references_are_read_from_the_text(
    references: ReadCitation, selection: Selection, positions: dict[str, int]
) -> None:
    own = "1 Sample Code § 101"
    assert _led(references(own), selection, _text(selection, positions[own])) == [
        ("section 102(b) of this title", "1 Sample Code § 102(b)", "1 Sample Code § 102"),
        ("subsection (a) of this section", "1 Sample Code § 101(a)", own),
        ("sections 109", "1 Sample Code § 109", "1 Sample Code § 109"),
        ("110 of this title", "1 Sample Code § 110", "not_found"),
        ("section 999 of this title", "1 Sample Code § 999", "not_found"),
        ("chapter 1 of this title", "1 Sample Code ch. 1", "1 Sample Code ch. 1"),
    ]


def test_markup_goes_before_text_and_every_reason_is_said(
    references: ReadCitation, selection: Selection, positions: dict[str, int]
) -> None:
    own = "1 Sample Code § 102"
    found = references(own)
    assert _led(found, selection, _text(selection, positions[own])) == [
        ("section 101", "1 Sample Code § 101", "1 Sample Code § 101"),
        ("§ 29-102 of the Sample City Code", "Sample City Code § 29-102", "Sample City Code § 29-102"),
        ("42 U.S.C. § 1983", "42 U.S.C. § 1983", "outside_coverage"),
        ("1 Sample Code § 101 note", "1 Sample Code § 101 note", "note"),
        ("sections 101 to 103 of this title", "1 Sample Code §§ 101 to 103", "1 Sample Code § 101"),
    ]
    assert [reference.origin for reference in found] == [FROM_MARKUP, *[FROM_TEXT] * 4]


def test_a_range_leads_from_its_first_live_provision_to_its_last(
    references: ReadCitation, positions: dict[str, int]
) -> None:
    (ranged,) = (entry for entry in references("1 Sample Code § 102") if " to " in entry.citation)
    assert list(ranged.members or ()) == [positions["1 Sample Code § 101"], positions["1 Sample Code § 102"]]
    assert ranged.reason is None


def test_a_code_whose_numbers_name_their_titles_needs_no_title(references: ReadCitation) -> None:
    found = references("Sample City Code § 29-101")
    assert [(entry.citation, entry.reason) for entry in found] == [
        ("Sample City Code § 29-102(a)", "pin_not_found"),
        ("Sample City Code § 29-103", "not_found"),
    ]


def test_a_number_within_a_range_is_cited_by_itself(
    references: ReadCitation, selection: Selection, positions: dict[str, int]
) -> None:
    own = "1 Sample Code § 113"
    assert _led(references(own), selection, _text(selection, positions[own])) == [
        ("section 107(d) of this title", "1 Sample Code § 107(d)", "1 Sample Code §§ 106 to 109a"),
        ("section 101 of this title", "1 Sample Code § 101", "former"),
    ]


def test_edges_are_found_by_what_they_lead_to(
    index: Path, selection: Selection, positions: dict[str, int], references: ReadCitation
) -> None:
    edges = EdgeTable(index / REFERENCES)
    rows = {citation: int(selection.numbering.rows[position]) for citation, position in positions.items()}
    leading = [reference for citation in positions for reference in references(citation) if reference.target]
    assert len(edges) >= len(leading)
    into_each = [edge for row in sorted(set(rows.values())) for edge in edges.to_node(row)]
    out = sorted(edge for edge in into_each if edge.source == rows["1 Sample Code § 102"])
    assert [edge.target for edge in out] == [
        rows["1 Sample Code § 101"],
        rows["Sample City Code § 29-102"],
        rows["1 Sample Code § 101"],
        rows["1 Sample Code § 102"],
    ], "a range leads to each of its live members"
    assert len({(edge.start, edge.end) for edge in out}) == 3
    into = edges.to_node(rows["Sample City Code § 29-102"])
    assert {edge.source for edge in into} == {
        rows["1 Sample Code § 102"],
        rows["Sample City Code § 29-101"],
    }
    assert all(edge.target == rows["Sample City Code § 29-102"] for edge in into)
    assert edges.to_node(rows["1 Sample Code § 103"]) == []


def test_names_are_those_that_the_law_gives_to_one_of_its_parts(index: Path) -> None:
    read = [name for name in json.loads((index / CITING).read_bytes())["popularNames"] if name["source"]]
    own = {name["name"]: name["citation"] for name in read if "Sample Code" in (name["citation"] or "")}
    assert own == {
        "Tenants Deposit Return Act of 2020": "1 Sample Code ch. 1",
        "Landlords’ Notes Act": "1 Sample Code § 113",
    }


def test_a_reference_to_a_part_that_does_not_stand_leads_to_its_section_and_says_so(
    references: ReadCitation,
) -> None:
    missing, standing, *_ = references("1 Sample Code § 101")
    assert (missing.citation, missing.reason) == ("1 Sample Code § 102(b)", "pin_not_found")
    assert missing.target is not None
    assert (standing.citation, standing.reason) == ("1 Sample Code § 101(a)", None)


def test_the_grammar_of_the_index_reads_its_own_code_first(index: Path) -> None:
    grammar = open_grammar(index / CITING)
    assert {scheme.code for scheme in grammar.schemes[:5]} == {"sample-city-code", "sample-code"}
    assert {"us-usc", "us-cfr"} <= {scheme.code for scheme in grammar.schemes}


def test_references_fit_their_texts(index: Path, selection: Selection) -> None:
    found = FoundReferences.load(index, len(selection))
    verdict = references_fit(selection, found)
    assert verdict.passed
    assert verdict.measured["references"] == found.table.num_rows > 10


def test_references_that_overlap_or_lead_nowhere_without_reason_do_not_pass(
    index: Path, selection: Selection
) -> None:
    table = FoundReferences.load(index, len(selection)).table
    twice = table.take([0, 0, *range(1, table.num_rows)])
    codes = {
        finding.code for finding in references_fit(selection, FoundReferences(twice, len(selection))).findings
    }
    assert codes == {"reference_astray"}
    blank = table.set_column(5, table.schema.field(5), pa.nulls(table.num_rows, pa.string()))
    unclear = references_fit(selection, FoundReferences(blank, len(selection)))
    assert {finding.code for finding in unclear.findings} == {"reference_unclear"}
