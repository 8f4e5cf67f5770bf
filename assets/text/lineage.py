"""Versions of what chunks and vectors are made from."""

from pathlib import Path

from assets.stage_record import version_of
from assets.versions import code_version, digest_of

CODE = code_version(
    "assets/text", "serving/encoder", "serving/contract", libraries=("onnxruntime", "tokenizers", "pyarrow")
)
"""Version of the code that cuts texts and encodes chunks, and checks both."""


def text_rules(encoder_sha256: str) -> str:
    """Return the version of how this stage works: of its code and its encoder."""
    return digest_of(CODE, encoder_sha256)


def text_inputs(folder: Path, rules: str) -> str:
    """Return the version of what a table of this stage is made from.

    Args:
        folder: of the stage before, whose files it is made from.
        rules: as `text_rules` gives them.
    """
    return digest_of(rules, version_of(folder))
