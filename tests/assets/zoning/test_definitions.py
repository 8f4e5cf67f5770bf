"""Which districts a text sets out, and which it only mentions or seems to."""

import pytest

from assets.zoning.definitions import districts_defined


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("The Open Space (OS) district is established to provide open space.", ["OS"]),
        ("The shoreline district (S) is established to protect the Bay.", ["S"]),
        ("The Transportation Corridor (TC) district is established.", ["TC"]),
        ("The Bay Meadows Specific Plan District (BMSP) is hereby established.", ["BMSP"]),
        ("The R4 district is intended for apartment houses.", ["R4"]),
        ("The purpose of the R-1 Single-Family Residential District is to keep it so.", ["R-1"]),
        ("The A district is established for farms.", ["A"]),
        ("In the city, the R-1 and R-2 districts are established.", ["R-2"]),
        ("Single-Family (R-1) districts are designed for houses.", ["R-1"]),
    ],
)
def test_a_text_sets_a_district_out(text: str, codes: list[str]) -> None:
    assert [defined.code for defined in districts_defined(text) if not defined.listed] == codes


@pytest.mark.parametrize(
    "text",
    [
        "A district is established by ordinance.",
        "A zoning district is created by the Council. I zone is not a word.",
        "The owner(s) district is established.",
        "Where the City's district is established, it stays.",
        "Standards: (A) district signs are established; (B) others.",
        "the following: (S) districts are established by the county",
        "Fees for X9 forms are established by resolution.",
        "Parcels that abut an R1 district shall provide a wall.",
        "SEE APPENDIX S. DISTRICT MAPS are established.",
        "Under U.S. district court rules, appeals are provided.",
        "NO ZONE IS ESTABLISHED HERE.",
        "Signs within a C-1 district are designed to be small.",
        "Walls next to the R-1 or R-2 district are intended to screen it.",
        "Lots abutting an R-1 district are intended to have walls.",
        "No M-1 zone shall be established within 500 feet of a school.",
        "Signs are prohibited in the following zones: R-1 Residential, R-2 Residential.",
    ],
)
def test_a_mention_sets_out_nothing(text: str) -> None:
    assert [defined.code for defined in districts_defined(text)] == []


def test_a_list_of_districts_names_each_but_bare_letters() -> None:
    text = (
        "The City is divided into the following districts:\nR-1 Single-family residential\n"
        "C-2: General commercial\nA, Agricultural\n(4) The Sample Open Space (SO) district."
    )
    assert [defined.code for defined in districts_defined(text)] == ["R-1", "C-2", "SO"]
    assert all(defined.listed for defined in districts_defined(text))


def test_the_quote_stands_in_the_text() -> None:
    text = "Purpose. The Open Space (OS) is established to provide areas."
    (defined,) = districts_defined(text)
    assert defined.quote in text
    assert not defined.says_district


def test_a_long_chain_of_hyphens_is_read_in_no_time() -> None:
    assert list(districts_defined("The following districts are established: " + "A-" * 200)) == []
