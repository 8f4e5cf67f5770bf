"""Checkpoints and their signatures, against the example of the specification and a second reader."""

import base64
import hashlib
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from serving.transparency.checkpoint import (
    Checkpoint,
    CheckpointError,
    LogKeyError,
    Signer,
    make_key,
    unsigned,
)

SIZED = Checkpoint("law.example/log", 20852163, bytes(range(32)))


def read_signature(note: bytes, verifier: str) -> None:
    """Check a signed note as its specification says, written out."""
    text, _, signatures = note.decode().partition("\n\n")
    name, key_id, public = verifier.split("+", 2)
    key = base64.b64decode(public)
    assert key_id == hashlib.sha256(name.encode() + b"\n" + key).digest()[:4].hex()
    dash, signer, signature = signatures.removesuffix("\n").split(" ")
    assert (dash, signer) == ("\u2014", name)
    raw = base64.b64decode(signature)
    assert raw[:4].hex() == key_id
    assert key[:1] == b"\1"
    Ed25519PublicKey.from_public_bytes(key[1:]).verify(raw[4:], f"{text}\n".encode())


def test_the_text_of_a_checkpoint_is_that_of_the_specification() -> None:
    assert SIZED.text == f"law.example/log\n20852163\n{base64.b64encode(bytes(range(32))).decode()}\n"
    assert Checkpoint.parse(unsigned(SIZED)) == SIZED


def test_a_signature_is_that_of_the_text_and_the_key(tmp_path: Path) -> None:
    made = make_key("law.example/log", tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    signer = Signer.load(tmp_path / "key")
    assert signer.verifier == made.verifier
    note = signer.sign(SIZED)
    read_signature(note, made.verifier)
    assert Checkpoint.parse(note) == SIZED
    with pytest.raises(InvalidSignature):
        read_signature(note.replace(b"20852163", b"20852164"), made.verifier)


def test_a_key_is_never_replaced_and_a_file_of_something_else_refused(tmp_path: Path) -> None:
    make_key("law.example/log", tmp_path / "key")
    with pytest.raises(LogKeyError, match="never replaced"):
        make_key("law.example/log", tmp_path / "key")
    with pytest.raises(LogKeyError, match="no name of a log"):
        make_key("law example", tmp_path / "other")
    line = (tmp_path / "key").read_text(encoding="ascii")
    for wrong in ("", "secret", line.replace("law.example", "low.example"), line.removeprefix("PRIVATE+")):
        (tmp_path / "wrong").write_text(wrong, encoding="ascii")
        with pytest.raises(LogKeyError, match="holds no key"):
            Signer.load(tmp_path / "wrong")
    with pytest.raises(LogKeyError, match="cannot be read"):
        Signer.load(tmp_path / "absent")


@pytest.mark.parametrize(
    "note",
    [
        b"",
        b"\xff",
        b"law\n1\n\n",
        b"law\n01\n" + base64.b64encode(bytes(32)),
        b"law\n1\nAAAA\n\n",
        b"\n1\n\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(note: bytes) -> None:
    with pytest.raises(CheckpointError):
        Checkpoint.parse(note)
