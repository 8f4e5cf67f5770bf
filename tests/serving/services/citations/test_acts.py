"""Acts and their own numbering: what the code numbers alike, what credits say, and where nothing is said."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assets.citations.build import build_citation_index
from assets.citations.selected_law import SelectedLaw
from assets.registry import Registry
from assets.selection.selection import Selection, load_selection
from assets.workspace import Workspace
from serving.contract.citations import Grammar, PopularName
from serving.contract.layout import CITATIONS
from serving.services.citations.resolution import Outcome, Reason, Resolution
from serving.services.citations.resolve import resolve
from serving.snapshot.citing import open_grammar
from tests.conftest import Law


def _section(title: str, num: str, *, status: str = "in_force", notes: tuple[Any, ...] = ()) -> Law:
    citation = f"{title} Sample Code § {num}"
    return Law(f"t{title}/s{num}", f"t{title}", "section", num, "", citation, "Law.", status, notes=notes)


CODE = (
    Law("t1", None, "title", "1", "Rent", "1 Sample Code"),
    _section("1", "7"),
    _section("1", "8", status="repealed"),
    Law("t2", None, "title", "2", "Water", "2 Sample Code"),
    _section("2", "7"),
    Law("t3", None, "title", "3", "Piers", "3 Sample Code"),
    *(
        one
        for chapter, numbers in (("1", ("51", "52", "54")), ("2", ("61", "62")))
        for one in (
            Law(f"t3/ch{chapter}", "t3", "chapter", chapter, "Piers", f"3 Sample Code ch. {chapter}"),
            *(replace(_section("3", num), parent=f"t3/ch{chapter}") for num in numbers),
        )
    ),
)
NAMES = (
    PopularName("Rent Act", ("RA",), "1 Sample Code", "the note", codified=True),
    PopularName("River Act", ("RA",), "2 Sample Code § 7", "the note"),
    PopularName("Wells Act of 1950", (), "2 Sample Code § 7", "the note", law="Pub. L. 1-1"),
    PopularName("Wells Act of 1950", (), None, "the note", law="Pub. L. 1-1"),
    PopularName("Wells Act of 1920", (), None, "the note"),
    PopularName("Pier Act", (), "3 Sample Code § 51", "the note"),
    PopularName("Pier Act", (), "3 Sample Code § 52", "the note"),
    PopularName("Quay Act", (), "3 Sample Code ch. 2", "the note"),
    PopularName("Flood Act of 1976", (), "2 Sample Code", "the note", codified=True),
    PopularName("Ice Act", (), "2 Sample Code", "the note", law="Pub. L. 94-553", codified=True),
    PopularName(
        "Dike Act", (), "2 Sample Code", "the note", law="July 5, 1946, ch. 540, title I", codified=True
    ),
)


@pytest.fixture(scope="module")
def selection(
    tmp_path_factory: pytest.TempPathFactory, write_law: Callable[..., Workspace], registry: Registry
) -> Selection:
    return load_selection(write_law(tmp_path_factory.mktemp("acts"), {"sample-code": CODE}), registry)


@pytest.fixture(scope="module")
def typed(selection: Selection, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Resolution]:
    folder: Path = tmp_path_factory.mktemp("index")
    build_citation_index(selection, folder)
    schemes = open_grammar(folder / "citing.json").schemes
    law = SelectedLaw(selection, folder / CITATIONS, Grammar(schemes, NAMES))
    return lambda text: resolve(law, text)


def _candidates(found: Resolution) -> list[tuple[str | None, str | None]]:
    return [(candidate.act, candidate.citation) for candidate in found.candidates]


def test_section_of_an_act_that_is_a_title_is_that_of_the_title(typed: Callable[[str], Resolution]) -> None:
    whole, found = typed("Rent Act § 7"), typed("Rent Act § 7(a)")
    assert (whole.outcome, whole.citation) == (Outcome.FOUND, "1 Sample Code § 7")
    assert (found.outcome, found.citation) == (Outcome.PIN_NOT_FOUND, "1 Sample Code § 7(a)")
    assert found.provision is not None
    assert found.provision.citation == "1 Sample Code § 7"
    assert found.pin is not None
    assert typed("Rent Act § 8").outcome is Outcome.REPEALED
    assert typed("Rent Act § 9").outcome in (Outcome.NOT_IN_CODE, Outcome.OUTSIDE_COVERAGE)


def test_a_range_of_an_act_is_that_of_its_title(typed: Callable[[str], Resolution]) -> None:
    for text in ("sections 7 through 8 of the Rent Act", "Rent Act, §§ 7 to 8"):
        found = typed(text)
        assert found.citation == "1 Sample Code §§ 7 to 8", text
        assert [member.outcome for member in found.members] == [Outcome.FOUND, Outcome.REPEALED]
        assert found.provision is None
    beyond = typed("Rent Act §§ 7-99")
    assert beyond.outcome is not Outcome.FOUND
    assert beyond.provision is None
    for text in ("Rent Act §§ 7(a)-8", "Wells Act of 1950 §§ 7-8"):
        assert typed(text).outcome not in (Outcome.FOUND, Outcome.REPEALED), text


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("Pier Act § 54", ["3 Sample Code § 54", "3 Sample Code § 51", "3 Sample Code § 52"]),
        ("section 54(a) of the Pier Act", ["3 Sample Code § 54", "3 Sample Code § 51", "3 Sample Code § 52"]),
        ("Pier Act § 52", ["3 Sample Code § 52", "3 Sample Code § 51"]),
        ("Quay Act § 62", ["3 Sample Code § 62", "3 Sample Code ch. 2"]),
        # A section of another chapter, or beside one that stands under the title itself, is none of the act.
        ("Pier Act § 61", ["3 Sample Code § 51", "3 Sample Code § 52"]),
        ("Quay Act § 51", ["3 Sample Code ch. 2"]),
        ("River Act § 8", ["2 Sample Code § 7"]),
    ],
)
def test_the_number_of_the_code_behind_the_name_of_an_act_is_a_candidate(
    typed: Callable[[str], Resolution], text: str, candidates: list[str]
) -> None:
    found = typed(text)
    assert (found.outcome, found.reason) == (Outcome.AMBIGUOUS, Reason.ACT_NUMBERING)
    assert [candidate.citation for candidate in found.candidates] == candidates


def test_act_that_is_a_title_is_found_by_name(typed: Callable[[str], Resolution]) -> None:
    found = typed("Rent Act")
    assert found.provision is not None
    assert (found.outcome, found.provision.citation) == (Outcome.FOUND, "1 Sample Code")


def test_abbreviation_of_several_acts_gives_the_section_of_each(typed: Callable[[str], Resolution]) -> None:
    found = typed("RA § 7")
    assert (found.outcome, found.reason) == (Outcome.AMBIGUOUS, Reason.SEVERAL_ACTS)
    assert _candidates(found) == [("Rent Act", "1 Sample Code § 7"), ("River Act", "2 Sample Code § 7")]


def test_name_without_a_year_means_the_act_of_each(typed: Callable[[str], Resolution]) -> None:
    found = typed("Wells Act")
    assert (found.outcome, found.reason) == (Outcome.AMBIGUOUS, Reason.SEVERAL_ACTS)
    assert found.citation == "Wells Act"
    assert _candidates(found) == [("Wells Act of 1950", "2 Sample Code § 7"), ("Wells Act of 1920", None)]
    assert _candidates(typed("Wells Act of 1950")) == [("Wells Act of 1950", "2 Sample Code § 7")]


@pytest.mark.parametrize(
    ("text", "outcome", "citation"),
    [
        ("section 7 of the Flood Act (1976)", Outcome.FOUND, "2 Sample Code § 7"),
        ("section 7 of the Flood Act of 1976", Outcome.FOUND, "2 Sample Code § 7"),
        ("Flood Act of 1976 § 7 (1976)", Outcome.FOUND, "2 Sample Code § 7"),
        ("section 7 of the Flood Act", Outcome.FOUND, "2 Sample Code § 7"),
        ("section 7 of the Flood Act (2018 ed.)", Outcome.FOUND, "2 Sample Code § 7"),
        ("section 7 of the Flood Act (as amended)", Outcome.FOUND, "2 Sample Code § 7"),
        ("Flood Act (1976)", Outcome.FOUND, "2 Sample Code"),
        ("section 7 of the Ice Act (1976)", Outcome.FOUND, "2 Sample Code § 7"),
        ("section 7 of the Dike Act (1946)", Outcome.FOUND, "2 Sample Code § 7"),
        ("section 7 of the Rent Act (1909)", Outcome.FOUND, "1 Sample Code § 7"),
        ("Rent Act (1909)", Outcome.FOUND, "1 Sample Code"),
        ("section 7 of the Flood Act (1909)", Outcome.OUTSIDE_COVERAGE, "Flood Act § 7"),
        ("Flood Act § 7 (1909)", Outcome.OUTSIDE_COVERAGE, "Flood Act § 7"),
        ("Flood Act (1909) § 7", Outcome.OUTSIDE_COVERAGE, "Flood Act § 7"),
        ("section 7(a) of the Flood Act (1909)", Outcome.OUTSIDE_COVERAGE, "Flood Act § 7(a)"),
        ("Flood Act (1909)", Outcome.OUTSIDE_COVERAGE, "Flood Act"),
        ("section 7 of the Ice Act (1946)", Outcome.OUTSIDE_COVERAGE, "Ice Act § 7"),
        ("section 7 of the Dike Act (1909)", Outcome.OUTSIDE_COVERAGE, "Dike Act § 7"),
        (
            "sections 7 and 8 of the Flood Act (1909)",
            Outcome.OUTSIDE_COVERAGE,
            "Flood Act § 7; 2 Sample Code § 8",
        ),
    ],
)
def test_an_act_of_a_year_before_the_one_that_is_known_is_another(
    typed: Callable[[str], Resolution], text: str, outcome: Outcome, citation: str
) -> None:
    found = typed(text)
    assert (found.outcome, found.citation) == (outcome, citation)
    assert (found.reason is Reason.EDITION_NOT_HELD) == (outcome is Outcome.OUTSIDE_COVERAGE)
