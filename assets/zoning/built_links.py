"""Links of a layer as built last to its ordinance as accepted last: for its metadata and its checks."""

from assets.registry import Layer
from assets.workspace import Workspace
from assets.zoning.links import Links, link_zones
from assets.zoning.ordinance import Ordinance
from assets.zoning.sections import OfficialSections
from assets.zoning.zones_table import read_zones


def ordinance_of_layer(workspace: Workspace, layer: Layer) -> Ordinance | None:
    """Return the code that a layer's zones are of; None where it has none, or none was accepted yet."""
    if layer.code_body is None:
        return None
    provisions = workspace.accepted(layer.code_body) / "provisions" / "provisions.parquet"
    return Ordinance.load(provisions) if provisions.is_file() else None


def links_of_layer(workspace: Workspace, layer: Layer, ordinance: Ordinance | None = None) -> Links:
    """Return the links of the zones as they were built last; `ordinance` saves reading it again."""
    built = workspace.layer(layer.short_code)
    return link_zones(
        read_zones(built).codes,
        layer,
        ordinance or ordinance_of_layer(workspace, layer),
        OfficialSections.of_layer(built),
    )
