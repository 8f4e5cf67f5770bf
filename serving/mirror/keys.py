"""Keys of mirrors: Ed25519, each in a PEM file that its owner alone can read."""

import os
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from securesystemslib.signer import CryptoSigner

from serving.mirror.errors import MirrorError


def make_key(path: Path) -> CryptoSigner:
    """Make a key, put it into a new file, and return what signs with it.

    Raises:
        MirrorError: the file is there already.
    """
    signer = CryptoSigner.generate_ed25519()
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise MirrorError(f"{path} is there already; a key is never replaced.") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(signer.private_bytes)
    return signer


def load_key(path: Path) -> CryptoSigner:
    """Return what signs with the key in a file.

    Raises:
        MirrorError: the file cannot be read, or holds no such key.
    """
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise MirrorError(f"The key in {path} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise MirrorError(f"{path} holds no key of a mirror; `lawctl mirror key` makes one.")
    return CryptoSigner(key)
