"""Parts that are named in words before a section are its pin cites, each of a list for itself."""

import pytest

from serving.contract.citations import Grammar, parse


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("subsection (b) of 18 U.S.C. § 2", ["18 U.S.C. § 2(b)"]),
        ("paragraph (1) of subsection (a) of 28 U.S.C. § 1332", ["28 U.S.C. § 1332(a)(1)"]),
        ("paragraph 1 of subsection (a) of 28 U.S.C. § 1332", ["28 U.S.C. § 1332(a)(1)"]),
        ("subparagraph (A) of 5 U.S.C. § 706(2)", ["5 U.S.C. § 706(2)(A)"]),
        ("subsec. (b) of section 2 of title 18", ["18 U.S.C. § 2(b)"]),
        ("paragraphs (1) and (9) of 17 U.S.C. § 107", ["17 U.S.C. § 107(1)", "17 U.S.C. § 107(9)"]),
        ("paragraphs (1) and (9) of section 107 of title 17", ["17 U.S.C. § 107(1)", "17 U.S.C. § 107(9)"]),
        ("paragraphs (1) through (4) of 17 U.S.C. § 107", ["17 U.S.C. § 107(1)-(4)"]),
        (
            "paragraphs (1) and (2) of subsection (a) of section 1332 of title 28",
            ["28 U.S.C. § 1332(a)(1)", "28 U.S.C. § 1332(a)(2)"],
        ),
        ("paragraphs (1) and (2) of 17 U.S.C. §§ 107 and 108", ["17 U.S.C. § 107", "17 U.S.C. § 108"]),
        ("the rule (b) of 18 U.S.C. § 2", ["18 U.S.C. § 2"]),
        ("subsection A of § 18.2-371.1 of the Code of Virginia", ["Va. Code Ann. § 18.2-371.1(A)"]),
        ("subdivision A 2 of § 18.2-371.1 of the Code of Virginia", ["Va. Code Ann. § 18.2-371.1(A)(2)"]),
        ("subdivision 2 b of § 18.2-371.1 of the Code of Virginia", ["Va. Code Ann. § 18.2-371.1(2)(b)"]),
        ("the clause a of 18 U.S.C. § 2", ["18 U.S.C. § 2"]),
        ("11 U.S.C. § 362(b)(2)(A)(ii), (b)(4)", ["11 U.S.C. § 362(b)(2)(A)(ii)", "11 U.S.C. § 362(b)(4)"]),
        ("18 U.S.C. § 2, subparagraph (c)", ["18 U.S.C. § 2(c)"]),
    ],
)
def test_parts_are_pin_cites(grammar: Grammar, text: str, canonical: list[str]) -> None:
    read = parse(f"It is so under {text}.", grammar)
    assert [one.canonical for one in read] == canonical
    assert all(one.start < one.end for one in read)
    assert [one.start for one in read] == sorted({one.start for one in read})
