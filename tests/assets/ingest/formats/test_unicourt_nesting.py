"""Outlines of UniCourt's lists that stand elsewhere than the law has them."""

from assets.ingest.formats.unicourt_nesting import cut_to_lists, settled
from serving.contract.records import Outline


def nested(text: str, *labels: str) -> list[Outline]:
    """Return parts for the lines of a text: a label for each line from the first on that begins with a bracket."""
    parts: list[Outline] = []
    start, given = 0, iter(labels)
    for line in text.split("\n"):
        if line.startswith("("):
            parts.append(Outline(next(given), start, start + len(line)))
        start += len(line) + 1
    return [
        Outline(part.label, part.start, max(own.end for own in parts if own.label.startswith(part.label)))
        for part in parts
    ]


def lists(text: str, *beginnings: str) -> list[tuple[int, int]]:
    """Return the spans of lists, each from the words it begins with to the next paragraph without brackets."""
    spans = []
    for beginning in beginnings:
        start = text.index(beginning)
        after = [text.find("\n" + sign, start) for sign in ("P", "(aa)")]
        spans.append((start, min((at for at in after if at >= 0), default=len(text))))
    return spans


def test_a_list_of_another_style_stands_below_the_words_that_introduce_it() -> None:
    text = "(1) One.\n(A) It includes:\n(a) Acts; and\n(b) Rules:\n(1) Old.\nPlain."
    parts = nested(text, "(1)", "(1)(A)", "(a)", "(b)", "(b)(1)")
    found = settled(text, parts, [])
    assert [(part.label, part.uncertain) for part in found] == [
        ("(1)", False),
        ("(1)(A)", False),
        ("(1)(A)(a)", False),
        ("(1)(A)(b)", False),
        ("(1)(A)(b)(1)", False),
    ]
    end = text.index("\nPlain")
    assert [part.end for part in found] == [end, end, text.index("\n(b)"), end, end]


def test_a_list_of_another_style_that_nothing_introduces_is_uncertain() -> None:
    text = "(A) One.\n(B) Two; or\n(1) Three;\n(2) Four.\n(C) Five."
    found = settled(text, nested(text, "(A)", "(B)", "(1)", "(2)", "(C)"), [])
    assert [part.label for part in found if part.uncertain] == ["(1)", "(2)"]


def test_letters_go_on_through_i() -> None:
    text = "(h) Eight:\n(1) Of one.\n(i) Nine.\n(j) Ten."
    found = settled(text, nested(text, "(h)", "(h)(1)", "(i)", "(j)"), [])
    assert not any(part.uncertain for part in found)


def test_an_i_that_what_is_within_h_introduces_may_be_its_numeral() -> None:
    text = "(h) Eight\n(1) may sell goods that:\n(i) are old:\n(1) or new.\n(j) Ten."
    found = settled(text, nested(text, "(h)", "(h)(1)", "(i)", "(i)(1)", "(j)"), [])
    assert [part.label for part in found if part.uncertain] == ["(i)", "(i)(1)"]


def test_a_list_below_the_part_before_the_one_that_introduces_it_is_uncertain() -> None:
    text = "(y) Why.\n(z) It ends.\n(1) reinsurance;\n(2) annuities.\n(aa) It does not apply to:\n(bb) More."
    parts = nested(text, "(y)", "(z)", "(z)(1)", "(z)(2)", "(aa)", "(bb)")
    found = settled(text, parts, lists(text, "(y)"))
    assert [part.label for part in found if part.uncertain] == ["(z)(1)", "(z)(2)"]
    assert not any(part.uncertain for part in settled(text, parts, [(0, len(text))]))


def test_labels_below_articles_name_no_part_of_the_section() -> None:
    text = "(a) The compact is:\nARTICLE I. PURPOSE\n(1) To agree.\nArticle II of it, as amended,\nARTICLE 2\n(b) To part."
    found = settled(text, nested(text, "(a)", "(1)", "(b)"), [])
    assert [part.label for part in found if part.uncertain] == ["(1)", "(b)"]
    prose = text.replace("ARTICLE I. PURPOSE\n", "").replace("ARTICLE 2\n", "")
    assert not settled(prose, nested(prose, "(a)", "(a)(1)", "(b)"), [])[2].uncertain


def test_heads_of_columns_are_no_parts() -> None:
    text = "(1) The table:\n(A) (B) Wages Amount 0 1\n(2) Next."
    found = settled(text, nested(text, "(1)", "(1)(A)", "(2)"), [])
    assert [part.label for part in found if part.uncertain] == ["(1)(A)"]


def test_a_label_that_stands_twice_is_uncertain() -> None:
    text = "(a) One.\n(a) Other.\n(b) Two."
    assert [part.uncertain for part in settled(text, nested(text, "(a)", "(a)", "(b)"), [])] == [
        True,
        True,
        False,
    ]


def test_parts_end_with_their_list_unless_parts_of_theirs_follow() -> None:
    text = "(1) One.\n(A) Of one.\nPlain.\n(2) Two.\nPlain two.\n(B) Of two.\nPlain three."
    last = len(text)
    parts = [
        Outline("(1)", 0, text.index("\n(2)")),
        Outline("(1)(A)", text.index("(A)"), text.index("\n(2)")),
        Outline("(2)", text.index("(2)"), last),
        Outline("(2)(B)", text.index("(B)"), last),
    ]
    own = [(0, text.index("\nPlain.")), (text.index("(2)"), text.index("\nPlain two"))]
    ends = [part.end for part in cut_to_lists(parts, own)]
    assert ends == [text.index("\nPlain."), text.index("\nPlain."), last, last]


def test_a_list_counted_anew_within_one_part_makes_all_its_parts_uncertain() -> None:
    text = "(2) Two.\n(A) Of clinics;\n(B) of labs;\n(A) of the board;\n(B) of its chair; and\n(C) of staff.\n(3) Three."
    found = settled(text, nested(text, "(2)", "(2)(A)", "(2)(B)", "(2)(A)", "(2)(B)", "(2)(C)", "(3)"), [])
    assert [part.label for part in found if not part.uncertain] == ["(2)", "(3)"]


def test_another_version_of_the_first_part_counts_nothing_anew() -> None:
    text = "(1) [Until 2023.]\n(a) So.\n(1) [From 2023.]\n(a) Thus.\n(2) Two."
    found = settled(text, nested(text, "(1)", "(1)(a)", "(1)", "(1)(a)", "(2)"), [])
    assert [part.label for part in found if not part.uncertain] == ["(2)"]
