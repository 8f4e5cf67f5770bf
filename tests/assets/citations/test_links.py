"""References by the numbers of containers, as D.C. law files write them: `47|18|II`."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pytest

from assets.citations.links import LinkResolver
from assets.ingest.links import AMBIGUOUS, NOT_FOUND
from assets.registry import Registry
from assets.selection.selection import load_selection
from assets.workspace import Workspace


class Law(NamedTuple):
    """A row of the code under test, with what `write_law` reads of it."""

    path: str
    parent: str | None
    level: str
    num: str
    text: str = ""
    heading: str = ""
    citation: str = ""
    status: str = "in_force"
    cites: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[str, str | None, str], ...] = ()
    tags: tuple[str, ...] = ()
    credit: str | None = None


CODE = (
    Law("31", None, "title", "31"),
    Law("31/stVI", "31", "subtitle", "VI"),
    Law("31/stVI/sdA", "31/stVI", "subdivision", "A"),
    Law("31/stVI/sdA/ch44", "31/stVI/sdA", "chapter", "44"),
    Law("31/stVII", "31", "subtitle", "VII"),
    Law("31/stVII/ch7", "31/stVII", "chapter", "7"),
    Law("31/stVII/ch7/uA", "31/stVII/ch7", "unit", "A"),
    Law("31/stVII/ch7/uA/schI", "31/stVII/ch7/uA", "subchapter", "I"),
    Law("31/stVII/ch7/uA/schII", "31/stVII/ch7/uA", "subchapter", "II"),
    Law("31/stVII/ch7/uB", "31/stVII/ch7", "unit", "B"),
    Law("31/stVII/ch7/uB/schI", "31/stVII/ch7/uB", "subchapter", "I"),
    Law("31/stVII/ch7/A", "31/stVII/ch7", "subchapter", "X"),
    Law("31-101", "31/stVII/ch7/A", "section", "31-101", "The vault is kept shut."),
)


@pytest.fixture(scope="module")
def lead(
    tmp_path_factory: pytest.TempPathFactory, write_law: Callable[..., Workspace], registry: Registry
) -> Callable[[str], str | None]:
    """Return the path of the provision that a target leads to, or the reason why it leads nowhere."""
    root: Path = tmp_path_factory.mktemp("references")
    selection = load_selection(write_law(root, {"sample-city-code": CODE}), registry)
    resolver = LinkResolver(selection)
    identifiers: pa.ChunkedArray = selection.provisions.column("identifier")

    def resolve(target: str) -> str | None:
        found = resolver.resolve(0, target)
        if found.position is None:
            return found.reason
        assert found.reason is None
        identifier: str = identifiers[found.position].as_py()
        return identifier.removeprefix("/sample-city/code/")

    return resolve


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("31", "31"),
        ("31|VI", "31/stVI"),
        ("31|VI|A|44", "31/stVI/sdA/ch44"),
        ("31|VI|44", "31/stVI/sdA/ch44"),
        ("31|44", "31/stVI/sdA/ch44"),
        ("31|7", "31/stVII/ch7"),
        ("31|7|A|I", "31/stVII/ch7/uA/schI"),
        ("31|7|II", "31/stVII/ch7/uA/schII"),
        ("31|7|X", "31/stVII/ch7/A"),
        ("31|7||X|", "31/stVII/ch7/A"),
    ],
)
def test_a_path_of_containers_may_leave_out_subtitle_subdivision_and_unit(
    target: str, path: str, lead: Callable[[str], str | None]
) -> None:
    assert lead(target) == path


def test_a_short_path_that_names_two_containers_leads_to_neither(lead: Callable[[str], str | None]) -> None:
    assert lead("31|7|I") == AMBIGUOUS


@pytest.mark.parametrize("target", ["31|45", "31|7|III", "32", "31|X"])
def test_a_path_of_no_container_is_not_found(target: str, lead: Callable[[str], str | None]) -> None:
    assert lead(target) == NOT_FOUND


@pytest.mark.parametrize("target", ["§31-101", "§[31-101]", "§[31-101]|(a)", "§ 31–101|(a)|(1)"])
def test_a_section_is_found_with_its_sign_in_brackets_and_with_paragraphs(
    target: str, lead: Callable[[str], str | None]
) -> None:
    assert lead(target) == "31-101"
