"""Parts of a workspace, each stored as a whole: code bodies, layers, and what they share."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assets.workspace import Workspace

ARTEFACTS = (
    *("keyword_index", "vector_index", "question_index", "citation_index", "citation_quality"),
    *("response_store", "bulk_files", "zoning_answers", "coverage"),
    *("provider_comparison", "formation_prices", "naics_table"),
)
"""Folders of what publications are put together from; the next one goes on from those of the one before."""


@dataclass(frozen=True, slots=True)
class Part:
    """Files of a workspace that make sense together only.

    Attributes:
        name: of the part, in the store and in messages.
        store: URL of the store; None: the files are here alone.
        root: folder below which they are here.
        places: folders and files below the root.
        grows: files are added and none depends on another, so that what two machines add both stays.
    """

    name: str
    store: str | None
    root: Path
    places: tuple[str, ...]
    grows: bool = False

    def holds(self, path: str) -> bool:
        """Return whether a path below the root belongs to the part; what begins with a dot is on its way."""
        is_plain = not any(step == "" or step.startswith(".") for step in path.split("/"))
        return is_plain and any(PurePosixPath(path).is_relative_to(place) for place in self.places)


def body_part(workspace: Workspace, key: str) -> Part:
    """Return all that is kept of a code body, from its pinned source to what was accepted.

    Not what was downloaded: what is pinned has the same bytes.
    """
    folders = (
        workspace.source_files(key),
        workspace.read_titles(key),
        workspace.provisions(key),
        workspace.chunks(key),
        workspace.embeddings(key),
        workspace.accepted(key),
    )
    return _part(workspace, f"code-bodies/{key}", folders)


def layer_part(workspace: Workspace, short_code: str) -> Part:
    """Return all that is kept of a zoning layer."""
    folders = (
        workspace.layer_source(short_code),
        workspace.layer(short_code),
        workspace.accepted_layer(short_code),
        workspace.layer_attempts / f"{short_code}.json",
    )
    return _part(workspace, f"layers/{short_code}", folders)


def encoder_part(workspace: Workspace) -> Part:
    """Return the encoder."""
    return _part(workspace, "encoder", [workspace.encoder])


def vectors_part(workspace: Workspace) -> Part:
    """Return the cache of vectors, to which each run adds segments of its own."""
    return _part(workspace, "embedding-cache", [workspace.embedding_cache], grows=True)


def sightings_part(workspace: Workspace) -> Part:
    """Return what publishers said last of their newest releases."""
    return _part(workspace, "newest-releases", [workspace.newest_release("any").parent], grows=True)


def publication_part(workspace: Workspace) -> Part:
    """Return what publications are put together from, and the note of the last one."""
    folders = [workspace.artefact(name) for name in ARTEFACTS]
    return _part(workspace, "publication", [*folders, workspace.published])


def snapshots_part(workspace: Workspace) -> Part:
    """Return the published snapshots, their pointer, their pins and their log."""
    return Part("snapshots", workspace.snapshots_store, workspace.snapshots, (".",))


def _part(workspace: Workspace, name: str, paths: Iterable[Path], *, grows: bool = False) -> Part:
    places = tuple(path.relative_to(workspace.root).as_posix() for path in paths)
    return Part(name, workspace.store, workspace.root, places, grows)
