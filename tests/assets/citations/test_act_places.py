"""The places to which names of acts lead: those reviewed first, then what the law says, the surest first."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assets.citations.act_places import MAX_PLACES, name_entries
from assets.citations.contexts import contexts_of
from assets.citations.table import write_citations
from assets.registry import Registry, ReviewedAct
from assets.selection.selection import Selection, load_selection
from assets.workspace import Workspace
from serving.contract.citations import Grammar
from serving.contract.citations.keys import words_of_name
from serving.snapshot.citations import CitationTable
from tests.conftest import Law

_SAYS = "provided that: “This Act [{bracket}] may be cited as the ‘{name}’.”"


def _section(num: str, text: str = "Law.", *, status: str = "in_force", **more: Any) -> Law:
    return Law(f"t1/s{num}", "t1/ch1", "section", num, "", f"1 Sample Code § {num}", text, status, **more)


def _note(name: str, bracket: str) -> tuple[str, str | None, str]:
    return ("shortTitle", "Short Title", _SAYS.format(name=name, bracket=bracket))


CODE = (
    Law("t1", None, "title", "1", "Housing", "1 Sample Code"),
    Law("t1/ch1", "t1", "chapter", "1", "Deposits", "1 Sample Code ch. 1"),
    _section("1", status="repealed"),
    _section("2", "Law.", notes=(_note("Rivers and Lakes Act of 1999", "amending section 5 of this title"),)),
    _section("3", "This chapter may be cited as the “State of Sample (invented) Rent Relief Act of 2020”."),
    _section(
        "4",
        "Law.",
        notes=(_note("Old Wells Act", "enacting section 6 and amending section 5 of this title"),),
    ),
    _section(
        "5", "Of the Rent Relief Act of 2020 (1 Sample Code § 6 et seq.) and of the Federal Harbor Dues Act"
    ),
    _section(
        "6",
        "The Federal Harbor Dues Act (1 Sample Code § 5 et seq.) and the Fee Act (1 Sample Code § 5 et seq.)",
    ),
)


def _act(name: str, **fields: Any) -> ReviewedAct:
    return ReviewedAct.from_dict({"name": name, **fields})


ACTS = (
    _act(
        "Lamp Act", short=["LAMP"], citation="1 Sample Code § 4", also=["1 Sample Code § 6"], alone=["LAMP"]
    ),
    _act("Old Wells Act", citation="1 Sample Code § 2"),
    _act("Gone Act", citation="1 Sample Code § 1"),
    _act("Far Act", citation="2 Sample Code § 1"),
    _act("Dues Act", short=["DA"], citation="1 Sample Code § 3"),
    _act("Federal Harbor Dues Act", short=["DA"], citation="1 Sample Code § 5"),
)


@pytest.fixture(scope="module")
def selection(
    tmp_path_factory: pytest.TempPathFactory, write_law: Callable[..., Workspace], registry: Registry
) -> Selection:
    return load_selection(write_law(tmp_path_factory.mktemp("names"), {"sample-code": CODE}), registry)


@pytest.fixture(scope="module")
def table(selection: Selection, tmp_path_factory: pytest.TempPathFactory) -> CitationTable:
    path: Path = tmp_path_factory.mktemp("table") / "citations.arrow"
    names = [name for act in ACTS for name in act.popular_names()]
    grammar = Grammar(selection.citing.schemes, names)
    entries = name_entries(selection, ACTS, contexts_of(selection, grammar), grammar)
    write_citations(path, entries, selection, {})
    return CitationTable(path)


@pytest.fixture(scope="module")
def led(table: CitationTable, selection: Selection) -> Callable[[str], list[str]]:
    citations = selection.provisions.column("citation").to_pylist()
    positions = selection.numbering.positions.tolist()

    def places(name: str) -> list[str]:
        words = words_of_name(name)
        count, found = table.name_at(words)
        assert count in (0, len(words))
        return [citations[positions[table.node(entry)]].removeprefix("1 Sample Code ") for entry in found]

    return places


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("Rent Relief Act of 2020", ["§ 3", "§ 6", "§ 2"]),
        ("rent relief act", ["§ 3", "§ 6", "§ 2"]),
        ("State of Sample (invented) Rent Relief Act", ["§ 3", "§ 2"]),
        ("Rivers & Lakes Act", ["§ 5"]),
        ("Old Wells Act", ["§ 2", "§ 6"]),
        ("Lamp Act", ["§ 4", "§ 6"]),
        ("lamp", ["§ 4", "§ 6"]),
        ("Harbor Dues Act", ["§ 5"]),
        ("Federal Harbor Dues Act", ["§ 5"]),
        ("Fee Act", []),
        ("Gone Act", []),
        ("Wells", []),
    ],
)
def test_name_leads_to_its_places(led: Callable[[str], list[str]], name: str, places: list[str]) -> None:
    assert led(name) == places


def test_what_has_a_name_and_no_place_is_known(table: CitationTable) -> None:
    assert table.elsewhere_at(words_of_name("Far Act of the sample")) == (2, "2 Sample Code § 1", True)
    # Its place is held, and not in force: that is not to say that it is not held.
    assert table.elsewhere_at(words_of_name("Gone Act")) == (2, "", True)
    assert table.elsewhere_at(words_of_name("Old Wells Act")) == (0, "", False)
    assert table.names_elsewhere() == ["far act", "gone act"]
    assert "gone act" not in table.names()


def test_of_acts_with_one_abbreviation_that_leads_of_which_the_law_speaks(
    led: Callable[[str], list[str]],
) -> None:
    assert led("DA") == ["§ 5", "§ 3"]
    assert len(led("DA")) <= MAX_PLACES
