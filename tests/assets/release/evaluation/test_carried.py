"""The run that a snapshot carries."""

from assets.release.evaluation.carried import from_carried, to_carried
from assets.release.evaluation.judgements import Query
from assets.release.evaluation.runs import Run

ASKED = tuple(Query(name, "lay", f"may I “{name}”", "dc", "heldout") for name in ("a", "b", "c"))
RUN = Run("hybrid", "2026.11.22-1", {"a": ["n1", "n2"], "b": [], "c": ["n3"]}, {})


def test_what_is_asked_in_the_same_words_is_read_again() -> None:
    assert from_carried(to_carried(RUN, ASKED), "2026.11.22-1", ASKED) == RUN


def test_a_question_that_was_rewritten_or_moved_is_another() -> None:
    stored = to_carried(RUN, ASKED)
    now = (
        ASKED[0],
        Query("b", "lay", "other words", "dc", "heldout"),
        Query("c", "lay", ASKED[2].text, None, "heldout"),
        Query("d", "lay", "new", None, "heldout"),
    )
    assert from_carried(stored, "2026.11.22-1", now).ranked == {"a": ["n1", "n2"]}
