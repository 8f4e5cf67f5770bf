"""Vectors of the phrases that lead to NAICS codes: one each, made once, in the order of the phrases."""

import numpy as np
import pytest

from assets.errors import BuildError
from assets.formation.build import require_encoder
from assets.text.phrases import BATCH, encode_phrases
from serving.encoder.encoder import open_encoder


def test_a_phrase_is_encoded_once_whoever_asks(tmp_path, encoder_folder):
    encoder = open_encoder(encoder_folder)
    texts = ["bakery", "barber shop", "bakery", *(f"shop {number}" for number in range(BATCH))]
    told = []
    vectors = encode_phrases(texts, encoder, tmp_path / "cache", progress=lambda *done: told.append(done))
    assert told[-1] == (len(texts) - 1, len(texts) - 1)
    assert np.array_equal(vectors[0], vectors[2])
    assert np.allclose(vectors[:2].astype(np.float32), encoder.encode_batch(texts[:2]), atol=1e-3)

    told.clear()
    turned = encode_phrases(
        texts[::-1], encoder, tmp_path / "cache", progress=lambda *done: told.append(done)
    )
    assert np.array_equal(turned, vectors[::-1])
    assert not told


def test_vectors_of_another_encoder_are_refused(tmp_path):
    with pytest.raises(BuildError, match="build"):
        require_encoder(tmp_path, "a")
    (tmp_path / "built.json").write_text('{"encoder": "b"}', encoding="utf-8")
    with pytest.raises(BuildError, match="another encoder"):
        require_encoder(tmp_path, "a")
