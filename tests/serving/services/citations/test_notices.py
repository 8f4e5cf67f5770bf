"""Notices of what is no longer in force: one part, several, or a range of them."""

import pytest

from serving.services.citations.notices import notice_at


@pytest.mark.parametrize(
    ("text", "labels", "status"),
    [
        ("(c) Repealed. Pub. L. 104–208, § 304(b), Sept. 30, 1996, 110 Stat. 3009.", ("c",), "repealed"),
        ("[(e) , (f) Repealed. Pub. L. 110–181, § 1083, Jan. 28, 2008.]", ("e", "f"), "repealed"),
        ("(c), (d) Omitted\n(e) In force.", ("c", "d"), "omitted"),
        ("(d) to (g) Repealed. Pub. L. 111–296.", ("d", "e", "f", "g"), "repealed"),
        ("(i)-(iii)Repealed.", ("i", "ii", "iii"), "repealed"),
        ("(4) [Repealed].", ("4",), "repealed"),
        ("(iii) Repealed; and", ("iii",), "repealed"),
        ("(a) Reserved.", ("a",), "reserved"),
        ("(g) Redesignated (f)", ("g",), "renumbered"),
        ("(c)(1) Repealed.", ("1",), "repealed"),
    ],
)
def test_a_notice_names_what_it_is_of(text, labels, status):
    notice = notice_at(text, 0)
    assert notice is not None
    assert (notice.labels, notice.status) == (labels, status)
    assert "\n" not in text[notice.start : notice.end]


@pytest.mark.parametrize(
    "text",
    [
        "(c) Repealed provisions of the Act stay in force.",
        "(c) Reserved powers.—The Mayor may act.",
        "(c) Reserved.—The Mayor may act.",
        "(c) The rule is repealed.",
        "Repealed.",
        "(c) Transferred employees keep their grade.",
    ],
)
def test_other_words_are_no_notice(text):
    assert notice_at(text, 0) is None
