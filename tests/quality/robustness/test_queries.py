"""A sample of the generated queries, asked of the application: each is answered, or refused with its reason."""

from tests.quality.robustness.queries import LONGEST, queries


def test_the_same_seed_gives_the_same_queries():
    first = list(queries(100))
    assert first == list(queries(100))
    assert first != list(queries(100, seed=14))
    assert all(0 < len(query) <= LONGEST for query in first)
    assert max(map(len, first)) == LONGEST
