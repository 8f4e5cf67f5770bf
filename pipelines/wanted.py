"""Builds that a person asks `lawbuild` for, where their sources lie, and what to publish beside them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assets.errors import BuildError, RegistryError
from assets.ingest.archives import require_source
from assets.registry import Registry
from assets.storage.given_sources import require_object
from assets.workspace import is_url
from serving.arguments import suggestion


@dataclass(frozen=True, slots=True)
class Wanted:
    """A code body or zoning layer to build, and the path or URL of its source; None: the registry's own."""

    key: str
    path: str | None
    is_layer: bool = False


@dataclass(frozen=True, slots=True)
class Publication:
    """The publication that is asked for beside the builds.

    Attributes:
        only: what is built, and nothing else of what was accepted.
        dropped: keys of code bodies and short codes of layers that leave service.
        rest: publish what there is although a build failed.
        worse: publish although search finds less than in the snapshot in service.
        anew: build and publish although nothing changed.
    """

    only: bool = False
    dropped: tuple[str, ...] = ()
    rest: bool = False
    worse: bool = False
    anew: bool = False


def wanted_builds(texts: Sequence[str], registry: Registry) -> list[Wanted]:
    """Return what was asked for as `KEY`, `KEY=PATH` or `KEY=URL`: code bodies first, which zones link to.

    Raises:
        BuildError: one is asked for twice, has nothing after its `=`, or what is there leads nowhere.
        SourceError: what a code body is to be built from is no folder and no archive, or an empty folder.
        RegistryError: the registry knows no such key; the message names those it knows.
    """
    builds = [_wanted(text, registry) for text in texts]
    for key, count in Counter(build.key for build in builds).items():
        if count > 1:
            raise BuildError(f"{key} is named {count} times; name it once.")
    for build in builds:
        if build.path is not None:
            _require_found(build, build.path)
    return sorted(builds, key=lambda build: build.is_layer)


def _require_found(build: Wanted, place: str) -> None:
    if is_url(place):
        require_object(place)
        return
    if not Path(place).exists():
        raise BuildError(f"There is no file or folder {place}, which {build.key} is to be built from.")
    if not build.is_layer:
        require_source(Path(place))


def _wanted(text: str, registry: Registry) -> Wanted:
    key, separator, path = text.partition("=")
    layers = {layer.short_code for layer in registry.layers}
    if key not in layers and key not in {body.key for body in registry.code_bodies}:
        bodies = ", ".join(body.key for body in registry.code_bodies)
        known = f"code bodies {bodies}; zoning layers {', '.join(sorted(layers)) or 'none'}"
        meant = suggestion(key.lower(), [*(body.key for body in registry.code_bodies), *layers])
        raise RegistryError(f"Nothing in the registry is called {key!r}{meant or ';'} known: {known}.")
    if separator and not path.strip():
        raise BuildError(f"There is no path after {text!r}; without `=` it is the registry's own source.")
    if path and not is_url(path):
        path = str(Path(path).expanduser().absolute())
    return Wanted(key, path or None, is_layer=key in layers)
