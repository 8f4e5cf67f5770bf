"""Link a built layer to the code as it was accepted last: what its metadata shows and its checks judge."""

from assets.registry import Layer
from assets.workspace import Workspace
from assets.zoning.law import Law
from assets.zoning.links import Links, link_zones
from assets.zoning.sections import OfficialSections
from assets.zoning.zones_table import read_zones


def law_of_layer(workspace: Workspace, layer: Layer) -> Law | None:
    """Return the code that a layer's zones are of; None where it has none, or none was accepted yet."""
    if layer.code_body is None:
        return None
    provisions = workspace.accepted(layer.code_body) / "provisions" / "provisions.parquet"
    return Law.load(provisions) if provisions.is_file() else None


def links_of_layer(workspace: Workspace, layer: Layer, law: Law | None = None) -> Links:
    """Return the links of the zones as they were built last; `law` saves reading it again."""
    built = workspace.layer(layer.short_code)
    return link_zones(
        read_zones(built).codes,
        layer,
        law or law_of_layer(workspace, layer),
        OfficialSections.of_layer(built),
    )
