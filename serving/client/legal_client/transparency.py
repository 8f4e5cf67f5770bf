"""Checks of the service's log of snapshots: that it is whole, signed, and only ever grew.

The formats are tlog-checkpoint, tlog-tiles and signed-note of C2SP; entries are those of the guide.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import zip_longest

from legal_client.calls import COMPLETE_TILE
from legal_client.proofs import MalformedProofError, leaf_hash, root_of

SNAPSHOT_LEAF = "legal-snapshot/1"
_HASH_BYTES = 32
_ED25519 = 1


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a log: its name, the number of its entries, their root, and the note that says so."""

    origin: str
    size: int
    root: bytes
    note: str

    @classmethod
    def parse(cls, note: str) -> "Checkpoint":
        """Read a note.

        Raises:
            MalformedProofError: it is no checkpoint.
        """
        try:
            origin, size, root = note.partition("\n\n")[0].split("\n")[:3]
            return cls(origin, int(size), base64.b64decode(root, validate=True), note)
        except (ValueError, binascii.Error):
            raise MalformedProofError("the checkpoint is not three lines of name, size and root") from None


@dataclass(frozen=True, slots=True)
class Log:
    """A log as it was fetched: its checkpoint, the hashes of its entries, and the entries."""

    checkpoint: Checkpoint
    hashes: tuple[bytes, ...]
    entries: tuple[bytes, ...]


def tiles(size: int) -> Iterator[tuple[str, int]]:
    """Yield number and width of the tiles that hold so many hashes or entries."""
    for first in range(0, size, COMPLETE_TILE):
        yield f"{first // COMPLETE_TILE:03}", min(COMPLETE_TILE, size - first)


def read_hashes(content: bytes) -> list[bytes]:
    """Return the hashes in a tile."""
    return [content[at : at + _HASH_BYTES] for at in range(0, len(content), _HASH_BYTES)]


def read_entries(content: bytes) -> list[bytes]:
    """Return the entries in a tile of them; what is cut off at its end is left out."""
    entries = []
    place = 0
    while place + 2 <= len(content):
        end = place + 2 + int.from_bytes(content[place : place + 2], "big")
        if end > len(content):
            break
        entries.append(content[place + 2 : end])
        place = end
    return entries


def log_faults(log: Log, *, kept: Checkpoint | None = None, key: str | None = None) -> Iterator[str]:
    """Yield what is wrong with a log, a line each.

    Args:
        log: the log as it was fetched.
        kept: a checkpoint of it that was seen before; None: whether it was rewritten is not seen.
        key: public key that must have signed its checkpoint; None: signatures are not looked at.

    Raises:
        MalformedProofError: the key is none, or nothing is installed that checks signatures.
    """
    now = log.checkpoint
    if root_of(log.hashes) != now.root or len(log.hashes) != now.size:
        yield "log/tile/0: its hashes do not make the root of the checkpoint"
    for number, (hashed, entry) in enumerate(zip_longest(log.hashes, log.entries, fillvalue=b"")):
        if leaf_hash(entry) != hashed:
            yield f"log/tile/entries: entry {number} is not the one of which the log has the hash"
            break
    if kept is not None:
        yield from _rewritten(log, kept)
    if key is not None and not _is_signed(now.note, key):
        yield f"log/checkpoint: is not signed by {key.partition('+')[0]}"


def _rewritten(log: Log, kept: Checkpoint) -> Iterator[str]:
    now = log.checkpoint
    if kept.origin != now.origin:
        yield f"log/checkpoint: is of the log {now.origin}; the one that was kept is of {kept.origin}"
    elif now.size < kept.size:
        yield f"log: was rewritten: it had {kept.size} entries when it was last seen, and has {now.size}"
    elif root_of(log.hashes[: kept.size]) != kept.root:
        yield f"log: was rewritten: its first {kept.size} entries are not those that were last seen"


def snapshots_in(log: Log) -> Mapping[str, Sequence[Mapping[str, str]]]:
    """Return what the entries say, by the snapshots that they are of."""
    found: dict[str, list[Mapping[str, str]]] = {}
    for entry in log.entries:
        first, *lines = entry.decode(errors="replace").split("\n")
        if first == SNAPSHOT_LEAF:
            fields = dict(line.partition(" ")[::2] for line in lines if line)
            found.setdefault(fields.get("snapshot", ""), []).append(fields)
    return found


def entry_faults(log: Log, snapshot: str, claimed: Mapping[str, str]) -> Iterator[str]:
    """Yield what differs between the entry of a snapshot and what is claimed of it, word by word."""
    found = snapshots_in(log).get(snapshot, ())
    if not found:
        yield f"log: {snapshot} is not in it"
    elif len(found) > 1:
        yield f"log: {snapshot} is in it {len(found)} times"
    else:
        for name, value in claimed.items():
            if found[0].get(name) != value:
                yield f"{snapshot}: its {name} is {value}, and {found[0].get(name)} in the log"


def _is_signed(note: str, key: str) -> bool:
    name, key_id, public = _verifier(key)
    text, _, signatures = note.partition("\n\n")
    for line in signatures.split("\n"):
        dash, _, rest = line.partition(" ")
        signer, _, encoded = rest.partition(" ")
        try:
            raw = base64.b64decode(encoded, validate=True)
        except (ValueError, binascii.Error):
            continue
        is_of_key = (dash, signer, raw[:4]) == ("\u2014", name, key_id)
        if is_of_key and _holds(public, raw[4:], f"{text}\n".encode()):
            return True
    return False


def _verifier(key: str) -> tuple[str, bytes, bytes]:
    """Return name, id and bytes of a public key."""
    try:
        name, key_id, encoded = key.split("+", 2)
        public = base64.b64decode(encoded, validate=True)
        stated = bytes.fromhex(key_id)
    except (ValueError, binascii.Error):
        name, public, stated = "", b"", b""
    if len(public) != 1 + _HASH_BYTES or public[0] != _ED25519 or _id(name, public) != stated:
        raise MalformedProofError(
            "the key is none of a log: one is NAME+ID+KEY, as the service's operator gives it"
        )
    return name, stated, public[1:]


def _id(name: str, public: bytes) -> bytes:
    return hashlib.sha256(f"{name}\n".encode() + public).digest()[:4]


def _holds(public: bytes, signature: bytes, text: bytes) -> bool:
    try:
        ed25519 = import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
        refused = import_module("cryptography.exceptions").InvalidSignature
    except ModuleNotFoundError as error:
        raise MalformedProofError("signatures need `pip install legal-client[signatures]`") from error
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except refused:
        return False
    return True
