"""A text and its folded form: the same length, and the original at any place."""

from serving.contract.citations.source import SourceText


def test_the_folded_text_has_the_places_of_the_original() -> None:
    text = "42\u00a0U.S.C. §\u20092000e‑1’s\tİ"
    source = SourceText.of(text)
    assert source.original == text
    assert source.folded == "42 u.s.c. § 2000e-1's İ"
    assert len(source) == len(source.folded) == len(text)


def test_a_number_is_written_with_plain_hyphens_and_in_its_own_case() -> None:
    source = SourceText.of("§ 29–801A and § 2000E-2")
    assert source.hyphenated(2, 9) == "29-801A"
    assert source.hyphenated(16, 23) == "2000E-2"


def test_lines_end_within_a_span() -> None:
    source = SourceText.of("section 3306(b)(1)—\n(1) wages")
    assert source.breaks_line(15, 21)
    assert not source.breaks_line(0, 19)
    assert "\n" not in source.folded


def test_marks_of_footnotes_are_blanks() -> None:
    assert SourceText.of("section 1144¹ or 5 ²³, of It").folded == "section 1144  or 5   , of it"
