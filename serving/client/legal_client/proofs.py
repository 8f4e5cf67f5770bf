"""Checks of proofs, offline: that an answer is what a snapshot's root was made over, and of which bytes.

Nothing here trusts the service. The formats are those of the guide's page on proofs.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from itertools import islice
from typing import Any

NODE_LEAF = "legal-node/1"
_IN_FULL = 100
_RUN = 12
"""Letters that have to follow one another in the source after a place where it has more than the text."""
_MARKUP = re.compile(rb"<!--.*?-->|<\?.*?\?>|<[^>]*>", re.DOTALL)
_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789")
_HASH = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
"""Names of members: another could hold the end of a line of the leaf, and hide other members in it."""


class MalformedProofError(ValueError):
    """A part of what was given to be checked is missing, or of another form."""


def leaf_hash(leaf: bytes) -> bytes:
    """Return the hash of a leaf, as RFC 9162 has it."""
    return hashlib.sha256(b"\0" + leaf).digest()


def root_of(hashes: Sequence[bytes]) -> bytes:
    """Return the root of the tree over the hashes of leaves."""
    if not hashes:
        return hashlib.sha256().digest()
    level = list(hashes)
    while len(level) > 1:
        pairs = [_inner(left, right) for left, right in zip(level[::2], level[1::2], strict=False)]
        level = [*pairs, *level[len(pairs) * 2 :]]
    return level[0]


def root_along(path: Sequence[bytes], leaf: bytes, index: int, size: int) -> bytes | None:
    """Return the root to which a path leads from the hash of a leaf; None if no leaf has such a path."""
    if not 0 <= index < size:
        return None
    hashed, last = leaf, size - 1
    for beside in path:
        if not last:
            return None
        if index % 2 or index == last:
            hashed = _inner(beside, hashed)
            while index and index % 2 == 0:
                index, last = index // 2, last // 2
        else:
            hashed = _inner(hashed, beside)
        index, last = index // 2, last // 2
    return None if last else hashed


def node_leaf(answer: Mapping[str, Any]) -> bytes:
    """Return the leaf of a provision."""
    lines = [NODE_LEAF]
    for name in sorted(answer):
        if name == "proof":
            continue
        value = answer[name]
        if name == "provenance" and isinstance(value, Mapping):
            value = {key: one for key, one in value.items() if key != "retrievedAt"}
        canonical = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        content = canonical.encode(errors="surrogatepass")
        if len(content) > _IN_FULL:
            canonical = f"sha256:{hashlib.sha256(content).hexdigest()}"
        lines.append(f"{name} {canonical}")
    return "".join(f"{line}\n" for line in lines).encode(errors="surrogatepass")


def node_faults(answer: Mapping[str, Any], *, root: str | None = None) -> Iterator[str]:
    """Yield what is wrong with an answer and its proof, a line each; nothing if the answer is proved.

    Args:
        answer: the answer with its proof.
        root: a root that is trusted; None: that of the proof is not compared.

    Raises:
        MalformedProofError: it holds no proof, or is of a form that no provision has.
    """
    proof = answer.get("proof")
    if not isinstance(proof, Mapping):
        raise MalformedProofError("it holds no proof: ask for it with `legal node ID --proof --json`")
    for name in answer:
        if not _NAME.fullmatch(name):
            raise MalformedProofError(f"it has a member {name[:40]!r}, and no provision has such")
    leaf, _ = (_part(proof, name, str) for name in ("leaf", "snapshot"))
    index, size = (_part(proof, name, int) for name in ("index", "size"))
    path = [_hash(one, "a hash of the proof's path") for one in _part(proof, "path", list)]
    claimed = _hash(proof.get("root"), "the proof's root")
    yield from _text_faults(answer)
    own = node_leaf(answer)
    stated = leaf.encode(errors="surrogatepass")
    if root_along(path, leaf_hash(stated), index, size) == claimed:
        yield from (f"{name}: is not what was published" for name in _differing(own, stated))
    elif root_along(path, leaf_hash(own), index, size) == claimed:
        yield "proof.leaf: is not the leaf of this provision, which is as it was published"
    elif own == stated:
        yield "proof: its path, index, size and root do not fit together: one of them was altered"
    else:
        yield "proof: its path does not lead from its leaf to its root"
        yield from (f"{name}: is not what the leaf says" for name in _differing(own, stated))
    if root is not None and claimed.hex() != root.lower():
        yield "proof.root: is not the root that is trusted"


def _text_faults(answer: Mapping[str, Any]) -> Iterator[str]:
    text = answer.get("text")
    if isinstance(text, str):
        found = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
        if found != answer.get("textSha256"):
            yield "textSha256: is not the hash of the text"


def source_faults(answer: Mapping[str, Any], source: bytes) -> Iterator[str]:
    """Yield what is wrong between a provision and the file that it was read from.

    Raises:
        MalformedProofError: the answer does not say what it was read from.
    """
    provenance = answer.get("provenance")
    if not isinstance(provenance, Mapping):
        raise MalformedProofError("it does not say which file it was read from")
    wanted = _hash(provenance.get("sha256"), "the hash of its source").hex()
    start, end = (_part(provenance, name, int) for name in ("byteStart", "byteEnd"))
    found = hashlib.sha256(source).hexdigest()
    if found != wanted:
        name = provenance.get("file")
        yield f"source: is not {name} as it was read: its SHA-256 is {found}, not {wanted}"
        return
    if not 0 <= start < end <= len(source):
        yield f"provenance: bytes {start} to {end} do not lie in the source of {len(source)} bytes"


def text_lost(answer: Mapping[str, Any], source: bytes) -> int | None:
    """Return the character of the text from which on it does not stand in its bytes of the source.

    None if all of it does, in its order, white space and markup aside; the source may have more in between.
    What a reader makes of markup, such as numbers of lists, does not stand there: the rest is then unknown.
    """
    provenance, text = answer["provenance"], answer["text"]
    own = source[provenance["byteStart"] : provenance["byteEnd"]]
    held = _squeezed(unescape(_MARKUP.sub(b" ", own).decode(errors="replace")))
    wanted = _squeezed(text)
    at = place = 0
    while at < len(wanted):
        run = _common(wanted, at, held, place)
        at, place = at + run, place + run
        if at < len(wanted):
            place = held.find(wanted[at : at + _RUN], place)
            if place < 0:
                return [number for number, letter in enumerate(text) if _squeezed(letter)][at]
    return None


def _common(left: str, at: int, right: str, place: int) -> int:
    """Return how many letters two texts have in common from two places on."""
    length = 0
    for one, other in zip(islice(left, at, None), islice(right, place, None), strict=False):
        if one != other:
            break
        length += 1
    return length


def _squeezed(text: str) -> str:
    """Return a text without white space and the bars between cells of tables; raised digits are digits."""
    return "".join(text.split()).replace("|", "").translate(_RAISED)


def _differing(own: bytes, stated: bytes) -> list[str]:
    """Return the names of the fields in which two leaves differ."""
    mine, theirs = (
        dict(line.partition(b" ")[::2] for line in leaf.split(b"\n")[1:] if line) for leaf in (own, stated)
    )
    different = [name for name in sorted({*mine, *theirs}) if mine.get(name) != theirs.get(name)]
    names = [name.decode(errors="replace") for name in different]
    return names or ([] if own == stated else ["proof.leaf"])


def _part(proof: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    value = proof.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise MalformedProofError(f"its `{name}` is missing or of another type")
    return value


def _hash(value: object, name: str) -> bytes:
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        raise MalformedProofError(f"{name} is no SHA-256 in hexadecimal digits")
    return bytes.fromhex(value)


def _inner(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()
