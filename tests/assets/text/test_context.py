"""The context line: what it names, and what it leaves out when it would be too long."""

import pytest

from assets.text.context import HeadingTrail, context_lines
from serving.encoder.tokens import PassageTokenizer


def line(tokenizer: PassageTokenizer, trail: HeadingTrail, limit: int = 64) -> str:
    (made,) = context_lines([trail], tokenizer, limit=limit)
    return made


FAIR_USE = HeadingTrail("17 U.S.C. § 107", ("Copyrights", "Subject Matter and Scope"), "Fair use")


def test_line_names_citation_ancestors_and_heading(tokenizer: PassageTokenizer) -> None:
    assert line(tokenizer, FAIR_USE) == "17 U.S.C. § 107 — Copyrights > Subject Matter and Scope — Fair use"


def test_outer_ancestors_are_left_out_first(tokenizer: PassageTokenizer) -> None:
    full = int(tokenizer.count([line(tokenizer, FAIR_USE)])[0])
    assert line(tokenizer, FAIR_USE, full - 1) == "17 U.S.C. § 107 — Subject Matter and Scope — Fair use"
    assert line(tokenizer, FAIR_USE, full - 5) == "17 U.S.C. § 107 — Fair use"


def test_what_is_empty_leaves_no_trace(tokenizer: PassageTokenizer) -> None:
    assert line(tokenizer, HeadingTrail("1 U.S.C. § 1", ("", "General"), "")) == "1 U.S.C. § 1 — General"
    assert line(tokenizer, HeadingTrail("", (), "Heading")) == "Heading"
    assert line(tokenizer, HeadingTrail("", (), "")) == ""


@pytest.mark.parametrize("heading", ["definitions of terms " * 40, "x." * 400, "señal " * 90])
def test_heading_beyond_the_limit_loses_its_end(tokenizer: PassageTokenizer, heading: str) -> None:
    made = line(tokenizer, HeadingTrail("1 U.S.C. § 1", ("Outer",), heading))
    assert f"1 U.S.C. § 1 — {heading}".startswith(made)
    assert made.startswith("1 U.S.C. § 1 —")
    assert int(tokenizer.count([made])[0]) <= 64


def test_shortened_heading_ends_with_a_whole_word(tokenizer: PassageTokenizer) -> None:
    made = line(tokenizer, HeadingTrail("1 U.S.C. § 1", (), "extraterritoriality " * 40), 20)
    assert made.endswith("extraterritoriality")
