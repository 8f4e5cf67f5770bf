"""Items that UniCourt's program put behind another list: no pin of theirs is sure."""

from collections.abc import Sequence

import pytest

from assets.ingest.formats.unicourt_strays import Item, Loose, with_strays
from assets.ingest.outline_from_text import outline_from_text
from assets.registry import LabelScheme

COLORADO = LabelScheme(("(1)", "(a)", "(I)", "(A)"))
RIGHTS = (
    "(1) The court acts.\n(a) It holds these data:\n(I) Data are privileged.\n(II) This does not apply to others.\n"
    "(III) To retain an attorney; and\n(IV) To see visitors.\n(2) A person has rights.\n(a) They are:\n"
    "(I) To be told the reason;\n(II) {last}\n(b) They end."
)


def uncertain(text: str, items: Sequence[Item], loose: Sequence[Loose]) -> list[str]:
    outline = with_strays(outline_from_text(text, COLORADO), text, items, loose, COLORADO)
    return [part.label for part in outline if part.uncertain]


@pytest.mark.parametrize(
    ("last", "found"),
    [
        ("To change status;", ["(1)(a)(III)", "(1)(a)(IV)"]),
        ("(Deleted by amendment, L. 2016.)", ["(1)(a)(III)", "(1)(a)(IV)"]),
        ("Repealed.", ["(1)(a)(III)", "(1)(a)(IV)"]),
        ("To change status.", []),
    ],
)
def test_what_follows_the_end_of_a_list_may_be_of_one_that_has_no_end(last: str, found: list[str]) -> None:
    """The shape is that of § 27-65-106 of the Colorado Revised Statutes, (9)(b) and (10)(a)."""
    text = RIGHTS.format(last=last)
    items = [Item("I", 1, text.index(words)) for words in ("(I) Data", "(II) This", "(III) To", "(IV) To")]
    loose = [Loose(2, text.index("(I) To be"), False), Loose(2, text.index("(II) " + last), False)]
    assert uncertain(text, items, loose) == found


def test_a_list_without_an_end_in_it_goes_on() -> None:
    text = RIGHTS.format(last="To change status;").replace("privileged.", "privileged;")
    text = text.replace("to others.", "to others;")
    items = [Item("I", 1, text.index(words)) for words in ("(I) Data", "(II) This", "(III) To", "(IV) To")]
    loose = [Loose(2, text.index("(I) To be"), False), Loose(2, text.index("(II) To change"), False)]
    assert uncertain(text, items, loose) == []


def test_paragraphs_behind_a_list_that_does_not_introduce_them_may_be_of_any_item() -> None:
    """The shape is that of § 9-1.5-103 of the Colorado Revised Statutes, (3)(e)."""
    text = (
        "(1) Excavation:\n(a) Notices:\n(I) None is due unless it will:\n(II) The line is drawn{end}\n"
        "(A) Lower the grade; or\n(B) Go deep.\n(b) Marks."
    )
    for end, found in ((".", ["(1)(a)(II)(A)", "(1)(a)(II)(B)"]), (" as follows:", [])):
        law = text.format(end=end)
        loose = [Loose(7, law.index("(A)"), True), Loose(7, law.index("(B)"), True)]
        assert uncertain(law, [], loose) == found
