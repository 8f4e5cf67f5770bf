"""Pin cites: the span of the part that is cited, or of the nearest one above, never of another."""

import pytest

from serving.services.citations.pins import find_pin
from serving.services.citations.resolution import PinReason


def part(label, start, end, *, uncertain=False):
    return {"label": label, "start": start, "end": end, "uncertain": uncertain}


OUTLINE = [
    part("(a)", 0, 50),
    part("(a)(1)", 5, 30),
    part("(a)(1)(A)", 10, 20),
    part("(a)(1)(i)", 20, 30, uncertain=True),
    part("(a)(2)", 30, 50),
    part("(b)", 50, 60),
    part("(b)", 60, 70),
    part("(b)(1)", 65, 70),
    part("(d–1)", 70, 80),
]


def find(*labels, through=()):
    return find_pin(OUTLINE, labels, through, text="." * 100)


def span(found):
    return found.found, found.start, found.end, found.nearest


def test_label_in_the_outline_gives_its_part():
    assert span(find("a")) == (True, 0, 50, None)
    assert span(find("a", "1", "A")) == (True, 10, 20, None)


def test_pin_is_named_as_it_is_written():
    assert find("a", "1", "A").label == "(a)(1)(A)"
    assert find("a", "1", through=("a", "2")).label == "(a)(1)-(2)"
    assert find("a", through=("b",)).label == "(a)-(b)"
    assert find("a", "1", through=("b", "1")).label == "(a)(1)-(b)(1)"


def test_missing_label_gives_the_nearest_part_above():
    assert span(find("a", "1", "B")) == (False, 5, 30, "(a)(1)")
    assert span(find("a", "9", "A")) == (False, 0, 50, "(a)")


def test_nothing_above_gives_the_whole_text():
    assert span(find("z")) == (False, 0, 100, None)
    assert span(find_pin([], ("a", "1"), text="." * 7)) == (False, 0, 7, None)


def test_case_is_not_guessed():
    assert span(find("A")) == (False, 0, 100, None)
    assert span(find("a", "1", "a")) == (False, 5, 30, "(a)(1)")


def test_label_that_stands_twice_is_not_chosen():
    assert span(find("b")) == (False, 0, 100, None)
    assert span(find("b", "2")) == (False, 0, 100, None)
    assert span(find("b", "1")) == (True, 65, 70, None)


def test_any_dash_is_a_dash():
    assert span(find("d-1")) == (True, 70, 80, None)


def test_uncertain_part_is_said_to_be():
    assert find("a", "1", "i").uncertain
    assert find("a", "1", through=("a", "1")).uncertain is False
    assert find("a", "1", "A", through=("a", "1", "i")).uncertain


def test_range_spans_from_its_first_part_to_its_last():
    assert span(find("a", "1", through=("a", "2"))) == (True, 5, 50, None)


def test_range_with_a_missing_end_gives_what_holds_both():
    assert span(find("a", "1", through=("a", "3"))) == (False, 0, 50, "(a)")
    assert span(find("a", through=("c",))) == (False, 0, 100, None)


def test_range_that_runs_backwards_is_not_found():
    assert span(find("a", "2", through=("a", "1"))) == (False, 0, 50, "(a)")


def test_missing_label_says_so():
    assert find("z").reason is PinReason.NOT_IN_OUTLINE
    assert find("z").candidates == ()
    assert find("a").reason is None


def test_label_that_several_parts_bear_gives_them_all():
    found = find("b")
    assert found.reason is PinReason.SEVERAL_PARTS
    assert [(part.label, part.start, part.end) for part in found.candidates] == [
        ("(b)", 50, 60),
        ("(b)", 60, 70),
    ]
    ranged = find("a", through=("b",))
    assert (ranged.reason, len(ranged.candidates)) == (PinReason.SEVERAL_PARTS, 2)


DEFINITIONS = "“Treaty” is—\n(1) one;\n(2) two.\n“Work” is—\n(1) made; or\n(2) (A) sold."


def guessed(*labels, uncertain=True):
    outline = [
        part("(1)", 13, 21, uncertain=uncertain),
        part("(2)", 22, len(DEFINITIONS), uncertain=uncertain),
    ]
    return find_pin(outline, labels, text=DEFINITIONS)


def test_guess_beside_lines_of_the_same_label_is_not_chosen():
    found = guessed("1")
    assert (found.found, found.reason, found.start, found.end) == (
        False,
        PinReason.SEVERAL_PARTS,
        0,
        len(DEFINITIONS),
    )
    assert [DEFINITIONS[part.start : part.end] for part in found.candidates] == ["(1) one;", "(1) made; or"]
    assert all(part.uncertain for part in found.candidates)


def test_parts_that_the_source_marks_are_certain_whatever_other_lines_say():
    assert guessed("1", uncertain=False).found


DEFINED = "For this title—\n(a) Doctor\nThe term means (1) a doctor, or (2) a nurse.\n(b) Fee.\n(1) One.\n(c)(1) Two."


