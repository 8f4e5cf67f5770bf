"""Acts of the code beside which they are named: they are not the known acts of their names."""

import pytest

from serving.contract.citations import Grammar, Unparsed, parse, read_one


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("Section 2 of the Arbitration Act, Ohio Rev. Code § 2711.02", ["Arbitration Act § 2"]),
        ("section 2 of the Arbitration Act, D.C. Code § 16-4402", ["Arbitration Act § 2"]),
        ("Arbitration Act § 2 (codified at Ohio Rev. Code § 2711.02)", ["Arbitration Act § 2"]),
        ("Arbitration Act § 2, codified as amended at Ohio Rev. Code § 2711.02", ["Arbitration Act § 2"]),
        ("Copyright Act § 107, found at Cal. Civ. Code § 980", ["Copyright Act § 107"]),
        ("Copyright Act § 107 (the “Act”), Cal. Civ. Code § 980", ["Copyright Act § 107"]),
        ("Copyright Act § 107,\nCal. Civ. Code § 980", ["Copyright Act § 107"]),
        ("Copyright Act § 107, Cal. Code Regs. tit. 8, § 3203", ["Copyright Act § 107"]),
        ("Copyright Act § 107, Navajo Nation Code § 5", ["Copyright Act § 107"]),
        ("sections 2 and 3 of the Arbitration Act, Ohio Rev. Code § 2711.02", ["Arbitration Act § 2", "Arbitration Act § 3"]),
        ("Ohio Rev. Code § 2711.02 (Arbitration Act § 2)", ["Arbitration Act § 2"]),
        ("Ohio Rev. Code § 2711.02 [the Arbitration Act § 2]", ["Arbitration Act § 2"]),
        ("the Copyright Act, Cal. Civ. Code § 980", ["Copyright Act"]),
    ],
)  # fmt: skip
def test_an_act_belongs_to_the_code_of_another_place_beside_it(
    grammar: Grammar, text: str, unknown: list[str]
) -> None:
    read = parse(f"It is so by {text}.", grammar)
    assert [one.canonical for one in read if one.kind == "unknown_code" and "Act" in one.canonical] == unknown
    assert not any(one.kind == "popular_name" for one in read)


def test_a_typed_act_belongs_to_the_code_behind_it(grammar: Grammar) -> None:
    read = read_one("Section 2 of the Arbitration Act, Ohio Rev. Code § 2711.02", grammar)
    assert not isinstance(read, Unparsed)
    assert [one.kind for one in read] == ["unknown_code", "section"]


@pytest.mark.parametrize(
    "text",
    [
        "section 2 of the Arbitration Act, 9 U.S.C. § 2",
        "section 2 of the Arbitration Act (9 U.S.C. § 2)",
        "section 107 of the Copyright Act, 37 C.F.R. § 201.1",
        "section 2 of the Arbitration Act, Fed. R. Civ. P. 81",
        "section 2 of the Arbitration Act, Pub. L. 68-401",
        "section 2 of the Federal Arbitration Act, Ohio Rev. Code § 2711.02",
        "section 107 of the U.S. Copyright Act, Cal. Civ. Code § 980",
        "section 2 of the Arbitration Act; Ohio Rev. Code § 2711.02",
        "section 2 of the Arbitration Act and Ohio Rev. Code § 2711.02",
        "section 2 of the Arbitration Act. Ohio Rev. Code § 2711.02",
        "section 2 of the Arbitration Act preempts Ohio Rev. Code § 2711.02",
        "section 16-4406 of the Uniform Arbitration Act, D.C. Code § 16-4406",
        "Ohio Rev. Code § 2711.02 (as the Arbitration Act § 2 has it)",
        "section 2 of the Arbitration Act, the Clean Harbors Act of 1999",
    ],
)
def test_an_act_stays_known_beside_other_law(grammar: Grammar, text: str) -> None:
    assert [one.kind for one in parse(f"It is so by {text}.", grammar)].count("popular_name") == 1


def test_text_of_law_keeps_its_acts(grammar: Grammar) -> None:
    text = "section 2 of the Arbitration Act, Ohio Rev. Code § 2711.02"
    assert "popular_name" in [one.kind for one in parse(text, grammar, within="us-usc")]
