"""Blocks, folding, cells and marks of a text that is built run by run."""

from hypothesis import given
from hypothesis import strategies as st

from assets.ingest.block_text import LEAD_HEADING, LEAD_NUMBER, BlockText, first_character


def test_white_space_of_every_kind_is_folded() -> None:
    text = BlockText()
    for run in ("  A\u00a0lamp ", "\n\t", " burns", "."):
        text.add(run)
    assert text.text() == "A lamp burns."


def test_blocks_are_lines_and_empty_ones_leave_no_trace() -> None:
    text = BlockText()
    for run in ("One", "", " \n ", "Two"):
        text.start_block()
        text.add(run)
        text.break_line()
    assert text.text() == "One\nTwo"


def test_raised_digits_and_fractions_stay_apart_from_the_number_before_them() -> None:
    text = BlockText()
    text.add("2 x 10")
    with text.raised():
        text.add("3")
        assert text.position == 7
        text.add(" or 4th ")
    text.add("5, by 6")
    text.start_fraction()
    text.add("1/2")
    assert text.text() == "2 x 10³ or ⁴th 5, by 6 1/2"


def test_designators_stand_together_and_blocks_stay_beside_them() -> None:
    text = BlockText()
    for number in ("(a)", "(1)"):
        text.start_block()
        text.start_number()
        text.add(number)
        text.end_lead(LEAD_NUMBER)
    text.start_block()
    text.add("Oil.")
    assert text.text() == "(a)(1) Oil."


def test_text_runs_on_from_a_heading_that_ends_with_a_dash() -> None:
    for heading, expected in (("Scope.—", "Scope.—Oil."), ("Scope.", "Scope. Oil.")):
        text = BlockText()
        text.add(heading)
        text.end_lead(LEAD_HEADING)
        text.start_block()
        text.add("Oil.")
        assert text.text() == expected


def test_cells_are_separated_and_hold_no_line_breaks() -> None:
    text = BlockText()
    for row in (("a", "", "c"), ("", "e"), ("", "")):
        text.start_row()
        for number, cell in enumerate(row):
            text.start_cell(first=number == 0)
            text.add(cell)
            text.break_line()
        text.end_row()
    assert text.text() == "a | | c\n| e"


def test_a_gap_before_punctuation_can_be_closed() -> None:
    text = BlockText()
    text.add("oil ")
    text.tighten()
    text.add(", and gas")
    assert text.text() == "oil, and gas"


@given(st.lists(st.tuples(st.sampled_from(["add", "block", "space"]), st.text(max_size=8)), max_size=30))
def test_nothing_but_white_space_changes_and_positions_hold(steps: list[tuple[str, str]]) -> None:
    text = BlockText()
    marks = []
    for step, run in steps:
        if step == "block":
            text.break_line()
        elif step == "space":
            text.space()
        marks.append((text.position, run))
        text.add(run)
    whole = text.text()
    assert "".join(whole.split()) == "".join("".join(run for _, run in steps).split())
    assert len(whole) == text.position
    assert not whole.startswith((" ", "\n"))
    assert not whole.endswith((" ", "\n"))
    for position, run in marks:
        words = run.split()
        if words:
            start = first_character(whole, position)
            assert whole.startswith(words[0].lstrip("|"), start) or words[0].startswith("|")
