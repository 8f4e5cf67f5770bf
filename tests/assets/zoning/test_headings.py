"""Which districts a heading names, and which it does not though it holds their letters."""

import pytest

from assets.zoning.headings import districts_named


@pytest.mark.parametrize(
    ("heading", "codes"),
    [
        ("R1 DISTRICTS—ONE FAMILY DWELLINGS", ["R1"]),
        ("S DISTRICTS—SHORELINE DISTRICT", ["S"]),
        ("CBD DISTRICTS—CENTRAL BUSINESS DISTRICT", ["CBD"]),
        ("R1 AND R2 DISTRICTS.", ["R1", "R2"]),
        ("R-1, R-2 and R-3 Residential Districts", ["R-1", "R-2", "R-3"]),
        ("R-1A Single-Family Residential District", ["R-1A"]),
        ("R-1 Single-Family Residential", ["R-1"]),
        ("RS Residential Single-Unit Districts", ["RS"]),
        ("B1-1.5, Neighborhood Shopping District", ["B1-1.5"]),
        ("Sample Residential (SR-1) district.", ["SR-1"]),
        ("Open Space (OS) District", ["OS"]),
        ("Qualified (Q) Overlay Zoning Districts", ["Q"]),
        ("Planned Unit Development (PUD) District Regulations", ["PUD"]),
        ("Regulations for the R-2 Two-Family District", ["R-2"]),
        ("Use regulations in C-1 districts", ["C-1"]),
        ("District R-3: multiple dwellings", ["R-3"]),
        ("Residence District R-4", ["R-4"]),
        ("Zone C", ["C"]),
        ("A Districts—Agricultural", ["A"]),
        ("A DISTRICT—AGRICULTURE", ["A"]),
        ("A Agricultural District", ["A"]),
        ("Residence R-4 District", ["R-4"]),
        ("Low density dwellings—R-1 zone", ["R-1"]),
        ("Residential (R-1 and R-2) Districts", ["R-1", "R-2"]),
        ("Article III. - R-1 Single-Family District", ["R-1"]),
        ("Sec. 5-2. R-2 District", ["R-2"]),
        ("“C-1” Commercial District", ["C-1"]),
        ("A-1, A-2 AND A-3 DISTRICTS", ["A-1", "A-2", "A-3"]),
        ("Airport Overlay (AO)", ["AO"]),
        ("PUD PLANNED UNIT DEVELOPMENT", ["PUD"]),
        ("MU-TOD Mixed-Use Transit District", ["MU-TOD"]),
        ("CV Civic and Institutional District", ["CV"]),
        ("IS DISTRICT—INDUSTRIAL SERVICE", ["IS"]),
        ("Purpose and intent of the R-1 district", ["R-1"]),
        ("Permitted uses in R-1 districts", ["R-1"]),
    ],
)
def test_a_heading_names_its_districts(heading: str, codes: list[str]) -> None:
    assert [named.code for named in districts_named(heading, is_zoning=True)] == codes


@pytest.mark.parametrize(
    "heading",
    [
        "A DISTRICT PLAN",
        "A district attorney for the City",
        "A permit is required in all districts",
        "USES NOT SPECIFICALLY PERMITTED IN DISTRICTS.",
        "RESIDENTIAL OVERLAY DISTRICT—MIXED USE",
        "PARKING ASSESSMENT AND SPECIAL DISTRICTS.",
        "OWNER'S DISTRICT",
        "The City’s Districts",
        "LOT(S) DISTRICT",
        "Signs in R-1 districts",
        "Article A. Districts",
        "Appeals (a) generally",
        "ZONING OF STREETS, ALLEYS, PUBLIC WAYS",
        "SCHOOL DISTRICT A",
        "FENCES, TREES AND HEDGES",
        "RV parking in R-1 districts",
        "PD permits in residential districts",
        "R-1 lots adjacent to C-2 districts",
        "Fence requirements for R-1 districts",
        "Prohibited uses in C-1 districts",
        "NONCONFORMING USES IN R DISTRICTS",
        "ALL DISTRICTS",
        "IN ZONES",
        "AS DISTRICTS CHANGE",
        "IS DISTRICT APPROVAL REQUIRED",
        "",
    ],
)
def test_letters_that_occur_name_no_district(heading: str) -> None:
    assert list(districts_named(heading, is_zoning=True)) == []


def test_headings_apart_from_zoning_name_no_district() -> None:
    assert list(districts_named("S DISTRICTS", is_zoning=False)) == []


def test_a_long_list_of_codes_is_read_once() -> None:
    # Codes that may be read in two ways would double the time with each.
    assert list(districts_named("in the " + "R-1, " * 400 + " district is intended", is_zoning=True)) == []
