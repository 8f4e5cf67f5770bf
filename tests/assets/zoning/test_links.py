"""Links of zones: the provision that defines a district, with evidence that holds by the rule."""

from dataclasses import replace
from typing import Any

import pytest

from assets.zoning.link_rule import breach_of
from assets.zoning.links import Basis, Links, link_zones
from assets.zoning.ordinance import Ordinance
from assets.zoning.sections import OfficialSection, OfficialSections
from tests.assets.zoning.layers import layer
from tests.assets.zoning.ordinances import ordinance_of

NO_TABLE = OfficialSections({})

CODE = ordinance_of(
    {
        "18": ("R1 DISTRICTS—ONE FAMILY DWELLINGS", {"18.010": ("PERMITTED USES.", "Uses in R1 districts.")}),
        "19": ("FENCES IN ALL DISTRICTS", {"19.010": ("R1 AND R2 DISTRICTS.", "Fences of six feet.")}),
        "30": ("CBD SUPPORT DISTRICT—CENTRAL BUSINESS SUPPORT", {}),
        "60": (
            "Open Space Districts",
            {"60.070": ("PURPOSE.", "The Open Space (OS) is established to provide areas.")},
        ),
        "88": (
            "BAY MEADOWS SPECIFIC PLAN",
            {"88.010": ("PURPOSE.", "The Bay Meadows Specific Plan District (BMSP) is established.")},
        ),
        "90": ("T-1 District (repealed)", {}),
        "91": (
            "Signs",
            {
                "91.010": (
                    "A sign near a district.",
                    "A district attorney, the owner(s) district, section S, form X9, and lots in the X9 zone.",
                )
            },
        ),
    }
)


def linked(
    *codes: str, ordinance: Ordinance | None = CODE, sections: OfficialSections = NO_TABLE, **entry: object
) -> Links:
    return link_zones(codes, layer(**entry), ordinance, sections)


@pytest.mark.parametrize(
    ("code", "identifier", "basis"),
    [
        ("R1", "/t/18", Basis.HEADING),
        ("R-1", "/t/18", Basis.HEADING),
        ("R2", "/t/19.010", Basis.HEADING),
        ("CBD-S", "/t/30", Basis.NAME),
        ("OS", "/t/60.070", Basis.TEXT),
        ("Open Space", "/t/60", Basis.NAME),
        ("BM-SP", "/t/88", Basis.TEXT),
    ],
)
def test_a_zone_leads_to_what_defines_it(code: str, identifier: str, basis: Basis) -> None:
    (link,) = linked(code).links
    assert link.node is not None
    assert (link.node.identifier, link.basis) == (identifier, basis)
    assert link.quote in link.reason
    assert breach_of(link, layer(), CODE) is None


@pytest.mark.parametrize("code", ["S", "X9", "A", "R", "R11", "CBD", "I", "OSS", "SP"])
def test_a_code_that_occurs_is_no_evidence(code: str) -> None:
    links = linked("R1", code)
    link = links.links[1]
    assert link.node is None
    assert link.citation is None
    assert code in link.reason
    assert links.citation_quality == "pending"


def test_a_mention_is_told_apart_from_silence() -> None:
    mentioned, silent = linked("X9", "X8").links
    assert "mentions a district X9 (section 91.010)" in mentioned.reason
    assert "names a district X8" in silent.reason


def test_an_alias_says_what_the_rule_cannot_read() -> None:
    aliases = [
        {"code": "X9", "identifier": "/t/18", "reviewed_by": "Ada", "evidence": "Map legend of 2019."},
        {"code": "PD *", "identifier": "/t/88", "reviewed_by": "Ada", "evidence": "Each is a plan."},
        {"code": "A", "identifier": "/t/99", "reviewed_by": "Ada", "evidence": "None such."},
    ]
    entry = layer(aliases=aliases)
    known, planned, dangling = links = linked("X9", "PD 12", "A", aliases=aliases).links
    assert [link.node and link.node.identifier for link in links] == ["/t/18", "/t/88", None]
    assert known.reason == "Reviewed by Ada: Map legend of 2019."
    assert "/t/99" in dangling.reason
    assert [breach_of(link, entry, CODE) for link in (known, planned, dangling)] == [None] * 3
    assert breach_of(known, layer(), CODE) == "rests on no alias of the registry."


def test_all_linked_makes_the_layer_linked() -> None:
    assert linked("R1", "OS").citation_quality == "linked"
    assert linked().citation_quality == "pending"


def test_districts_without_a_zone_are_listed() -> None:
    assert [district.code for district in linked("R1", "OS").unused] == ["R2", "BMSP", "T-1"]


