"""The origin of a source: a given path, else the registry's own, else the publisher, or what is pinned."""

from pathlib import Path

from assets.errors import SourceError
from assets.registry import CodeBody, Layer


def is_fetched(given: str | None, entry: CodeBody | Layer) -> bool:
    """Return whether a source comes from its publisher: nothing is given or packaged, but a connector."""
    return not given and entry.source is None and entry.connector is not None


def origin_of(given: str | None, body: CodeBody, *, datasets: Path, pinned: Path) -> Path | None:
    """Return the folder or archive to pin; None where the source that is pinned already is to be kept.

    Args:
        given: what the caller named, if anything.
        body: whose source it is.
        datasets: folder that the registry's own sources are relative to.
        pinned: folder of the pinned source.

    Raises:
        SourceError: nothing was given, the registry packages no source and none is pinned.
    """
    if given:
        return Path(given).expanduser()
    if body.source is not None:
        return datasets / body.source
    if (pinned / "source.json").is_file():
        return None
    where = f" It is published at {body.source_url}." if body.source_url else ""
    raise SourceError(
        f"{body.name} is not packaged with this project: name a folder or archive of it, "
        f"as in `make snapshot BODIES={body.key}=PATH`.{where}"
    )
