"""Quotations between marks, of print, HTML and LaTeX."""

import pytest

from serving.services.quotations.marked_quotations import quotations_in, with_double_marks
from tests.growth import grows_with_length


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("“the term “work” means it” and “more”", ["the term “work” means it", "more"]),
        ('"the term "work" means it" and "more"', ['the term "work" means it', "more"]),
        ('a pipe of 5" and "a valve"', ["a valve"]),
        ("“left open\n\nand “closed”", ["closed"]),
        ("closed” and “open", []),
        ("“" + "x" * 6_000 + "”", []),
    ],
)
def test_quotations_are_those_between_the_outermost_marks(text, quoted):
    assert [text[start:end] for start, end in quotations_in(text)] == quoted


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("``a boat'' and ``a `fast' ship''", ["a boat", "a `fast' ship"]),
        ("\\enquote{a boat} and \\enquote*{a \\emph{fast} ship}", ["a boat", "a \\emph{fast} ship"]),
        ("<q>a boat</q> and <Q class='b'>a <b>fast</b> ship</Q>", ["a boat", "a <b>fast</b> ship"]),
        ("„a boat“ and „a ship”", ["a boat", "a ship"]),
        ("«a boat» and « a ship »", ["a boat", " a ship "]),
        ("'a fast boat' and ‘the owner’s fast ship’", ["a fast boat", "the owner’s fast ship"]),
        ('«a "fast" boat» and "a «fast» ship"', ['a "fast" boat', "a «fast» ship"]),
        ("\"a boat of 'the fast kind' there\" and 'a fast ship'", ["a boat of 'the fast kind' there", "a fast ship"]),
        # No quotations: code, fewer words than a sentence has, apostrophes, attributes, and what is left open.
        ("```\na boat\n``` and ``code`` in `b`", []),
        ("a 'boat' or 'fast ship' of the '90s", []),
        ("the owners' fast new ships' sails, a boat 5' by 6' of Smith's", []),
        ('<a href="a fast new boat" title="b">a ship</a>', []),
        ("Home » Law » Ships «", []),
        ("«a boat\n\na ship», ``a boat\n\na ship''", []),
    ],
)  # fmt: skip
def test_marks_of_all_kinds_enclose_quotations(text, quoted):
    doubled = with_double_marks(text)
    assert len(doubled) == len(text)
    assert [text[start:end] for start, end in quotations_in(doubled)] == quoted


@pytest.mark.parametrize(
    "repeated",
    [
        "``a ",
        "\\enquote{",
        "\\enquote{{a}",
        "<q>",
        "<q ",
        "«a ",
        "„a ",
        "'a ",
        "'a'b ",
        "‘a b c\n",
        "\n",
        "<a ",
    ],
)
def test_marks_that_nothing_closes_take_no_long_time(repeated):
    assert grows_with_length(
        lambda text: quotations_in(with_double_marks(text)),
        lambda length: repeated * (length // len(repeated)),
        80_000,
    )
