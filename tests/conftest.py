"""Fixtures that several suites share."""

import fcntl
from pathlib import Path

import pytest

from assets.encoder.build import build_encoder

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def encoder_folder() -> Path:
    """The default encoder, built once and kept in the checkout's cache; safe with test runs side by side."""
    folder = CHECKOUT / ".cache" / "encoder"
    folder.parent.mkdir(exist_ok=True)
    with (folder.parent / "encoder.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build_encoder(folder)
    return folder
