"""Words of list items: what stands in them twice, and designators that the words begin with themselves."""

import pytest

from assets.ingest.formats.unicourt_items import said_once, unprinted


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("Any college pays.(2) (a) Any college pays.", "Any college pays."),
        ("The Board shall meet. C. 1. The Board shall meet.", "The Board shall meet."),
        ("One shall pay. (1)a. One shall pay.", "One shall pay."),
        ("Each day counts. (b) Each day is new.", None),
        ("Each day counts. Each day counts.", None),
        ("No. No.", None),
        ("", None),
    ],
)
def test_words_with_designators_between_are_said_once(words: str, kept: str | None) -> None:
    assert said_once(words) == (words if kept is None else kept)


@pytest.mark.parametrize(
    ("lead", "words", "left"),
    [
        ("(a)", "(19.5) (a) Grain means corn.", ""),
        ("(a)(I)", '(4.3) (a) (I) "Grain" means corn.', ""),
        ("(4)(a)", "(b.5) (a) Grain means corn.", "(4)"),
        ("A. 1.", "A. 1. Grain means corn.", ""),
        ("(1)", "(a)(1) of this section applies", "(1)"),
        ("(a)", "(a) Grain means corn.", "(a)"),
        ("(a)", "(ii) (b) Grain means corn.", "(a)"),
    ],
)
def test_designators_that_the_words_begin_with_are_not_written_again(
    lead: str, words: str, left: str
) -> None:
    assert unprinted(lead, words) == left
