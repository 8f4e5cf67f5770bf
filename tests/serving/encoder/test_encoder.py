"""The encoder on the real model: what its vectors are like, and that threads may share it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from serving.encoder.encoder import Encoder, open_encoder

FAIR_USE = (
    "The fair use of a copyrighted work for purposes such as criticism, comment, news reporting, teaching, "
    "scholarship or research is not an infringement of copyright."
)
PARKING = "No person shall park a vehicle within 10 feet of a fire hydrant or in front of a driveway."
QUERIES = ["copyright fair use", "can my landlord evict me?", "§ 107", "", "Río Grande"]


@pytest.fixture(scope="module")
def encoder(encoder_folder: Path) -> Encoder:
    return open_encoder(encoder_folder)


def test_vectors_are_float32_of_unit_length(encoder: Encoder) -> None:
    vectors = encoder.encode_batch([FAIR_USE, PARKING, "", "Repealed."])
    assert vectors.shape == (4, encoder.dimension) == (4, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    query = encoder.encode_query("fair use")
    assert query.shape == (384,)
    assert query.dtype == np.float32


def test_no_passages_give_no_vectors(encoder: Encoder) -> None:
    assert encoder.encode_batch([]).shape == (0, 384)


def test_vector_does_not_depend_on_what_is_encoded_with_it(encoder: Encoder) -> None:
    together = encoder.encode_batch([FAIR_USE, PARKING])
    alone = encoder.encode_batch([PARKING])
    assert np.array_equal(together[1], alone[0])


def test_query_about_fair_use_is_nearer_to_fair_use_than_to_parking(encoder: Encoder) -> None:
    query = encoder.encode_query("may I quote a book in my review without permission of the author")
    fair_use, parking = encoder.encode_batch([FAIR_USE, PARKING]) @ query
    assert fair_use > parking + 0.2


def test_threads_share_an_encoder_and_get_the_same_vectors(encoder: Encoder) -> None:
    expected = [encoder.encode_query(query) for query in QUERIES]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(encoder.encode_query, QUERIES * 10))
    assert all(np.array_equal(vector, expected[i % len(QUERIES)]) for i, vector in enumerate(found))


def test_query_beyond_the_longest_input_is_cut(encoder: Encoder) -> None:
    words = [f"w{number}" for number in range(2000)]
    ids = encoder.tokenizer.query_ids(" ".join(words))
    assert len(ids) == encoder.config.max_tokens
    assert ids[-1] == encoder.tokenizer.query_ids("x")[-1], "the closing special token stays"
    assert np.isclose(np.linalg.norm(encoder.encode_query(" ".join(words))), 1, atol=1e-6)


def test_passage_beyond_the_longest_input_is_refused(encoder: Encoder) -> None:
    with pytest.raises(ValueError, match="more than 256"):
        encoder.encode_batch(["fine", "law " * 300])


def test_text_that_looks_like_a_special_token_is_text(encoder: Encoder) -> None:
    special = encoder.tokenizer.query_ids("")
    ids = encoder.tokenizer.query_ids("[SEP]")
    assert len(ids) > len(special) + 1
    assert list(ids).count(special[-1]) == 1


def test_offsets_count_characters(encoder: Encoder) -> None:
    text = "Señal § 107 — naïve"
    tokens = encoder.tokenizer.tokenize(text)
    found = [text[start:end] for start, end in zip(tokens.start, tokens.end, strict=True)]
    assert "§" in found
    assert "107" in found
    assert "".join(found) == text.replace(" ", "")


def test_count_and_tokenize_agree(encoder: Encoder) -> None:
    texts = [FAIR_USE, "", "[CLS] § 1—2", "x" * 300]
    assert encoder.tokenizer.count(texts).tolist() == [len(encoder.tokenizer.tokenize(t).ids) for t in texts]
