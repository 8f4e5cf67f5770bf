"""Pin cites: the span of the part that is cited, or of the nearest one above, never of another."""

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
