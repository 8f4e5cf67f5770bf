"""Marks of footnotes that a source left among the words, and figures that are none."""

import pytest

from serving.services.quotations.designators import marks_of


def left(text: str, footnotes: set[str]) -> str:
    for skip in reversed(marks_of(text, footnotes)):
        text = text[: skip.start] + text[skip.end :]
    return text


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("sections 1079(j)(1) ¹ and 1086(d)", "sections 1079(j)(1) and 1086(d)"),
        ("exceed $15,000,¹ on account", "exceed $15,000, on account"),
        ("“the Bank”² and all", "“the Bank” and all"),
        ("of title 10.¹²", "of title 10."),
        ("of title 10 1 shall apply", "of title 10 shall apply"),
    ],
)
def test_marks_of_footnotes_are_left_out(text: str, without: str) -> None:
    assert left(text, {"1", "2", "12"}) == without


@pytest.mark.parametrize(
    "text",
    [
        "less than 30 kg/m²",
        "of 1.3×10¹ parts",
        "an amount of (1+r)²",
        "section 1144¹ of this title",
        "sections 79(j)(1) ³ and 86",
        "sections 79(j)(1) ¹³ and 86",
        "for 2 boats and 1 lamp",
    ],
)
def test_exponents_and_numbers_of_no_footnote_stay(text: str) -> None:
    assert left(text, {"1", "2"}) == text


def test_without_footnotes_nothing_is_a_mark() -> None:
    assert left("of title 10 1 and 10 ¹ shall", set()) == "of title 10 1 and 10 ¹ shall"
