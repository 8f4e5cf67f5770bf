"""Losses of search from one snapshot to the next: which are allowed, and what is said of the others."""

import pytest

from assets.errors import BuildError
from assets.release.evaluation.gate import Margins, SearchLossError, compare, require_no_loss
from assets.release.evaluation.judgements import EvaluationSet, Query
from assets.release.evaluation.runs import Run

MARGINS = Margins(all=0.02, kind=0.05, least_of_kind=3, least=3)
KINDS = ("lay", "lay", "lay", "name")
QUERIES = tuple(Query(f"q{number}", kind, "x", None, "heldout") for number, kind in enumerate(KINDS))
ASKED = EvaluationSet(QUERIES, {query.id: {"a": 3} for query in QUERIES})
HELD = {"a", "x", "y"}


def _run(*lists: str) -> Run:
    return Run("hybrid", "s", {query.id: [*nodes] for query, nodes in zip(QUERIES, lists, strict=True)}, {})


def test_what_both_know_is_compared_by_kind() -> None:
    changes = compare(_run("xa", "a", "a", "a"), _run("a", "a", "a", "xa"), ASKED, HELD, MARGINS)
    assert [(change.kind, change.queries, change.margin) for change in changes] == [
        ("lay", 3, 0.05),
        ("name", 1, None),
        ("all", 4, 0.02),
    ]
    lay, name, everything = changes
    assert lay.before == 1
    assert lay.now == pytest.approx(2 / 3 + 0.6309 / 3, abs=1e-3)
    assert name.now > name.before
    assert [change.is_loss for change in changes] == [True, False, False]
    assert everything.now == pytest.approx(everything.before)


def test_law_that_came_or_went_is_no_loss() -> None:
    """A provision that one snapshot alone holds counts neither as an answer nor as one that pushes it down."""
    before, now = _run("a", "a", "a", "za"), _run("nnnna", "nna", "a", "a")
    assert all(change.now == change.before == 1 for change in compare(now, before, ASKED, HELD, MARGINS))
    gone = compare(_run("x", "x", "x", "x"), before, ASKED, {"x"}, MARGINS)
    assert gone == []


def test_a_kind_of_few_queries_is_told_and_holds_nothing_back() -> None:
    (_, name, everything) = compare(_run("a", "a", "a", ""), _run("a", "a", "a", "a"), ASKED, HELD, MARGINS)
    assert (name.before, name.now, name.is_loss) == (1, 0, False)
    assert everything.is_loss


def test_a_loss_is_refused_with_both_figures() -> None:
    changes = compare(_run("xya", "a", "a", "a"), _run("a", "a", "a", "a"), ASKED, HELD, MARGINS)
    with pytest.raises(SearchLossError) as refused:
        require_no_loss("2026.11.22-2", "2026.11.22-1", changes)
    assert isinstance(refused.value, BuildError)
    said = refused.value.message
    assert "Snapshot 2026.11.22-2 was not published: its search finds less than that of 2026.11.22-1." in said
    assert "lay (3 questions): nDCG@10 0.833 after 1.000, 0.167 less where 0.05 is allowed" in said
    assert "all (4 questions): nDCG@10 0.875 after 1.000, 0.125 less where 0.02 is allowed" in said
    assert "name" not in said.partition("Find the cause")[0]
    assert "lawbuild --publish-worse" in said
    require_no_loss("2026.11.22-2", "2026.11.22-1", [change for change in changes if not change.is_loss])
