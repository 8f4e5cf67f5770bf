"""Names of acts in texts and notes, and the words that say where the acts stand."""

import pytest

from assets.citations.act_mentions import Standing, mentions


def read(text: str) -> set[tuple[str, Standing, str | None]]:
    return {(mention.name, mention.standing, mention.place or mention.unit) for mention in mentions(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "This chapter may be cited as the “Tenants Protection Act”.",
            ("Tenants Protection Act", Standing.CODIFIED, "chapter"),
        ),
        (
            'This chapter shall be known as, and may be cited as, the "Tree Protection Ordinance."',
            ("Tree Protection Ordinance", Standing.CODIFIED, "chapter"),
        ),
        (
            "Pub. L. 9–9, § 1, provided that: “This Act [enacting sections 5 and 6 of this title, amending section 9"
            " of Title 3, and enacting provisions set out as notes] may be cited as the ‘Lakes Act of 1999’.”",
            ("Lakes Act of 1999", Standing.ENACTED, " sections 5 and 6 of this title"),
        ),
        (
            "“This Act [amending section 9 of Title 3] may be cited as the ‘Lakes Act of 1999’.”",
            ("Lakes Act of 1999", Standing.AMENDED, " section 9 of Title 3"),
        ),
        (
            "“This Act [enacting this chapter and amending section 9 of this title] may be cited as the ‘Lakes Act’.”",
            ("Lakes Act", Standing.CODIFIED, "section"),
        ),
        (
            "Section 9 of D.C. Law 1-1 provided that title II of the act may be cited as the “Bag Fee Act of 2009”.",
            ("Bag Fee Act of 2009", Standing.MENTIONED, "section"),
        ),
        (
            "as defined in the Federal Food, Drug, and Lakes Act (21 U.S.C. 301 et seq.)",
            ("Federal Food, Drug, and Lakes Act", Standing.CODIFIED, "21 U.S.C. 301 et seq."),
        ),
        (
            "the Clean Lakes Act and the River Act of 1950 [16 U.S.C. 5 et seq.]",
            ("River Act of 1950", Standing.CODIFIED, "16 U.S.C. 5 et seq."),
        ),
        (
            "under title II of the Lakes Act (42 U.S.C. 401 et seq.)",
            ("title II of Lakes Act", Standing.CODIFIED, "42 U.S.C. 401 et seq."),
        ),
        (
            "the Tenants Act of 1977, effective December 13, 1977 (D.C. Law 2-38; D.C. Official Code § 2-1401.01 et seq.)",
            (
                "Tenants Act of 1977",
                Standing.CODIFIED,
                "D.C. Law 2-38; D.C. Official Code § 2-1401.01 et seq.",
            ),
        ),
        (
            "The Lakes Act, referred to in text, is act July 5, 1946, ch. 540, also popularly known as the River Act,"
            " which is classified generally to chapter 22 (§ 1051 et seq.) of Title 15, Commerce.",
            ("River Act", Standing.CODIFIED, "section 1051 of Title 15"),
        ),
        (
            "The Lakes Act, referred to in text, is Pub. L. 1–1. For complete classification of this Act to the Code,"
            " see Short Title note set out under section 12 of Title 5 and Tables.",
            ("Lakes Act", Standing.CODIFIED, "section 12 of Title 5"),
        ),
        (
            "provided in chapter 171 of title 28 (commonly known as the “Federal Lakes Act”).",
            ("Federal Lakes Act", Standing.CODIFIED, "provided in chapter 171 of title 28"),
        ),
        (
            "the Act of August 11, 1939 (commonly known as the “Ponds Act”) (53 Stat. 1418; 16 U.S.C. 590y et seq.)",
            ("Ponds Act", Standing.CODIFIED, "53 Stat. 1418; 16 U.S.C. 590y et seq."),
        ),
    ],
)
def test_the_law_says_where_an_act_stands(text: str, expected: tuple[str, Standing, str | None]) -> None:
    assert expected in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "a fund to be known as the Abandoned Seafarers Fund.",
        "the establishment shall be known as the “National Atomic Museum”;",
        "for the purposes of section 7 of the Lakes Act (29 U.S.C. 157 et seq.)",
        "was cited as a reason for denial of a request",
        "disease, known as transmissible encephalopathies, under 7 U.S.C. 5",
        "This Act may be enforced (29 U.S.C. 157 et seq.)",
    ],
)
def test_what_is_no_act_or_a_section_of_one_is_not_read(text: str) -> None:
    assert not [mention for mention in mentions(text) if mention.standing is Standing.CODIFIED]
