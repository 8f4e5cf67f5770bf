"""The folders in which stages keep their files, per code body, and the atomic way to replace them."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SERVED_AT = "http://127.0.0.1:8000"
"""Address at which `make serve` serves, if nothing else is said."""


def is_url(place: str) -> bool:
    """Return whether a place is the URL of an object store, and not a path of this machine."""
    return "://" in place


@dataclass(frozen=True, slots=True)
class Workspace:
    """Paths of one build environment.

    Attributes:
        root: intermediate tables, indexes and the embedding cache.
        datasets: the `datasets` folder: registries, sample sources, curated facts.
        snapshots: published snapshots, their pointer and their log.
        served_at: address at which a server shows the snapshot in service, for links.
        log_key: file of the key that signs the log of snapshots; None: it stays unsigned.
        store: URL of the object store of which `root` is a working copy; None: `root` is all there is.
        snapshots_store: likewise of `snapshots`.
    """

    root: Path
    datasets: Path
    snapshots: Path
    served_at: str = SERVED_AT
    log_key: Path | None = None
    store: str | None = None
    snapshots_store: str | None = None

    @property
    def is_copy(self) -> bool:
        """True where something of it is stored elsewhere."""
        return self.store is not None or self.snapshots_store is not None

    def source_files(self, body: str) -> Path:
        """Return the folder of the pinned source: `files.parquet` and `source.json`."""
        return self.root / "source_files" / body

    def downloads(self, key: str) -> Path:
        """Return the folder of what was fetched of a code body or zoning layer from its publisher."""
        return self.root / "downloads" / key

    def given(self, key: str) -> Path:
        """Return the folder of the archive of a code body or zoning layer that was given by a URL."""
        return self.root / "given" / key

    def newest_release(self, key: str) -> Path:
        """Return the file that says what a publisher's newest release is, and when it was asked last."""
        return self.root / "newest_releases" / f"{key}.json"

    @property
    def listings(self) -> Path:
        """The folder of publishers' lists of releases, kept to be asked for only if they changed."""
        return self.root / "listings"

    def provisions(self, body: str) -> Path:
        """Return the folder with `provisions.parquet`, `files.parquet` and `report.json`."""
        return self.root / "provisions" / body

    def read_titles(self, body: str) -> Path:
        """Return the folder of titles as they were read, by the version of their files."""
        return self.root / "read_titles" / body

    def chunks(self, body: str) -> Path:
        """Return the folder with `chunks.parquet`."""
        return self.root / "chunks" / body

    def embeddings(self, body: str) -> Path:
        """Return the folder with `embeddings.npy`: float16, one row a chunk."""
        return self.root / "embeddings" / body

    def accepted(self, body: str) -> Path:
        """Return the folder of the tables that passed all checks together: what snapshots are made from.

        It holds `provisions`, `chunks` and `embeddings` as the folders of the same names.
        """
        return self.root / "accepted" / body

    def layer_source(self, short_code: str) -> Path:
        """Return the folder of a zoning layer's pinned files: `source.json` and what it names."""
        return self.root / "layer_files" / short_code

    def layer(self, short_code: str) -> Path:
        """Return the folder of a built zoning layer: `zones.parquet` and `report.json`."""
        return self.root / "zoning_layers" / short_code

    def accepted_layer(self, short_code: str) -> Path:
        """Return the folder of the last version of a zoning layer that passed all its checks."""
        return self.root / "accepted_layers" / short_code

    @property
    def layer_attempts(self) -> Path:
        """The folder that says which build of each zoning layer was begun last."""
        return self.root / "layer_attempts"

    @property
    def registry(self) -> Path:
        """The folder of the registries."""
        return self.datasets / "registry"

    @property
    def citing(self) -> Path:
        """The folder of what is known of citing law: other codes, popular names."""
        return self.datasets / "citations"

    @property
    def questions(self) -> tuple[Path, ...]:
        """The folders of questions that provisions are known to answer."""
        return (self.datasets / "training", self.datasets / "expansion")

    @property
    def evaluation(self) -> Path:
        """The folder of the questions by which search is judged."""
        return self.datasets / "evaluation"

    @property
    def formation(self) -> Path:
        """The folder of curated facts for the free datasets and the formation tools."""
        return self.datasets / "formation"

    @property
    def query_tower(self) -> Path:
        """The file with what training added to the encoder for queries."""
        return self.datasets / "encoder" / "query_tower.safetensors"

    @property
    def corrections(self) -> Path:
        """The list of what was found wrong in the service."""
        return self.datasets / "corrections.toml"

    def build_lock(self, body: str) -> Path:
        """Return the folder that a build of a code body locks, and in which it keeps nothing else."""
        return self.root / "builds" / body

    @property
    def embedding_cache(self) -> Path:
        """The folder of vectors by chunk key, kept between builds."""
        return self.root / "embedding_cache"

    @property
    def encoder(self) -> Path:
        """The folder of the encoder: `model.onnx`, `tokenizer.json`, `config.json`; `queries` has its own."""
        return self.root / "encoder"

    @property
    def published(self) -> Path:
        """The note of what the last published snapshot was made from."""
        return self.root / "published.json"

    def artefact(self, name: str) -> Path:
        """Return the folder of an artefact over all code bodies, such as `keyword_index`."""
        return self.root / name


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """Yield an empty folder that takes the place of `folder` when the block ends without an error.

    A block that fails, or a process that dies, leaves the old folder as it was; one that died between the
    two renames left it aside, and the next call puts it back before it starts. What a dead process had begun
    to write is removed, which shows by no process holding its lock.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = folder.with_name(f".{folder.name}.old")
    if aside.exists() and not folder.exists():
        aside.rename(folder)
    shutil.rmtree(aside, ignore_errors=True)
    for begun in folder.parent.glob(f".{folder.name}.*"):
        with _opened(begun) as descriptor:
            if _taken(descriptor):
                shutil.rmtree(begun, ignore_errors=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    with _opened(staging) as descriptor:
        _taken(descriptor)
        try:
            yield staging
            if folder.exists():
                folder.rename(aside)
            staging.rename(folder)
            shutil.rmtree(aside, ignore_errors=True)
        finally:
            shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def alone_in(folder: Path, *, waiting: Callable[[], None], sharing: bool = False) -> Iterator[None]:
    """Let one process at a time into the block; the others wait, after a call of `waiting`.

    Only who has the turn comes in, and keeps it while waiting for those who are in: others who share, one
    after another, cannot keep out for good who wants to be alone. Lock and turn end with their process,
    however that ends.

    Args:
        folder: that is locked; the turn is a folder in it.
        waiting: called once if somebody has it.
        sharing: enter beside others who share, and wait only for who is alone in it or next to be.
    """
    turn = folder / ".turn"
    turn.mkdir(parents=True, exist_ok=True)
    with _opened(folder) as inside:
        with _opened(turn) as next_in:
            if not (_taken(next_in) and _taken(inside, sharing=sharing)):
                waiting()
                _taken(next_in, wait=True)
                _taken(inside, wait=True, sharing=sharing)
        yield


@contextmanager
def alone_if_free(folder: Path) -> Iterator[bool]:
    """Yield whether nobody is in a folder, and nobody waits to be; if so, whoever comes waits for the end."""
    turn = folder / ".turn"
    turn.mkdir(parents=True, exist_ok=True)
    with _opened(folder) as inside, _opened(turn) as next_in:
        yield _taken(next_in) and _taken(inside)


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Yield a descriptor of a folder; a lock that was taken on it is let go when the block ends."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _taken(descriptor: int, *, wait: bool = False, sharing: bool = False) -> bool:
    """Take the lock of a folder, unless somebody else has it and it is not waited for; return whether."""
    kind = fcntl.LOCK_SH if sharing else fcntl.LOCK_EX
    try:
        fcntl.flock(descriptor, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
