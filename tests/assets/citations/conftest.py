"""A small code whose texts cite, built as a snapshot's citation index is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assets.citations.build import build_citation_index
from assets.citations.references import FoundReferences, Reference
from assets.registry import Citing, Registry, load_citing
from assets.selection.selection import Selection, load_selection
from assets.workspace import Workspace
from serving.contract.citations import Grammar
from tests.conftest import CHECKOUT, Law


def _section(num: str, heading: str, text: str = "", **more: Any) -> Law:
    path = f"t1/s{num.replace(', ', '_').replace(' to ', '...')}"
    mark = "§§" if "," in num or " to " in num else "§"
    return Law(path, "t1/ch1", "section", num, heading, f"1 Sample Code {mark} {num}", text, **more)


STATE = (
    Law("t1", None, "title", "1", "Housing", "1 Sample Code"),
    Law("t1/ch1", "t1", "chapter", "1", "Deposits", "1 Sample Code ch. 1"),
    _section(
        "101",
        "Definitions",
        "(a) As section 102(b) of this title says; see subsection (a) of this section and sections 109 and 110"
        " of this title.\n(b) Under section 999 of this title, chapter 1 of this title and Sample Code § 5.",
    ),
    _section(
        "102",
        "Return",
        "Under section 101, and § 29-102 of the Sample City Code, or 42 U.S.C. § 1983, or 1 Sample Code § 101 note,"
        " or sections 101 to 103 of this title.",
        cites=(("section 101", "/sample/code/t1/s101"),),
    ),
    _section("103", "Gone", status="repealed"),
    _section("104, 105", "Gone too", status="repealed"),
    _section("106 to 109a", "Gone three", status="repealed"),
    _section("109", "Lives on", "This chapter may be cited as the “Tenants Deposit Return Act of 2020”."),
    _section("111", "Renumbered § 109", status="renumbered"),
    _section(
        "112",
        "Moved",
        status="transferred",
        notes=(("codification", "Codification", "Section was transferred to section 101 of this title."),),
    ),
    _section(
        "113",
        "Notes",
        "The landlord keeps notes as section 107(d) of this title did, and former section 101 of this title.",
        notes=(
            (
                "shortTitle",
                "Short Title",
                "Act 9, provided that: “This Act [enacting this section, and amending section 102 of this title]"
                " may be cited as the ‘Landlords’ Notes Act’.”\n"
                "“This chapter may be cited as the ‘Quoted Chapter Act of 2001’.”",
            ),
        ),
    ),
)
CITY = (
    Law("29", None, "title", "29", "Business", "Sample City Code tit. 29"),
    Law(
        "29-101",
        "29",
        "section",
        "29-101",
        "Agents",
        "Sample City Code § 29-101",
        "See §§ 29-102(a) and 29-103.",
    ),
    Law("29-102", "29", "section", "29-102", "Fees", "Sample City Code § 29-102", "The fee is 20 coins."),
)


@pytest.fixture(scope="module")
def selection(
    tmp_path_factory: pytest.TempPathFactory, write_law: Callable[..., Workspace], registry: Registry
) -> Selection:
    """The small code and its city's."""
    root = tmp_path_factory.mktemp("citing")
    return load_selection(write_law(root, {"sample-code": STATE, "sample-city-code": CITY}), registry)


@pytest.fixture(scope="module")
def index(selection: Selection, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built citation index."""
    folder = tmp_path_factory.mktemp("citation_index")
    build_citation_index(selection, folder)
    return folder


@pytest.fixture(scope="module")
def positions(selection: Selection) -> dict[str, int]:
    """Positions by citation."""
    citations: list[str] = selection.provisions.column("citation").to_pylist()
    return {citation: position for position, citation in enumerate(citations)}


@pytest.fixture(scope="module")
def references(
    selection: Selection, index: Path, positions: dict[str, int]
) -> Callable[[str], list[Reference]]:
    """Return the references in the text of the provision with a citation."""
    found = FoundReferences.load(index, len(selection))
    return lambda citation: found.of(positions[citation])


@pytest.fixture(scope="module")
def citing(registry: Registry) -> Citing:
    """How law is cited where the federal and the D.C. code are held."""
    return load_citing(CHECKOUT / "datasets" / "citations", registry, ["us-usc", "dc-code"])


@pytest.fixture(scope="module")
def grammar(citing: Citing) -> Grammar:
    """The grammar of those citations."""
    return citing.grammar()