def test_without_the_law_placeholders_carry_the_official_section() -> None:
    sections = OfficialSections(
        {
            "B1-1": OfficialSection("Code § 17-3-0102", "Shopping District"),
            "PD": OfficialSection("Code § 17-8-0100", "Planned Developments"),
        }
    )
    links = linked("B1-1", "PD 991", "PD991", "B1-2", ordinance=None, sections=sections)
    assert [link.citation for link in links.links] == [
        "Code § 17-3-0102",
        "Code § 17-8-0100",
        "Code § 17-8-0100",
        None,
    ]
    assert links.links[0].heading == "Shopping District"
    assert {link.state for link in links.links} == {"placeholder"}
    assert links.citation_quality == "pending"


def test_a_dead_provision_defines_nothing() -> None:
    dead = ordinance_of({"1": ("Districts", {"1.1": ("R1 District", "Reserved.")})}, status="repealed")
    assert linked("R1", ordinance=dead).links[0].node is None


def test_a_chapter_leads_before_a_section_and_one_before_several() -> None:
    code = ordinance_of(
        {
            "1": (
                "Parking",
                {"1.1": ("C-1 district parking.", "Spaces."), "1.2": ("C-1 and C-2 districts.", "-")},
            ),
            "2": ("C-1 Neighborhood Commercial District", {"2.1": ("Uses.", "Shops.")}),
        }
    )
    first, second = linked("C-1", "C-2", ordinance=code).links
    assert first.node is not None
    assert first.node.identifier == "/t/2"
    assert second.node is not None
    assert second.node.identifier == "/t/1.2"


def test_a_heading_that_begins_with_the_district_leads_before_one_of_another_matter() -> None:
    code = ordinance_of(
        {
            "1": ("Signs", {"1.1": ("Signs, R-1 districts", "Small.")}),
            "2": ("Residence", {"2.1": ("R-1 district", "Houses.")}),
        }
    )
    (link,) = linked("R-1", ordinance=code).links
    assert link.node is not None
    assert link.node.identifier == "/t/2.1"


def test_a_hyphen_between_letters_tells_districts_apart() -> None:
    code = ordinance_of(
        {
            "1": ("CP DISTRICTS—CIVIC PARKS", {"1.1": ("R-1 district", "Houses.")}),
            "2": ("Commerce", {"2.1": ("C-P District", "Parking.")}),
            "3": ("R1 DISTRICTS—ONE FAMILY", {}),
        }
    )
    links = linked("CP", "C-P", "R-1", ordinance=code).links
    assert [link.node and link.node.identifier for link in links] == ["/t/1", "/t/2.1", "/t/3"]


def test_initials_in_a_heading_are_a_district_where_its_words_speak_of_one() -> None:
    code = ordinance_of(
        {
            "1": ("Planning Commission (PC)", {"1.1": ("Members.", "The PC has seven members.")}),
            "2": ("Planned Development (PD)", {"2.1": ("Purpose.", "A PD zoning district needs a plan.")}),
            "3": ("Overlay districts", {"3.1": ("Airport Overlay (AO)", "Heights.")}),
        }
    )
    links = linked("PC", "PD", "AO", ordinance=code).links
    assert [link.node and link.node.identifier for link in links] == [None, "/t/2", "/t/3.1"]


def test_letters_mean_districts_only_where_land_is_zoned() -> None:
    schools = ordinance_of({"1": ("S DISTRICTS—SCHOOLS", {})}, title="EDUCATION")
    beside = Ordinance([*_rows(schools), *_rows(CODE)])
    assert linked("S", ordinance=beside).links[0].node is None


def _rows(ordinance: Ordinance) -> list[dict[str, object]]:
    names = ("node_id", "identifier", "parent_id", "level", "num", "heading", "citation", "text")
    return [
        {name: getattr(node, name) for name in names}
        | {"status": "in_force", "citable": not node.is_container}
        for node in ordinance.nodes
        if ordinance is CODE or node.identifier
    ]


@pytest.mark.parametrize(
    ("changes", "breach"),
    [
        ({"quote": "words of another provision"}, "does not hold"),
        ({"code": "R9"}, "without the code"),
        ({"quote": ""}, "no words"),
    ],
)
def test_the_rule_is_judged_from_the_laws_own_words(changes: dict[str, Any], breach: str) -> None:
    (link,) = linked("R1").links
    assert breach in str(breach_of(replace(link, **changes), layer(), CODE))


def test_a_bare_letter_in_a_list_needs_the_word_beside_it() -> None:
    ordinance = ordinance_of(
        {"1": ("Signs", {"1.1": ("Sign types.", "The following zones are established for signs: A Awning")})}
    )
    links = link_zones(["A", "R"], layer(), ordinance, NO_TABLE).links
    assert [link.node for link in links] == [None, None]
    named = ordinance_of(
        {"1": ("Zones", {"1.1": ("Zones.", "The following zones are established: A Agricultural District")})}
    )
    (link,) = link_zones(["A"], layer(), named, NO_TABLE).links
    assert link.node is not None
    assert breach_of(link, layer(), named) is None
