"""Encoders that are open in this process: snapshots with the same one share it, and forked processes too."""

from pathlib import Path
from weakref import WeakValueDictionary

from serving.encoder.config import load_config, verify_files
from serving.encoder.encoder import Encoder, open_encoder

_opened: WeakValueDictionary[str, Encoder] = WeakValueDictionary()


def opened_encoder(folder: Path) -> Encoder:
    """Return the encoder in a folder; the one that is open, where its files are the same.

    Args:
        folder: likewise of `open_encoder`.

    Raises:
        SnapshotCorruptError: a file is missing, is not what the configuration says, or cannot be used.
    """
    config = load_config(folder)
    sha256 = verify_files(folder, config)
    encoder = _opened.get(sha256)
    # The name and the dimension are no part of the hash.
    if encoder is None or encoder.config != config:
        encoder = open_encoder(folder, sha256=sha256)
        _opened[sha256] = encoder
    return encoder
