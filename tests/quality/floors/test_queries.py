"""The queries by which the floor of search is judged: sorted into kinds that the encoder tells apart."""

import tomllib
from itertools import chain
from pathlib import Path

import pytest

from serving.encoder.encoder import open_encoder
from serving.encoder.tokens import PassageTokenizer

QUERIES: dict[str, dict[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "queries.toml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def tokenizer(encoder_folder: Path) -> PassageTokenizer:
    return open_encoder(encoder_folder).tokenizer


def test_no_query_is_judged_twice() -> None:
    every = list(chain.from_iterable(chain.from_iterable(parts.values()) for parts in QUERIES.values()))
    assert len(every) == len(set(every)) > 200


@pytest.mark.parametrize("part", ["learned", "held_out"])
def test_what_means_nothing_has_no_word_that_the_encoder_knows(
    part: str, tokenizer: PassageTokenizer
) -> None:
    known = [query for query in QUERIES["nothing"][part] if tokenizer.knows_word(query)]
    assert set(known) <= {"qqq www eee"}
    assert not [query for query in QUERIES["misspelled"][part] if tokenizer.knows_word(query)]


@pytest.mark.parametrize("kind", ["real", "elsewhere"])
def test_questions_of_several_words_have_one_that_the_encoder_knows(
    kind: str, tokenizer: PassageTokenizer
) -> None:
    questions = [query for query in chain(*QUERIES[kind].values()) if len(query.split()) > 2]
    assert not [query for query in questions if not tokenizer.knows_word(query)]
