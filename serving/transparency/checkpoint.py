"""Checkpoints of the log: its size and root as a note, signed or not, as tlog-checkpoint of C2SP has it."""

import base64
import binascii
import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from serving.contract.errors import LawError
from serving.contract.merkle import HASH_BYTES

_ED25519 = b"\1"
"""Type of the signature, as signed notes number them."""
_PRIVATE = "PRIVATE+KEY"
_NAME = re.compile(r"[^\s+]+")
_SIZE = re.compile(r"0|[1-9][0-9]{0,17}")


class LogKeyError(LawError):
    """The key that signs the log cannot be read, or cannot be made."""

    code = "log_key"


class CheckpointError(ValueError):
    """A note is no checkpoint."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a log.

    Attributes:
        origin: name of the log, which never changes.
        size: number of its entries.
        root: root of the tree over them.
    """

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    @classmethod
    def parse(cls, note: bytes) -> "Checkpoint":
        """Read a checkpoint, whatever its signatures.

        Raises:
            CheckpointError: it is none.
        """
        try:
            text, blank, _ = note.decode().partition("\n\n")
            origin, size, root = text.split("\n")[:3]
            hashed = base64.b64decode(root, validate=True)
        except (ValueError, binascii.Error) as error:
            raise CheckpointError(f"is no checkpoint: {error}") from error
        is_canonical = base64.b64encode(hashed).decode() == root
        if not (blank and origin and _SIZE.fullmatch(size) and is_canonical and len(hashed) == HASH_BYTES):
            raise CheckpointError("is no checkpoint: its lines are not origin, size and root")
        return cls(origin, int(size), hashed)


class Signer:
    """Signs checkpoints with an Ed25519 key, as signed notes of C2SP are signed."""

    def __init__(self, name: str, key: Ed25519PrivateKey) -> None:
        self.name = name
        self._key = key
        public = _ED25519 + key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self._id = _key_id(name, public)
        self.verifier = f"{name}+{self._id.hex()}+{base64.b64encode(public).decode()}"
        """The public key, as those are given it who check signatures."""

    @classmethod
    def load(cls, path: Path) -> "Signer":
        """Read the key in a file.

        Raises:
            LogKeyError: it cannot be read, or holds no such key.
        """
        try:
            line = path.read_text(encoding="ascii").strip()
        except (OSError, ValueError) as error:
            raise LogKeyError(f"The key of the log in {path} cannot be read: {error}") from error
        parts = line.removeprefix(f"{_PRIVATE}+").split("+", 2)
        try:
            name, found, encoded = parts
            secret = base64.b64decode(encoded, validate=True)
            signer = cls(name, Ed25519PrivateKey.from_private_bytes(secret.removeprefix(_ED25519)))
        except (ValueError, binascii.Error):
            signer, found = None, ""
        if signer is None or not line.startswith(_PRIVATE) or signer._id.hex() != found:
            raise LogKeyError(f"{path} holds no key of a log; `lawctl log key` makes one.")
        return signer

    def sign(self, checkpoint: Checkpoint) -> bytes:
        """Return the signed note of a checkpoint."""
        signature = base64.b64encode(self._id + self._key.sign(checkpoint.text.encode())).decode()
        return f"{checkpoint.text}\n\u2014 {self.name} {signature}\n".encode()


def make_key(name: str, path: Path) -> Signer:
    """Make a key, put it into a new file that its owner alone can read, and return what signs with it.

    Raises:
        LogKeyError: the name is none, or the file is there already.
    """
    if not _NAME.fullmatch(name):
        raise LogKeyError(f"{name!r} is no name of a log: give one such as law.example/log, without blanks.")
    key = Ed25519PrivateKey.generate()
    secret = _ED25519 + key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    signer = Signer(name, key)
    line = f"{_PRIVATE}+{name}+{signer._id.hex()}+{base64.b64encode(secret).decode()}\n"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise LogKeyError(f"{path} is there already; a key is never replaced.") from None
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(line)
    return signer


def unsigned(checkpoint: Checkpoint) -> bytes:
    """Return the note of a checkpoint without a signature."""
    return f"{checkpoint.text}\n".encode()


def _key_id(name: str, public: bytes) -> bytes:
    return hashlib.sha256(f"{name}\n".encode() + public).digest()[:4]
