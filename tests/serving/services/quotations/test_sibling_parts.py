"""Parts of a list that a quotation joins, and those that it quotes one after another."""

import pytest

from serving.services.quotations.sibling_parts import joins_siblings

LIST = """(a) Whoever—
(1) sells a berth to a stranger;
(2) Boats.—Being the master of a boat, leases a berth; or
(3) lets, in the harbor—
(A) a lamp burn by day; or
(B) a bell ring by night,
shall be fined by the board.
(b) The board hears the master. The fine is paid at once."""
_ENDS = {"(a)": "(b)", "(1)": "(2)", "(2)": "(3)", "(3)": "shall", "(A)": "(B)", "(B)": "shall"}
OUTLINE = [
    {
        "label": label,
        "start": LIST.index(label),
        "end": LIST.index(_ENDS[label]) - 1 if label in _ENDS else len(LIST),
        "uncertain": False,
    }
    for label in ("(a)", "(1)", "(2)", "(3)", "(A)", "(B)", "(b)")
]
_LAST_WITH_REST = [
    {**one, "end": LIST.index("(b)") - 1} if one["label"] in ("(3)", "(B)") else one for one in OUTLINE
]
"""The same where the words behind the list are taken for the end of its last part."""


@pytest.mark.parametrize("outline", [OUTLINE, _LAST_WITH_REST])
@pytest.mark.parametrize(
    ("before", "behind", "joins"),
    [
        ("sells", "burn by day", True),
        ("sells a berth", "a lamp", True),
        ("sells a berth to a stranger", "leases", True),
        ("a lamp burn", "by night", True),
        ("sells", "hears the master", True),
        # What leads in goes with every part, and what follows the list does too.
        ("Whoever", "leases", False),
        ("Whoever", "burn by day", False),
        ("lets", "by night", False),
        ("sells", "shall be fined", False),
        ("a lamp burn", "be fined", False),
        # A part is quoted from its start, with its label or without, behind its heading too.
        ("sells", "(3) lets", False),
        ("sells", "lets", False),
        ("sells", "Being the master", False),
        ("a lamp", "a bell ring", False),
        ("sells", "The board hears", False),
        ("sells", "The fine is paid", False),
        # Nothing is joined within a part.
        ("sells", "to a stranger", False),
        ("The board", "at once", False),
    ],
)
def test_the_middle_of_a_part_goes_on_from_no_other(outline, before, behind, joins):
    start, end = LIST.index(before) + len(before), LIST.index(behind)
    assert joins_siblings(LIST, outline, start, end) is joins


def test_without_parts_nothing_is_joined():
    assert not joins_siblings(LIST, [], LIST.index("sells") + 5, LIST.index("leases"))
