"""The publisher's links against the words: schemes that read them right drop the wrong ones alone."""

from pathlib import Path

import pytest

from assets.citations.build import build_citation_index
from assets.citations.contradictions import Contradiction, PublishersLinks, links_hold, load_links
from assets.citations.references import FoundReferences
from assets.citations.selected_law import SelectedLaw
from assets.errors import BuildError
from assets.findings import Severity
from assets.selection.selection import Selection
from serving.contract.citations import read_one
from serving.contract.layout import CITATIONS
from serving.services.citations.citation_resolver import CitationResolver
from serving.services.citations.resolution import Outcome
from tests.assets.citations.regulations import select_regulations


def indexed(selection: Selection, folder: Path) -> PublishersLinks:
    folder.mkdir()
    build_citation_index(selection, folder)
    [links] = load_links(folder)
    return links


def test_links_that_the_scheme_cannot_read_are_dropped_and_named(tmp_path: Path) -> None:
    links = indexed(select_regulations(tmp_path, options=""), tmp_path / "index")
    assert (links.links, links.contradicted) == (4, 4)
    verdict = links_hold([links])
    assert verdict.passed
    assert all(finding.severity is Severity.WARNING for finding in verdict.findings)
    first, *examples = verdict.findings
    assert first.where == "zz-regs"
    assert "4 of 4 links of the publisher (100.0%)" in first.message
    assert len(examples) == 4
    assert "COZAR 26.13.08.03A(1)" in examples[1].message


def test_a_scheme_that_reads_containers_and_bare_pins_drops_the_wrong_link_alone(tmp_path: Path) -> None:
    selection = select_regulations(tmp_path)
    links = indexed(selection, tmp_path / "index")
    assert (links.links, links.contradicted) == (4, 1)
    assert links.examples[0].where == "Zen. Code Regs. 26.13.08.07"
    citations = selection.provisions.column("citation").to_pylist()
    found = FoundReferences.load(tmp_path / "index", len(selection))
    led = {
        citations[position]: [
            citations[reference.target] for reference in found.of(position) if reference.target is not None
        ]
        for position in range(len(selection))
        if found.of(position)
    }
    chapter = "Zen. Code Regs. tit. 26, subtit. 13, ch."
    assert led == {
        "Zen. Code Regs. 26.13.07.01": [f"{chapter} 08"],
        "Zen. Code Regs. 26.13.07.02": ["Zen. Code Regs. 26.13.08.03"],
        "Zen. Code Regs. 26.13.08.01": [f"{chapter} 07", f"{chapter} 08"],
        "Zen. Code Regs. 26.13.08.07": ["Zen. Code Regs. 26.13.08.03"],
    }


@pytest.mark.parametrize(
    ("text", "outcome", "citation"),
    [
        ("COZAR 26.13.07", Outcome.FOUND, "Zen. Code Regs. tit. 26, subtit. 13, ch. 07"),
        ("Zen. Code Regs. 26.13", Outcome.FOUND, "Zen. Code Regs. tit. 26, subtit. 13"),
        ("COZAR 26.13.08.03A(1)", Outcome.FOUND, "Zen. Code Regs. 26.13.08.03"),
        ("COZAR 26.13.09", Outcome.NOT_IN_CODE, None),
        ("COZAR 26.13.08.02", Outcome.NOT_IN_CODE, None),
    ],
)
def test_what_is_cited_by_number_alone_is_resolved(
    tmp_path: Path, text: str, outcome: Outcome, citation: str | None
) -> None:
    selection = select_regulations(tmp_path)
    indexed(selection, tmp_path / "index")
    grammar = selection.citing.grammar()
    read = read_one(text, grammar)
    assert isinstance(read, tuple)
    resolver = CitationResolver(SelectedLaw(selection, tmp_path / "index" / CITATIONS, grammar))
    resolution = resolver.resolve(read[0])
    assert resolution.outcome is outcome
    assert (resolution.provision.citation if resolution.provision else None) == citation


def test_a_number_between_sections_is_no_container(tmp_path: Path) -> None:
    """A missing regulation has regulations for neighbours, and a range holds no chapter."""
    selection = select_regulations(tmp_path)
    indexed(selection, tmp_path / "index")
    grammar = selection.citing.grammar()
    resolver = CitationResolver(SelectedLaw(selection, tmp_path / "index" / CITATIONS, grammar))
    read = read_one("COZAR 26.13.08.00", grammar)
    assert isinstance(read, tuple)
    neighbours = resolver.resolve(read[0]).neighbours
    assert neighbours is not None
    assert neighbours.previous is not None
    assert neighbours.previous.level == "regulation"


def test_a_small_share_passes_and_is_told() -> None:
    example = Contradiction("X § 1", "see § 2 of", "X § 3")
    links = PublishersLinks("x", links=20, contradicted=1, examples=[example])
    verdict = links_hold([links, PublishersLinks("empty")])
    assert not verdict.findings
    assert verdict.measured == {
        "x: links contradicted": "1 of 20",
        "empty: links contradicted": "0 of 0",
    }


def test_an_index_of_an_earlier_build_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"build .* first"):
        load_links(tmp_path)
