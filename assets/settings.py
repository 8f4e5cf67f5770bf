"""Settings of the build: the only place of the pipeline that reads the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

from assets.errors import BuildError
from assets.workspace import SERVED_AT, Workspace, is_url

EngineName = Literal["threads", "ray"]


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """Folders that the build reads and writes, the address of the server, and what chunks are encoded on.

    Attributes:
        workspace: `LAW_WORKSPACE`: intermediate tables and the embedding cache (default `data`); where that
            is a URL, `LAW_WORKSPACE_CACHE`: the folder of the working copy (default `.cache/workspace`).
        datasets: `LAW_DATASETS`: registries, sample and curated facts (default `datasets`).
        snapshots: `LAW_SNAPSHOTS`: published snapshots (default `snapshots`); where that is a URL,
            `LAW_SNAPSHOTS_CACHE`: the folder of the working copy (default `.cache/snapshots`).
        served_at: `LAW_BASE_URL`: address of the server, to which runs link (default that of `make serve`).
        log_key: `LAW_LOG_KEY`: file of the key that signs the log of snapshots (default: none).
        encode_engine: `ENCODE_ENGINE`: `threads` of this machine (default), or `ray`: a cluster.
        store: `LAW_WORKSPACE`, where that is the URL of an object store.
        snapshots_store: `LAW_SNAPSHOTS`, where that is the URL of an object store.
    """

    workspace: Path
    datasets: Path
    snapshots: Path
    served_at: str
    log_key: Path | None = None
    encode_engine: EngineName = "threads"
    store: str | None = None
    snapshots_store: str | None = None

    @classmethod
    def from_env(cls, environment: Mapping[str, str] | None = None) -> "BuildSettings":
        """Read the settings; relative paths are taken from the working directory.

        Raises:
            BuildError: the datasets folder is not there, as when the command is run elsewhere, or no engine
                has that name.
        """
        values = os.environ if environment is None else environment
        workspace, store = _place(values, "LAW_WORKSPACE", "data")
        snapshots, snapshots_store = _place(values, "LAW_SNAPSHOTS", "snapshots")
        settings = cls(
            workspace=workspace,
            datasets=Path(values.get("LAW_DATASETS") or "datasets").absolute(),
            snapshots=snapshots,
            served_at=(values.get("LAW_BASE_URL") or SERVED_AT).rstrip("/"),
            log_key=Path(key).absolute() if (key := values.get("LAW_LOG_KEY")) else None,
            encode_engine=_engine(values.get("ENCODE_ENGINE") or "threads"),
            store=store,
            snapshots_store=snapshots_store,
        )
        if not (settings.datasets / "registry").is_dir():
            raise BuildError(
                f"{settings.datasets} holds no registry. Run from the project's folder, or set LAW_DATASETS."
            )
        return settings

    def open(self) -> Workspace:
        """Return the workspace of these settings."""
        return Workspace(
            root=self.workspace,
            datasets=self.datasets,
            snapshots=self.snapshots,
            served_at=self.served_at,
            log_key=self.log_key,
            store=self.store,
            snapshots_store=self.snapshots_store,
        )


def _place(values: Mapping[str, str], name: str, default: str) -> tuple[Path, str | None]:
    """Return the folder that a setting names; of a URL, the folder of the working copy, and the URL."""
    place = values.get(name) or default
    if not is_url(place):
        return Path(place).absolute(), None
    cache = values.get(f"{name}_CACHE") or f".cache/{name.removeprefix('LAW_').lower()}"
    return Path(cache).absolute(), place


def _engine(name: str) -> EngineName:
    known = get_args(EngineName)
    if name not in known:
        raise BuildError(f"ENCODE_ENGINE is {name!r}; known are {', '.join(known)}.")
    return cast(EngineName, name)
