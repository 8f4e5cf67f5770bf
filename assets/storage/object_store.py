"""Objects under a URL of fsspec: small ones that are created once, and files of any size."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.storage.errors import StorageError


@dataclass(frozen=True, slots=True)
class ObjectStore:
    """The objects below one URL. Each method raises `StorageError` where the store does not do its part.

    Attributes:
        url: under which all keys are.
        filesystem: of fsspec, which knows the store.
        root: path of the URL in it.
    """

    url: str
    filesystem: Any
    root: str

    @classmethod
    def open(cls, url: str) -> "ObjectStore":
        """Return the store at a URL; nothing is asked of it yet.

        Raises:
            StorageError: no library knows such URLs, or the one that does is not installed.
        """
        from fsspec.core import url_to_fs  # noqa: PLC0415 - a workspace in folders opens no store

        try:
            # Others write there too: no list of an earlier call is believed.
            filesystem, root = url_to_fs(url, use_listings_cache=False)
        except ImportError as error:
            raise StorageError(
                f"{url} needs a library that is not installed here ({error}). For S3: "
                "`pip install --no-deps --require-hashes -r requirements-storage.lock`."
            ) from error
        except ValueError as error:
            raise StorageError(f"{url} is no URL that fsspec knows: {error}.") from error
        if "file" in filesystem.protocol:
            raise StorageError(f"{url} is a folder of this machine: give its path, without `file://`.")
        return cls(url.rstrip("/"), filesystem, root.rstrip("/"))

    def read(self, key: str) -> bytes | None:
        """Return the content of an object; None where there is none."""
        with self._told("read", key):
            try:
                content: bytes = self.filesystem.cat_file(self._path(key))
            except FileNotFoundError:
                self._require_bucket()
                return None
            return content

    def create(self, key: str, content: bytes) -> bool:
        """Create an object unless there is one; return whether it holds this content now.

        What lies there tells a request whose answer was not heard from one that came too late.
        """
        with self._told("write", key):
            try:
                self.filesystem.pipe_file(self._path(key), content, mode="create")
            except OSError:
                found = self.read(key)
                if found is None:
                    raise
                return found == content
        return True

    def replace(self, key: str, content: bytes) -> None:
        """Write an object, whether or not there is one."""
        with self._told("write", key):
            self.filesystem.pipe_file(self._path(key), content)

    def keys(self, prefix: str) -> dict[str, int]:
        """Return the keys of all objects below a prefix, with their sizes in bytes."""
        with self._told("list", prefix):
            found = self.filesystem.find(self._path(prefix), detail=True)
        cut = len(self.root) + 1
        return {path[cut:]: int(entry["size"]) for path, entry in sorted(found.items())}

    def upload(self, files: Mapping[str, Path]) -> None:
        """Put files of this machine into objects, some at a time."""
        with self._told("write", next(iter(files), "")):
            if files:
                self.filesystem.put([str(path) for path in files.values()], [*map(self._path, files)])

    def download(self, files: Mapping[str, Path]) -> None:
        """Bring objects into files of this machine, some at a time; their folders are there."""
        with self._told("read", next(iter(files), "")):
            if files:
                self.filesystem.get([*map(self._path, files)], [str(path) for path in files.values()])

    def remove(self, keys: Sequence[str]) -> None:
        """Remove objects."""
        with self._told("remove", next(iter(keys), "")):
            if keys:
                self.filesystem.rm([*map(self._path, keys)])

    def mark(self) -> str | None:
        """Return a sign that changes with the one object that the URL leads to; None where there is none."""
        with self._told("read", ""):
            if not self.filesystem.isfile(self.root):
                self._require_bucket()
                return None
            return str(self.filesystem.ukey(self.root))

    def _path(self, key: str) -> str:
        return f"{self.root}/{key}" if key else self.root

    def _require_bucket(self) -> None:
        """Raise what the store says where not the object is missing but all around it."""
        self.filesystem.find(self._path("none"))

    @contextmanager
    def _told(self, verb: str, key: str) -> Iterator[None]:
        place = f"{self.url}/{key}" if key else self.url
        try:
            yield
        except StorageError:
            raise
        except FileNotFoundError as error:
            raise StorageError(
                f"{place} is not there ({error}). Make the bucket, or mend the URL; where only this object "
                "is missing, somebody removed it: build again with a cache that has it."
            ) from error
        except PermissionError as error:
            raise StorageError(
                f"{place} may not be {_DONE[verb]} ({error}). Give this process the credentials of one who "
                "may: for S3 AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or the machine's role."
            ) from error
        except Exception as error:  # each library of fsspec has errors of its own, some of no common kind
            raise StorageError(
                f"{place} could not be {_DONE[verb]} ({type(error).__name__}: {error}). What was stored "
                "before is whole, and what was made is kept here: try again when the store answers."
            ) from error


_DONE = {"read": "read", "write": "written", "list": "listed", "remove": "removed"}
