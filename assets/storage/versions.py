"""Versions of a part in the store: numbered manifests, of which each is created once and never changed.

Whoever creates the next number has stored the part; who comes second finds it taken: nothing is overwritten.
Files lie in objects of their own, which manifests name: until a manifest does, nobody looks at them.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from assets.storage.errors import StorageError
from assets.storage.object_store import ObjectStore
from assets.storage.workspace_parts import Part

KEPT = timedelta(days=7)
"""Time for which a version stays that another one followed: whoever began to take it ends by then."""

_STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of a part, and the object with its bytes."""

    path: str
    sha256: str
    bytes: int
    object: str


@dataclass(frozen=True, slots=True)
class Version:
    """A state of a part, as it was stored.

    Attributes:
        number: from 1; 0 is the state before the first.
        stored_at: RFC 3339 in UTC.
        stored_by: name of the machine.
        files: by their paths.
    """

    number: int
    stored_at: str
    stored_by: str
    files: tuple[StoredFile, ...]

    def to_json(self) -> bytes:
        """Return the manifest."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    @property
    def identity(self) -> str:
        """Sign that no other version has, also where its number was given again; "" of `NONE`."""
        return hashlib.sha256(self.to_json()).hexdigest() if self.number else ""

    def content(self) -> dict[str, str]:
        """Return the hashes of all files by their paths."""
        return {file.path: file.sha256 for file in self.files}


NONE = Version(0, "", "", ())
"""State of a part of which nothing is stored yet."""


def newest_version(store: ObjectStore, part: Part) -> Version:
    """Return the newest state of a part.

    Raises:
        StorageError: it cannot be read, or is no manifest of this part.
    """
    numbers = _numbers(store, part)
    return _load(store, part, max(numbers)) if numbers else NONE


def add_version(store: ObjectStore, part: Part, version: Version) -> bool:
    """Store a state of a part, whose files are there; return whether its number was free."""
    return store.create(_key(part, version.number), version.to_json())


def objects_of(part: Part, push: str) -> str:
    """Return the prefix of the objects that one push of a part writes."""
    return f"parts/{part.name}/files/{push}"


def new_push(now: datetime, token: str) -> str:
    """Return the name of a push: when it began, and what no other one has."""
    return f"{now:{_STAMP}}-{token}"


def sweep(store: ObjectStore, part: Part, now: datetime) -> int:
    """Remove versions that were followed long ago, and objects that no other names; return how many.

    An object that no manifest names yet may be one of a push at work, if it is young. Reading all manifests
    takes a while, so that they are left to gather for as long again.
    """
    numbers = sorted(_numbers(store, part))
    if len(numbers) < 2 or now - _instant(_load(store, part, numbers[1]).stored_at) <= 2 * KEPT:
        return 0
    versions = {number: _load(store, part, number) for number in numbers}
    followed = pairwise(numbers)
    old = [one for one, after in followed if now - _instant(versions[after].stored_at) > KEPT]
    store.remove([_key(part, number) for number in old])
    named = {file.object for number in numbers if number not in old for file in versions[number].files}
    prefix = f"parts/{part.name}/files"
    unnamed = [key for key in store.keys(prefix) if key not in named and now - _began(prefix, key) > KEPT]
    store.remove(unnamed)
    return len(old) + len(unnamed)


def _numbers(store: ObjectStore, part: Part) -> list[int]:
    names = (key.rpartition("/")[2] for key in store.keys(f"parts/{part.name}/versions"))
    return [int(stem) for stem in (name.removesuffix(".json") for name in names) if stem.isdecimal()]


def _key(part: Part, number: int) -> str:
    return f"parts/{part.name}/versions/{number:08d}.json"


def _load(store: ObjectStore, part: Part, number: int) -> Version:
    key = _key(part, number)
    content = store.read(key)
    if content is None:
        raise StorageError(f"{store.url}/{key} is not there any more: somebody removed it. Begin again.")
    try:
        fields = json.loads(content)
        files = tuple(StoredFile(**file) for file in fields.pop("files"))
        version = Version(files=files, **fields)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StorageError(
            f"{store.url}/{key} is no manifest ({error}): remove it to go on without."
        ) from error
    strange = [file.path for file in files if not part.holds(file.path)]
    if strange or version.number != number:
        raise StorageError(
            f"{store.url}/{key} is no manifest of {part.name}: {strange[:1] or version.number}. "
            "Remove it to go on without."
        )
    return version


def _began(prefix: str, key: str) -> datetime:
    """Return when the push began that wrote an object; long ago for what no push wrote."""
    stamp = key[len(prefix) + 1 :].partition("-")[0]
    try:
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
