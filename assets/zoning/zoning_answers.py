"""The zoning answers of a publication: layers linked to the code bodies of the same selection."""

import json
from collections.abc import Sequence
from pathlib import Path

from assets.selection.accepted_layers import AcceptedLayer
from assets.selection.selection import SelectedBody, Selection
from assets.selection.sidecar import write_sidecar
from assets.zoning.answers import LinkedLayer, link_layer, write_layers
from assets.zoning.ordinance import Ordinance
from assets.zoning.publication import GAPS
from serving.contract.currency import current_date
from serving.contract.layers import LINKED
from serving.contract.layout import GIS

_LISTED = 10


def build_zoning_answers(selection: Selection, destination: Path) -> dict[str, int]:
    """Write `gis/` and the gaps of all layers into the empty folder `destination`; return counts.

    Zones are linked anew, so that every link leads into the very snapshot that the layers are published with.
    """
    linked = [_linked(layer, selection.bodies) for layer in selection.layers]
    zones = 0
    if linked:
        (destination / GIS).mkdir()
        zones = sum(entry.feature_count for entry in write_layers(linked, destination / GIS))
    gaps = {layer.accepted.layer.short_code: _gaps(layer) for layer in linked}
    for failed in selection.failed_layers:
        gaps[failed.layer.short_code] = [f"There is no zoning layer: its build failed. {failed.failure}"]
    text = json.dumps(gaps, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    (destination / GAPS).write_text(text, encoding="utf-8")
    counts = {"layers": len(linked), "zones": zones}
    write_sidecar(destination, selection.inputs, used=("provisions", "layers"), counts=counts)
    return counts


def _linked(accepted: AcceptedLayer, bodies: Sequence[SelectedBody]) -> LinkedLayer:
    body = next((body for body in bodies if body.body.key == accepted.layer.code_body), None)
    if body is None:
        return link_layer(accepted, None, None)
    ordinance = Ordinance.load(body.folder / "provisions.parquet")
    return link_layer(accepted, ordinance, current_date(body.report.current_through))


def _gaps(linked: LinkedLayer) -> list[str]:
    layer, links = linked.accepted.layer, linked.links
    gaps = []
    if linked.accepted.failure is not None:
        gaps.append(
            f"The zoning layer is the version built at {linked.report.built_at}: "
            f"a newer build of it failed. {linked.accepted.failure}"
        )
    without = [link.code for link in links.links if link.node is None]
    if not linked.has_ordinance:
        gaps.append(
            f"The ordinance text that the zoning layer belongs to is not held: the {len(without):,} zones of "
            f"“{layer.name}” carry placeholders instead of provisions."
        )
    elif links.citation_quality != LINKED:
        listed = ", ".join(without[:_LISTED]) + (", ..." if len(without) > _LISTED else "")
        gaps.append(f"{len(without):,} of {len(links.links):,} zones cite no provision: {listed}.")
    return gaps
