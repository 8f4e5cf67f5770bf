"""Sources given as URLs of an object store: brought here, once for each version of the object."""

import json
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from assets.storage.errors import StorageError
from assets.storage.object_store import ObjectStore
from assets.workspace import Workspace, is_url, replacing

_NOTE = ".given.json"


def require_object(url: str) -> None:
    """Raise an error where a URL leads to no object.

    Raises:
        StorageError: it does not, or the store cannot be asked.
    """
    _mark(ObjectStore.open(url))


def on_this_machine(
    place: str | None, workspace: Workspace, key: str, say: Callable[[str], None] = lambda _: None
) -> str | None:
    """Return the path of a source that was given as a path or as the URL of an archive, which is fetched.

    Args:
        place: what was given, if anything.
        workspace: takes the archive, beside those of other code bodies and layers.
        key: of the code body or layer.
        say: told what is fetched.

    Raises:
        StorageError: the URL leads to no object, or the store does not give it.
    """
    if place is None or not is_url(place):
        return place
    store, folder = ObjectStore.open(place), workspace.given(key)
    note = {"url": place, "mark": _mark(store)}
    path = folder / _name(place)
    if not path.is_file() or _noted(folder) != note:
        say(f"Fetching {place}")
        with replacing(folder) as staging:
            store.download({"": staging / path.name})
            (staging / _NOTE).write_text(json.dumps(note), encoding="utf-8")
    return str(path)


def _mark(store: ObjectStore) -> str:
    mark = store.mark()
    if mark is None:
        raise StorageError(f"There is no object {store.url}. Give the URL of an archive, not of a folder.")
    return mark


def _name(url: str) -> str:
    return PurePosixPath(urlsplit(url).path).name or "source"


def _noted(folder: Path) -> object:
    try:
        return json.loads((folder / _NOTE).read_bytes())
    except (OSError, ValueError):
        return None
