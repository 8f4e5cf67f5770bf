"""Settings of the build: the only place of the pipeline that reads the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assets.errors import BuildError
from assets.workspace import SERVED_AT, Workspace


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """Folders that the build reads and writes, and the address of the server.

    Attributes:
        workspace: `LAW_WORKSPACE`: intermediate tables and the embedding cache (default `data`).
        datasets: `LAW_DATASETS`: registries, sample and curated facts (default `datasets`).
        snapshots: `LAW_SNAPSHOTS`: published snapshots (default `snapshots`).
        served_at: `LAW_BASE_URL`: address of the server, to which runs link (default that of `make serve`).
        log_key: `LAW_LOG_KEY`: file of the key that signs the log of snapshots (default: none).
    """

    workspace: Path
    datasets: Path
    snapshots: Path
    served_at: str
    log_key: Path | None = None

    @classmethod
    def from_env(cls, environment: Mapping[str, str] | None = None) -> "BuildSettings":
        """Read the settings; relative paths are taken from the working directory.

        Raises:
            BuildError: the datasets folder is not there, as when the command is run elsewhere.
        """
        values = os.environ if environment is None else environment
        settings = cls(
            workspace=Path(values.get("LAW_WORKSPACE") or "data").absolute(),
            datasets=Path(values.get("LAW_DATASETS") or "datasets").absolute(),
            snapshots=Path(values.get("LAW_SNAPSHOTS") or "snapshots").absolute(),
            served_at=(values.get("LAW_BASE_URL") or SERVED_AT).rstrip("/"),
            log_key=Path(key).absolute() if (key := values.get("LAW_LOG_KEY")) else None,
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
        )
