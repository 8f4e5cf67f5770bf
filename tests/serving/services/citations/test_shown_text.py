"""Drafts as they are shown, with the way back to what is written."""

import pytest

from serving.services.citations.drafts import check_draft
from serving.services.citations.shown_text import ShownText


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("1 S.F.C. § 5", "1 S.F.C. § 5"),
        ("1&nbsp;S.F.C.&#160;&sect;&#xA0;5", "1 S.F.C. § 5"),
        ("1~S.F.C.\\ \\S~5", "1 S.F.C. § 5"),
        ("\\S\\S 5, 7 \\& 8", "§ § 5, 7 & 8"),
        ("\\textsection{}5, not \\Subset", "§ 5, not \\Subset"),
        ("\u202a§ \u200e5\u202c", "§ 5"),
        ("§ 1\u200b2", "§ 12"),
        ("§ &lrm;1&#8203;2", "§ 12"),
        ("see\u200bthis", "see\u200bthis"),
        ("§   5 \t 7", "§  5  7"),
        ("§\r\n   5\r\n\r\n  Next", "§\n5\n\nNext"),
        ("AT&T; R&D &unknown; &amp; ~5", "AT&T; R&D &unknown; & ~5"),
    ],
)
def test_what_is_written_is_shown(written, shown):
    assert ShownText.of(written).text == shown


def test_what_is_shown_leads_back_to_what_is_written():
    written = "a &sect;&sect;&nbsp;5\r\n  b"
    shown = ShownText.of(written)
    assert [written[slice(*shown.span(place, place + 1))] for place in range(len(shown.text))] == [
        "a",
        " ",
        "&sect;",
        "&sect;",
        "&nbsp;",
        "5",
        "\r\n  ",
        "b",
    ]


@pytest.mark.parametrize("word", ["a", "&sect;5", "&#160;7", "b", "x"])
def test_what_is_written_leads_to_what_is_shown(word):
    written = "a &sect;5&#160;7\r\n  b   x"
    shown = ShownText.of(written)
    start = written.index(word)
    first, last = shown.shown_span(start, start + len(word))
    assert shown.text[first:last] == ShownText.of(word).text
    assert shown.span(first, last) == (start, start + len(word))


@pytest.mark.parametrize(
    "cited",
    [
        "1&nbsp;S.F.C.&nbsp;&sect;&nbsp;7(a)",
        "1~S.F.C. \\S~7(a)",
        "1 S.F.C. §\r\n    7(a)",
        "1 S.F.C. § \u200e7(a)",
        "1 S.F.C. § 7\\(a\\)",
    ],
)
def test_a_citation_is_found_however_it_is_typed(snapshot, cited):
    draft = f"As&nbsp;said&nbsp;in {cited}, and  in 1 S.F.C. §&#160;8."
    check = check_draft(snapshot, draft)
    assert [(one.resolution.input, str(one.resolution.outcome)) for one in check.checked] == [
        (cited, "found"),
        ("1 S.F.C. §&#160;8", "repealed"),
    ]
    assert [draft[start:end] for start, end in check.spans] == [cited, "1 S.F.C. §&#160;8"]
    assert check.checked[0].resolution.citation == "1 S.F.C. § 7(a)"


def test_a_number_with_an_invisible_sign_is_not_its_beginning(snapshot):
    (only,) = check_draft(snapshot, "1 S.F.C. § 5\u200b0 says so").checked
    assert only.resolution.citation == "1 S.F.C. § 50"
