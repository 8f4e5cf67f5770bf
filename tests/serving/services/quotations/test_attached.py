"""Modals and numbers right before a quotation: those that belong to its first word, and those that do not."""

import pytest

from serving.services.quotations.attached import has_modal_before, has_number_before


@pytest.mark.parametrize(
    "before",
    [
        "The Mayor may ",
        "The Mayor shall not ",
        "The fee shall be ",
        "The board shall not—\n(2) ",
        "The Commission must:\n(b-2) ",
        "The Secretary shall, upon request, ",
        "The Secretary shall, if not ",
        "The Secretary shall within 30 days ",
        "A member may also ",
        "The court may only ",
        "The record must have been ",
    ],
)
def test_modal_of_the_next_word(before):
    assert has_modal_before(before)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "Such report shall include—\n(2) ",
        "The following definitions shall apply:\n(f) ",
        "as may be necessary ",
        "The Mayor shall incorporate the ",
        "If it may be restored ",
        "The owner shall comply ",
        "in the month ",
    ],
)
def test_modal_of_another_word(before):
    assert not has_modal_before(before)


@pytest.mark.parametrize(
    "before",
    [
        "within 30 ",
        "not more than $1,000 ",
        "imprisoned for not more than five ",
        "a fee of 10 percent of the ",
        "10% of ",
        "a term of 1½ ",
        "an initial two-year ",
        "within five (5) ",
        "not less than 2000 ",
        "(2) Within 90 ",
    ],
)
def test_number_that_counts_the_next_word(before):
    assert has_number_before(before)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "(2) ",
        "(d-1) ",
        "the following 5 members:\n(3) ",
        "for up to 30 years—\n(2) ",
        "as defined in section 2105 ",
        "under section 553(b)(1) ",
        "in section 2105 of ",
        "in sections 3002 and 3311 ",
        "in §§ 47-1806.09 through 47-1806.10 ",
        "title 10 ",
        "the Act of 1956 ",
        "on October 1 ",
        "before 1978 ",
        "Fiscal Year 2015 ",
        "in effect on December 31, 1979, ",
        "as in § 7-1801.01(5) ",
        "six possible locations ",
    ],
)
def test_number_that_counts_nothing_here(before):
    assert not has_number_before(before)


def test_many_labels_before_other_words_are_read_at_once():
    assert not has_modal_before("shall " + "(a)" * 300 + "x")
