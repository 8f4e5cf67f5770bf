"""Source credits, the year since which a section has borne its number, and its last amendment."""

import pytest

from serving.services.citations.credits import amended_after, numbered_since

ENACTED = "(Pub. L. 94–553, title I, § 107, Oct. 19, 1976, 90 Stat. 2546; Pub. L. 102–492, Oct. 24, 1992, 106 Stat. 3145.)"
MOVED = (
    "(Aug. 4, 1949, ch. 393, 63 Stat. 505, § 141; Pub. L. 104–324, § 405, Oct. 19, 1996, 110 Stat. 3924; "
    "renumbered § 701 and amended Pub. L. 115–282, title I, §§ 106(b), 123(b)(2), Dec. 4, 2018, 132 Stat. 4203.)"
)
FROM_ANOTHER_TITLE = (
    "(Added Pub. L. 98–575, § 16, Oct. 30, 1984, 98 Stat. 3061, § 70112; renumbered § 70111 then § 50913 of title 51, "
    "Pub. L. 111–314, § 4(d)(2), (3)(M), Dec. 18, 2010, 124 Stat. 3440.)"
)


@pytest.mark.parametrize(
    ("credit", "number", "year"),
    [
        (ENACTED, "107", 1976),
        (MOVED, "701", 2018),
        (MOVED, "141", 1949),
        (MOVED, "70", 1949),
        (FROM_ANOTHER_TITLE, "50913", 2010),
        (
            "(Pub. L. 93–236, title VII, § 707, as added Pub. L. 97–35, Aug. 13, 1981, 95 Stat. 665; renumbered § 9, "
            "Pub. L. 99–1, May 1, 1985, 99 Stat. 1.)",
            "797f",
            1981,
        ),
        ("(Pub. L. 93–236, title II, § 209, Jan. 2, 1974, 87 Stat. 999.)", "719", 1973),
        ("(R.S. § 1979; Pub. L. 96–170, § 1, Dec. 29, 1979, 93 Stat. 1284.)", "1983", None),
        ("(As amended Feb. 28, 1966, eff. July 1, 1966.)", "34", None),
        ("(As amended Apr. 22, 1974; Pub. L. 94–64, § 3(15), July 31, 1975, 89 Stat. 373.)", "15", None),
        ("(Added Apr. 25, 2014, eff. Dec. 1, 2014.)", "8005", None),
        ("City of San Mateo, Cal., Ord. No. 2004-2, § 1", "17.12.150", None),
        ("(R.S. § 5; renumbered § 8, Pub. L. 106–113, Nov. 29, 1999, 113 Stat. 1536.)", "8", 1999),
        ("", "1", None),
    ],
)
def test_a_section_has_borne_its_number_since_a_year(credit: str, number: str, year: int | None) -> None:
    assert numbered_since(credit, number) == year


@pytest.mark.parametrize(
    ("credit", "edition", "year"),
    [
        (ENACTED, 1988, 1992),
        (ENACTED, 1992, None),
        (ENACTED, 2018, None),
        (MOVED, 1952, 2018),
        (MOVED, 2012, 2018),
        # The edition of a year holds the laws of its last session, which may end in January.
        (
            "(July 30, 1947, ch. 389, 61 Stat. 641; Pub. L. 112–240, Jan. 2, 2013, 126 Stat. 2313.)",
            2012,
            None,
        ),
        (
            "(July 30, 1947, ch. 389, 61 Stat. 641; Pub. L. 112–240, Jan. 2, 2013, 126 Stat. 2313.)",
            2011,
            2013,
        ),
        ("(As amended Apr. 30, 2007, eff. Dec. 1, 2007.)", 2006, 2007),
        ("(R.S. § 1979; Pub. L. 96–170, § 1, Dec. 29, 1979, 93 Stat. 1284.)", 1976, 1979),
        ("City of San Mateo, Cal., Ord. No. 2004-2, § 1", 1990, None),
        ("", 1990, None),
    ],
)
def test_the_last_amendment_that_an_edition_cannot_hold(credit: str, edition: int, year: int | None) -> None:
    assert amended_after(credit, edition) == year
