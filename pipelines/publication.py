"""The choice of what a publication holds: what is in service stays there unless somebody says otherwise."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from assets.errors import BuildError
from assets.registry import Registry
from assets.release.coverage import COVERAGE
from assets.release.preview import manifest_in_service, published_layers
from assets.selection.accepted_layers import withdraw_layer
from assets.selection.accepted_tables import withdraw
from assets.selection.selection import available_bodies
from assets.workspace import Workspace
from pipelines.wanted import Publication, Wanted
from serving.contract.answers import CoverageBody
from serving.contract.layout import STATIC
from serving.contract.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Contents:
    """Keys of the code bodies and short codes of the zoning layers of a snapshot."""

    code_bodies: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()

    def __contains__(self, key: str) -> bool:
        return key in self.code_bodies or key in self.layers


def contents_of(manifest: Manifest) -> Contents:
    """Return what a published snapshot holds."""
    return Contents(tuple(body.key for body in manifest.code_bodies), published_layers(manifest))


def old_law(folder: Path) -> Iterator[str]:
    """Yield a line for each title of a published snapshot that is kept from an earlier edition."""
    coverage: CoverageBody = orjson.loads((folder / STATIC / f"{COVERAGE}.json").read_bytes())
    for jurisdiction in coverage["jurisdictions"]:
        for body in jurisdiction["codeBodies"]:
            for title in body.get("staleTitles", ()):
                yield (
                    f"{body['name']}, {title['label']} ({title['nodeCount']:,} provisions) is of "
                    f"{title['currentThrough'] or 'an earlier edition'} and could not be updated from the "
                    f"edition of {title['staleSince']}."
                )


def require_nothing_lost(
    publication: Publication, wanted: Sequence[Wanted], workspace: Workspace, registry: Registry
) -> None:
    """Refuse a publication that would take out of service what nobody asked to leave out.

    Raises:
        BuildError: something in service was not accepted in this workspace and is not built either, or what
            is dropped is not there or is built at the same time.
    """
    manifest = manifest_in_service(workspace)
    served = Contents() if manifest is None else contents_of(manifest)
    accepted = _accepted(workspace, registry)
    built = {build.key for build in wanted}
    for key in publication.dropped:
        if key in built:
            raise BuildError(f"{key} is to be built and to be dropped: name it once.")
        if key not in served and key not in accepted:
            held = ", ".join([*accepted.code_bodies, *accepted.layers]) or "nothing"
            raise BuildError(f"{key} cannot be dropped: it is not held. Held are: {held}.")
    if publication.only:
        return
    for key in [*served.code_bodies, *served.layers]:
        if key not in accepted and key not in built and key not in publication.dropped:
            raise BuildError(
                f"{key} is in service, but the workspace {workspace.root} does not hold it: this publication "
                f"would take it out of service. Build it too ({key}=PATH), leave it out with --drop {key}, "
                "or publish what you build alone with --only."
            )


def choose(
    publication: Publication, wanted: Sequence[Wanted], workspace: Workspace, registry: Registry
) -> Contents:
    """Return what to publish: all that was accepted without what is dropped, or only what was built.

    A layer whose build failed is named all the same, since its jurisdiction then says so.
    """
    accepted = _accepted(workspace, registry)
    built = {build.key for build in wanted}
    layers = [layer.short_code for layer in registry.layers]

    def is_chosen(key: str) -> bool:
        return key in built if publication.only else key not in publication.dropped

    return Contents(
        tuple(key for key in accepted.code_bodies if is_chosen(key)),
        tuple(code for code in layers if is_chosen(code)),
    )


def forget_dropped(publication: Publication, workspace: Workspace, registry: Registry) -> None:
    """Withdraw what was dropped from what is accepted, so that the next publication leaves it out too."""
    layers = {layer.short_code for layer in registry.layers}
    for key in publication.dropped:
        if key in layers:
            withdraw_layer(workspace, key)
        else:
            withdraw(workspace, key)


def _accepted(workspace: Workspace, registry: Registry) -> Contents:
    layers = [
        layer.short_code for layer in registry.layers if workspace.accepted_layer(layer.short_code).is_dir()
    ]
    return Contents(available_bodies(workspace, registry), tuple(layers))
