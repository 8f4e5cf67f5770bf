"""Terms of provisions in order: what ranking reckons from them is what the search engine says of the same words."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import KEYWORD, TERMS
from serving.snapshot.filters import Filters
from serving.snapshot.keyword import KeywordIndex
from serving.snapshot.store import Snapshot
from serving.snapshot.terms import TermTable
from serving.snapshot.word_scores import WordScores

QUERIES = [
    "return of a security deposit",
    "Sample City Code § 29-801.02(a)",
    "29-801.02 registered agent",
    '"landlord shall return" deposit',
    '"security deposit" "treble damages"',
    '"deposit"',
    "deposit",
    "qqqq",
    "qqqq deposit",
    '"qqqq deposit"',
    "of the",
    "wells no person",
    "naive facade",
    "the quick brown fox " * 20,
    " ".join(f"{letter}{number}" for letter in "abcdefghij" for number in range(40)),
]
_WORDS = (
    "landlord",
    "tenant",
    "deposit",
    "return",
    "person",
    "permit",
    "well",
    "agent",
    "29",
    "801",
    "02",
    "qq",
)


@pytest.fixture(scope="module")
def searching(snapshot: Snapshot) -> KeywordIndex:
    """The keyword index of the snapshot without terms, and without knowing what passes filters."""
    return KeywordIndex(snapshot.folder / KEYWORD)


def _require_same(ours: WordScores, searched: WordScores) -> None:
    for name in ("relevance", "held", "in_heading", "in_citation", "counted"):
        assert getattr(ours, name) == pytest.approx(getattr(searched, name), rel=1e-5, abs=1e-6), name
    assert ours.rarity == searched.rarity
    # The engine also takes some pairs the other way round, by which of the two is the rarer word.
    assert np.all(ours.pairs <= searched.pairs + 1e-9)


@pytest.mark.parametrize("query", QUERIES)
def test_words_are_worth_what_the_search_engine_says(
    query: str, snapshot: Snapshot, searching: KeywordIndex
) -> None:
    rows = np.random.default_rng(3).permutation(len(snapshot.nodes)).tolist()
    _require_same(snapshot.keyword.score(query, rows), searching.score(query, rows))


@settings(max_examples=60, deadline=None)
@given(words=st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6), quoted=st.booleans())
def test_any_words_are(words: list[str], quoted: bool, snapshot: Snapshot, searching: KeywordIndex) -> None:
    query = f'"{" ".join(words[:2])}" {" ".join(words[2:])}' if quoted else " ".join(words)
    rows = list(range(len(snapshot.nodes)))
    _require_same(snapshot.keyword.score(query, rows), searching.score(query, rows))


@pytest.mark.parametrize(
    ("query", "near"),
    [("landlord return", 1), ("return landlord", 0), ("landlord days", 0), ("shall return", 1)],
)
def test_neighbours_stand_in_their_order_and_not_far_from_each_other(
    query: str, near: int, snapshot: Snapshot, row: Callable[[str], int]
) -> None:
    # "A landlord shall return the security deposit within 45 days": one word between them.
    scores = snapshot.keyword.score(query, [row("/sample/code/t1/s102")])
    assert scores.pairs.tolist() == [near]


def test_neighbours_of_two_provisions_are_none(snapshot: Snapshot) -> None:
    table = TermTable(snapshot.folder / TERMS)
    sequences = table.read(np.arange(len(table)))
    assert len(table) == len(snapshot.nodes)
    # Each value ends with a gap, so that the last term of one is no neighbour of the first of the next.
    assert np.all(sequences.terms[sequences.starts[1:] - 1] == 0)


@pytest.mark.parametrize("filters", [Filters(), Filters(statuses=()), Filters(level="section")])
@pytest.mark.parametrize("query", [*QUERIES, "permit", "person", "section", "any person who"])
@pytest.mark.parametrize("limit", [1, 5, 40])
def test_candidates_are_those_of_the_whole_query(
    query: str, limit: int, filters: Filters, snapshot: Snapshot, searching: KeywordIndex
) -> None:
    found = snapshot.keyword.candidates(query, filters=filters, limit=limit)
    assert found == searching.candidates(query, filters=filters, limit=limit)


@pytest.mark.parametrize("missing", ["sequences.npy", "bounds.npy", "vocabulary.arrow"])
def test_a_file_that_is_missing_or_another_is_named(missing: str, snapshot: Snapshot, tmp_path: Path) -> None:
    folder = tmp_path / "terms"
    shutil.copytree(snapshot.folder / TERMS, folder)
    (folder / missing).unlink()
    with pytest.raises(SnapshotCorruptError, match="holds no terms"):
        TermTable(folder)
    (folder / missing).write_bytes(b"something else")
    with pytest.raises(SnapshotCorruptError, match="holds no terms"):
        TermTable(folder)


def test_bounds_of_another_shape_are_refused(snapshot: Snapshot, tmp_path: Path) -> None:
    folder = tmp_path / "terms"
    shutil.copytree(snapshot.folder / TERMS, folder)
    np.save(folder / "bounds.npy", np.zeros((3, 2), np.int64))
    with pytest.raises(SnapshotCorruptError, match="bounds of shape"):
        TermTable(folder)
