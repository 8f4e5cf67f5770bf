"""The working copy of what is stored elsewhere: what runs take from there, and store when they end."""

import json
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from assets.storage.errors import StorageError
from assets.storage.local_copy import require_store
from assets.storage.needs import Need
from assets.storage.object_store import ObjectStore
from assets.storage.transfer import Moved, pull, push
from assets.storage.workspace_parts import Part

_FORMAT = 1
_MARK = "store.json"

Say = Callable[[str], None]
_Of = TypeVar("_Of")


def take(needs: Iterable[Need], say: Say) -> None:
    """Bring what a run needs to its newest stored state; the caller has the workspace alone.

    Raises:
        StorageError: the store does not give it, or the working copy is that of another one.
    """
    for need, store in _stored([(need, need.part) for need in needs]):
        moved = pull(store, need.part, need.wants)
        if moved.files:
            say(f"Taken from {store.url}: {need.part.name}, {_told(moved)}.")


def keep(parts: Iterable[Part], say: Say = lambda _: None) -> None:
    """Store parts as they are here; an unchanged one costs two questions.

    Raises:
        StorageConflictError: somebody else stored one since it was taken.
        StorageError: the store does not take it.
    """
    for part, store in _stored([(part, part) for part in parts]):
        moved = push(store, part)
        if moved.files:
            say(f"Stored in {store.url}: {part.name}, {_told(moved)}.")


@contextmanager
def working_copy(needs: Iterable[Need], say: Say) -> Iterator[None]:
    """Take what the block needs, and store what it made, also where it failed; not where it was stopped.

    Raises:
        StorageError: as `take` and `keep`; where the block failed, that is raised, and this said.
    """
    needs = tuple(needs)
    parts = [need.part for need in needs]
    take(needs, say)
    try:
        yield
    except Exception:
        try:
            keep(parts, say)
        except StorageError as error:
            say(error.message)
        raise
    keep(parts, say)


def _stored(parts: Iterable[tuple[_Of, Part]]) -> Iterator[tuple[_Of, ObjectStore]]:
    """Yield what has a part that is stored elsewhere, each with its store, which is asked once."""
    opened: dict[tuple[str, Path], ObjectStore] = {}
    for one, part in parts:
        if part.store is not None:
            place = part.store, part.root
            if place not in opened:
                opened[place] = _opened(*place)
            yield one, opened[place]


def _opened(url: str, root: Path) -> ObjectStore:
    """Return the store at a URL, and make it one where nothing is there yet.

    Raises:
        StorageError: it cannot be used, or the folder is the working copy of another one.
    """
    store = ObjectStore.open(url)
    content = store.read(_MARK) or _founded(store)
    try:
        fields = json.loads(content)
        identity, form = str(fields["id"]), fields["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise StorageError(f"{store.url}/{_MARK} is not ours: give an empty prefix.") from error
    if form != _FORMAT:
        raise StorageError(f"{store.url} is of format {form}, and this version knows {_FORMAT}: update it.")
    require_store(root, identity, store.url)
    return store


def _founded(store: ObjectStore) -> bytes:
    """Mark an empty store as one of ours.

    Raises:
        StorageError: it lets a second writer replace what a first one created, and would lose builds.
    """
    store.create(_MARK, _new_mark())
    content = store.read(_MARK)
    if content is None or store.create(_MARK, _new_mark()) or store.read(_MARK) != content:
        raise StorageError(
            f"{store.url} does not keep a second writer from replacing what a first one wrote "
            "(If-None-Match): two builds at once would lose one of them. Use a store that does, such as S3."
        )
    return content


def _new_mark() -> bytes:
    return json.dumps({"format": _FORMAT, "id": secrets.token_hex(16)}).encode() + b"\n"


def _told(moved: Moved) -> str:
    return f"{moved.files:,} {'file' if moved.files == 1 else 'files'}, {moved.bytes:,} bytes"
