"""Labels that begin a line: the rest of a citation that a draft wraps, or the next item of a list."""

import pytest

from serving.contract.citations import CitingContext, Grammar, parse, parse_within


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("See 17 U.S.C. § 107\n(9).", ["17 U.S.C. § 107(9)"]),
        ("See 17 U.S.C. § 512(c)(1)(A)\n(iv).", ["17 U.S.C. § 512(c)(1)(A)(iv)"]),
        ("See 17 U.S.C. § 512(c)\n(1)(A), which", ["17 U.S.C. § 512(c)(1)(A)"]),
        ("(see 17 U.S.C. § 512\n(c)(1)).", ["17 U.S.C. § 512(c)(1)"]),
        ("17 U.S.C.\n§ 512\n(c)\n(1) (2012)", ["17 U.S.C. § 512(c)(1)"]),
        ("35 U.S.C. § 271\n(e)(2)(A)", ["35 U.S.C. § 271(e)(2)(A)"]),
        ("See 17 U.S.C. §§ 108(a)-\n(c).", ["17 U.S.C. § 108(a)-(c)"]),
        ("17 U.S.C. § 512(c)(1) through\n(3), and", ["17 U.S.C. § 512(c)(1)-(3)"]),
        ("17 U.S.C. § 106(1) and\n(3).", ["17 U.S.C. § 106(1)", "17 U.S.C. § 106(3)"]),
        (
            "See 17 U.S.C. §§ 106(1),\n(3) and 107.",
            ["17 U.S.C. § 106(1)", "17 U.S.C. § 106(3)", "17 U.S.C. § 107"],
        ),
        ("17 U.S.C. § 512(c),\nparagraph (9).", ["17 U.S.C. § 512(c)(9)"]),
        ("Fed. R. Civ. P. 12\n(b)(6).", ["Fed. R. Civ. P. 12(b)(6)"]),
    ],
)
def test_labels_that_close_below_a_citation_are_its_rest(
    grammar: Grammar, text: str, canonical: list[str]
) -> None:
    assert [one.canonical for one in parse(text, grammar)] == canonical


@pytest.mark.parametrize(
    "text",
    [
        "Under 17 U.S.C. § 512\n(c)(1) the provider is",
        "Under 17 U.S.C. § 107\n(1) and other law",
        "Under 17 U.S.C. § 106(1) and\n(3) the owner",
        "17 U.S.C. § 512(c)(1)(A)-\n(C) applies.",
        "a Fed. R. Civ. P. 12\n(b)(6) motion",
        "17 U.S.C. § 512(c),\nparagraph 9.",
        "17 U.S.C. § 107\n(1)\n(2)",
        "(b) The act.\n(c) See 17 U.S.C. § 512\n(d).",
    ],
)
def test_labels_below_a_citation_that_may_be_its_rest_leave_it_unread(grammar: Grammar, text: str) -> None:
    assert [one.kind for one in parse(text, grammar)] == ["unread"]


@pytest.mark.parametrize(
    "text",
    [
        "Factors of 17 U.S.C. § 107:\n(1) purpose\n(2) nature",
        "Factors of 17 U.S.C. § 107\n(1) the purpose;\n(2) the nature",
        "Factors of 17 U.S.C. § 107\n(i) the purpose\n(ii) the nature",
        "(1) The use is fair by 17 U.S.C. § 107\n(2) It is new",
        "Factors of 17 U.S.C. § 107—\n(1) the purpose",
        "Factors of 17 U.S.C. § 107\n- (a) purpose",
        "It is fair by 17 U.S.C. § 107.\n(1) The purpose",
        "17 U.S.C. § 107\n\n(9).",
        "17 U.S.C. § 107\n(2012).",
        "17 U.S.C. § 107\n(see above).",
        "17 U.S.C. § 107\nParagraph 4 is denied.",
    ],
)
def test_items_and_asides_below_a_citation_are_none_of_it(grammar: Grammar, text: str) -> None:
    assert [one.canonical for one in parse(text, grammar)] == ["17 U.S.C. § 107"]


def test_every_item_of_a_list_without_stops_is_known_by_the_others(grammar: Grammar) -> None:
    text = "(1) by 17 U.S.C. § 106\n(2) by 17 U.S.C. § 107\n(3) by 17 U.S.C. § 108\n(4) by 17 U.S.C. § 109"
    assert [one.num for one in parse(text, grammar)] == ["106", "107", "108", "109"]


@pytest.mark.parametrize("text", ["Coordination with section 106\n(1).", "17 U.S.C. 106\n(1), (2)"])
def test_a_label_that_begins_a_line_of_enacted_text_is_of_a_part(grammar: Grammar, text: str) -> None:
    context = CitingContext("us-usc", "17", "1", implicit_title=True)
    assert [one.canonical for one in parse_within(text, grammar, context)] == ["17 U.S.C. § 106"]
