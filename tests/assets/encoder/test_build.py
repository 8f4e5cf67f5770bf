"""The build of the default encoder: true to the reference, the same every time, quick when done."""

import hashlib
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from assets.encoder.build import LARGEST_ERROR, LEAST_COSINE, build_encoder
from assets.encoder.reference import _erf, reference_vectors
from assets.encoder.sentences import SENTENCES
from assets.encoder.weights import find_model_folder, load_weights
from assets.errors import BuildError
from serving.encoder.encoder import open_encoder
from tests.conftest import QUERY_TOWER

UNSEEN = [
    "A deed must be signed, sealed and delivered before a notary public to be recorded.",
    "Any person who willfully evades any tax imposed by this title is guilty of a felony.",
    "The dog license fee is $15 for each dog over four months of age.",
    "The Commission shall publish notice of proposed rulemaking in the Federal Register.",
]


def test_report_states_how_true_the_model_is(encoder_folder: Path) -> None:
    report = build_encoder(encoder_folder, QUERY_TOWER)
    assert (report.name, report.dimension, report.sentences) == ("all-MiniLM-L6-v2", 384, len(SENTENCES))
    assert LEAST_COSINE <= report.worst_cosine <= report.mean_cosine < 1
    assert report.float_error <= LARGEST_ERROR
    assert report.sha256 == open_encoder(encoder_folder).sha256


def test_vectors_of_unseen_sentences_are_near_the_reference(encoder_folder: Path) -> None:
    encoder = open_encoder(encoder_folder)
    reference = reference_vectors(*load_weights(find_model_folder()), encoder.tokenizer.passage_ids(UNSEEN))
    cosines = (encoder.encode_batch(UNSEEN) * reference).sum(axis=1)
    assert cosines.min() >= LEAST_COSINE


def test_finished_encoder_is_left_alone(encoder_folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in encoder_folder.rglob("*")}
    build_encoder(encoder_folder, QUERY_TOWER)
    assert {path: path.stat().st_mtime_ns for path in encoder_folder.rglob("*")} == before


@pytest.mark.parametrize("file", ["model.onnx", "queries/model.onnx"])
def test_damaged_encoder_is_built_again_to_the_same_bytes(
    encoder_folder: Path, tmp_path: Path, file: str
) -> None:
    copied = Path(shutil.copytree(encoder_folder, tmp_path / "encoder"))
    (copied / file).write_bytes(b"damaged")
    build_encoder(copied, QUERY_TOWER)
    digests = [
        {
            path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in folder.rglob("*.*")
        }
        for folder in (copied, encoder_folder)
    ]
    assert digests[0] == digests[1]


def test_missing_package_says_how_to_install_it() -> None:
    with pytest.raises(BuildError, match="make install"):
        find_model_folder("no-such-package-of-weights")


def test_error_function_of_the_reference_is_exact_enough() -> None:
    values = np.linspace(-6, 6, 1001, dtype=np.float32)
    exact = np.array([math.erf(float(value)) for value in values])
    assert np.abs(_erf(values) - exact).max() < 2e-7
