"""The answers of layers: what a zone is called."""

import pytest

from assets.zoning.answers import zone_name
from assets.zoning.links import Basis, Link
from assets.zoning.ordinance import OrdinanceNode


def _link(code: str, heading: str | None, basis: Basis, *, quote: str = "", container: bool = True) -> Link:
    node = OrdinanceNode(1, "id", "/x", None, "chapter", "1", heading or "", "X ch. 1", "", container)
    placeholder = basis is Basis.NONE
    return Link(code, None if placeholder else node, "X ch. 1", heading, basis, node, quote, "because")


@pytest.mark.parametrize(
    ("name", "code", "link", "shown"),
    [
        ("Residence", "R1", _link("R1", "R1 DISTRICTS—ONE FAMILY", Basis.HEADING), "Residence"),
        ("R1", "R1", _link("R1", "R1 DISTRICTS—ONE FAMILY", Basis.HEADING), "R1 DISTRICTS—ONE FAMILY"),
        ("CBD", "CBD", _link("CBD", "Central Business District", Basis.NAME), "Central Business District"),
        ("A", "A", _link("A", "Agricultural Districts.", Basis.ALIAS), "Agricultural Districts"),
        ("B1-1", "B1-1", _link("B1-1", "Neighborhood Shopping", Basis.NONE), "Neighborhood Shopping"),
        ("B1-1", "B1-1", _link("B1-1", None, Basis.NONE), "B1-1"),
        (
            "OS",
            "OS",
            _link("OS", "PURPOSE.", Basis.TEXT, quote="The Open Space (OS) is established", container=False),
            "Open Space",
        ),
        (
            "BMSP",
            "BMSP",
            _link("BMSP", "BAY MEADOWS", Basis.TEXT, quote="The Plan District (BMSP) is established"),
            "BAY MEADOWS",
        ),
        (
            "X",
            "X",
            _link("X", "PURPOSE.", Basis.TEXT, quote="X district", container=False),
            "X",
        ),
        (
            "X",
            "X",
            _link("X", "PURPOSE.", Basis.TEXT, quote="Uses (see Y) of the X district", container=False),
            "X",
        ),
    ],
)
def test_a_zone_has_the_name_that_the_map_or_the_law_gives_it(
    name: str, code: str, link: Link, shown: str
) -> None:
    assert zone_name(name, code, link) == shown