def part_of(label, first, last):
    return part(label, DEFINED.index(first), DEFINED.index(last) + len(last))


DEFINED_OUTLINE = [
    part_of("(a)", "(a)", "nurse."),
    part_of("(b)", "(b)", "One."),
    part_of("(b)(1)", "(1) One", "One."),
    part_of("(c)", "(c)", "Two."),
    part_of("(c)(1)", "(1) Two", "Two."),
]


def read(*labels, through=()):
    return find_pin(DEFINED_OUTLINE, labels, through, text=DEFINED)


def labels_of(spans):
    return [one.label for one in spans]


def test_missing_label_has_those_beside_it():
    assert labels_of(find("a", "1", "B").neighbours) == ["(a)(1)(A)", "(a)(1)(i)"]
    assert labels_of(find("a", "9", "A").neighbours) == ["(a)(1)", "(a)(2)"]
    assert labels_of(find("z").neighbours) == ["(a)", "(b)", "(b)", "(d–1)"]
    assert labels_of(find("a", "1", through=("a", "3")).neighbours) == ["(a)(1)", "(a)(2)"]
    assert find("a", "2", "A").neighbours == find("a").neighbours == ()


def test_clause_of_a_sentence_is_a_part_though_no_outline_holds_it():
    found = read("a", "2")
    assert (found.found, found.uncertain) == (True, True)
    assert DEFINED[found.start : found.end] == "(2) a nurse."
    missing = read("a", "3")
    assert (missing.found, missing.nearest, labels_of(missing.neighbours)) == (
        False,
        "(a)",
        ["(a)(1)", "(a)(2)"],
    )


def test_words_above_a_part_lead_in_to_it():
    led = [(one.label, DEFINED[one.start : one.end]) for one in read("a", "2").lead_in]
    assert led == [(None, "For this title—"), ("(a)", "(a) Doctor\nThe term means")]
    fees = [(one.label, DEFINED[one.start : one.end]) for one in read("b", "1").lead_in]
    assert fees == [(None, "For this title—"), ("(b)", "(b) Fee.")]
    assert labels_of(read("c", "1").lead_in) == [None]
    assert labels_of(read("b", through=("c",)).lead_in) == [None]
    assert read("a", "9").lead_in == ()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("(c) Repealed. Pub. L. 104–208, § 304(b), Sept. 30, 1996, 110 Stat. 3009.", "repealed"),
        ("[(c) Repealed.]", "repealed"),
        ("(c) [Reserved].", "reserved"),
        ("(c) Omitted", "omitted"),
        ("(c)(1) Repealed;", "repealed"),
        ("(c) Redesignated (d)", "renumbered"),
        ("(c) Repealed provisions of the Act stay in force.", "in_force"),
        ("(c) Reserved powers.—The Mayor may act.", "in_force"),
        ("(c) Reserved.—The Mayor may act.", "in_force"),
        ("(c) Repealed.\n(1) The Mayor may act.", "in_force"),
        ("(c) The rule is repealed.", "in_force"),
    ],
)
def test_part_says_itself_that_it_is_not_in_force(text, status):
    outline = [part("(c)", 0, len(text))]
    assert find_pin(outline, ("c",), text=text).status == status


HEADED = "First. The Board.\n(a) Of thirty.\n(b) Of ten.\nSecond. Regional boards, as (a) says.\nThird. The end.\n(c) A fee."
HEADED_OUTLINE = [
    part("(a)", HEADED.index("(a) Of"), HEADED.index("\n(b)"), uncertain=True),
    part("(b)", HEADED.index("(b)"), HEADED.index("\n(c)"), uncertain=True),
    part("(c)", HEADED.index("(c)"), len(HEADED), uncertain=True),
]


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (("First", "b"), "(b) Of ten."),
        (("Third", "c"), "(c) A fee."),
        (("First",), "First. The Board.\n(a) Of thirty.\n(b) Of ten."),
    ],
)
def test_part_under_an_ordinal_is_the_one_within_its_paragraph(labels, words):
    found = find_pin(HEADED_OUTLINE, labels, text=HEADED)
    assert found.found
    assert HEADED[found.start : found.end] == words


@pytest.mark.parametrize("labels", [("First", "c"), ("Second", "b"), ("Fourth", "a"), ("Third", "c", "1")])
def test_part_of_another_ordinal_is_not_found_under_this(labels):
    found = find_pin(HEADED_OUTLINE, labels, text=HEADED)
    assert (found.found, found.reason) == (False, PinReason.NOT_IN_OUTLINE)


def test_words_above_a_part_under_an_ordinal_are_those_of_its_paragraph():
    found = find_pin(HEADED_OUTLINE, ("First", "b"), text=HEADED)
    assert [(words.label, HEADED[words.start : words.end]) for words in found.lead_in] == [
        ("First", "First. The Board.")
    ]
    missing = find_pin(HEADED_OUTLINE, ("First", "c"), text=HEADED)
    assert [one.label for one in missing.neighbours] == ["First(a)", "First(b)"]
