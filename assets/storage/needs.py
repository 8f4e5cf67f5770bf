"""Needs of a run: the parts of a workspace that it takes from the store, and how much of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import PurePosixPath

from assets.registry import Registry
from assets.storage.workspace_parts import (
    Part,
    body_part,
    encoder_part,
    layer_part,
    publication_part,
    sightings_part,
    snapshots_part,
    vectors_part,
)
from assets.workspace import Workspace

_RECORDS = frozenset({"attempt.json", "report.json", "source.json"})
_ACCEPTED = ("accepted/", "accepted_layers/", "layer_attempts/")


class Extent(IntEnum):
    """The share of a part that is needed; a larger one has the smaller ones in it."""

    RECORDS = 1
    """Files that say how current a code body or layer is, and of which release."""

    ACCEPTED = 2
    """The tables and zones that publications are made from, too."""

    ALL = 3


@dataclass(frozen=True, slots=True)
class Need:
    """A part, and how much of it is needed."""

    part: Part
    extent: Extent = Extent.ALL

    def wants(self, path: str) -> bool:
        """Return whether a file of the part is needed."""
        if self.extent is Extent.ALL:
            return True
        is_record = PurePosixPath(path).name in _RECORDS
        return is_record or (self.extent is Extent.ACCEPTED and path.startswith(_ACCEPTED))


def needs_of_builds(workspace: Workspace, registry: Registry, keys: Sequence[str]) -> tuple[Need, ...]:
    """Return what builds of code bodies and layers need: all of them, and what they share."""
    layers = {layer.short_code: layer for layer in registry.layers}
    needs = [Need(encoder_part(workspace)), Need(vectors_part(workspace)), Need(sightings_part(workspace))]
    for key in keys:
        if key not in layers:
            needs.append(Need(body_part(workspace, key)))
            continue
        needs.append(Need(layer_part(workspace, key)))
        law = layers[key].code_body
        if law is not None:
            needs.append(Need(body_part(workspace, law), Extent.ACCEPTED))
    return joined(needs)


def needs_of_publication(workspace: Workspace, registry: Registry) -> tuple[Need, ...]:
    """Return what a publication needs: what was accepted, and the snapshots with what they were made from."""
    shared = (
        *(encoder_part(workspace), vectors_part(workspace)),
        *(publication_part(workspace), snapshots_part(workspace)),
    )
    return (*needs_of_all(workspace, registry, Extent.ACCEPTED), *map(Need, shared))


def needs_of_all(workspace: Workspace, registry: Registry, extent: Extent) -> tuple[Need, ...]:
    """Return the need of all code bodies and layers to an extent, and of what publishers said."""
    bodies = [body_part(workspace, body.key) for body in registry.code_bodies]
    layers = [layer_part(workspace, layer.short_code) for layer in registry.layers]
    return (Need(sightings_part(workspace)), *(Need(part, extent) for part in [*bodies, *layers]))


def joined(needs: Iterable[Need]) -> tuple[Need, ...]:
    """Return each part once, to the largest extent that it is needed to."""
    found: dict[str, Need] = {}
    for need in needs:
        known = found.get(need.part.name)
        if known is None or known.extent < need.extent:
            found[need.part.name] = need
    return tuple(found.values())
