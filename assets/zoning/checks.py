"""Checks of the zoning stage."""

from collections.abc import Callable

import orjson

from assets.checking import artefact_check, layer_check
from assets.findings import Finding, Verdict
from assets.registry import Layer, load_registry
from assets.selection.selection import load_selection
from assets.selection.sidecar import built_from
from assets.workspace import Workspace
from assets.zoning import validate
from assets.zoning.assets import layer_files, zoning_answers, zoning_layers
from assets.zoning.built_links import links_of_layer, ordinance_of_layer
from assets.zoning.confined import compare_confined
from assets.zoning.publication import PublishedLayers
from assets.zoning.report import LayerReport
from assets.zoning.sources import verify_layer
from assets.zoning.topology import Topology
from assets.zoning.zones_table import BuiltZones, read_zones
from serving.contract.layers import ZONES, answer_file, zones_file
from serving.contract.layout import GIS
from serving.snapshot.table import map_table


def layer_source_is_intact(workspace: Workspace, layer: Layer) -> Verdict:
    """Hash the pinned files again."""
    source = verify_layer(workspace.layer_source(layer.short_code))
    return Verdict(1, measured={"bytes": source.bytes})


def zones_lie_within_bounds(workspace: Workspace, layer: Layer) -> Verdict:
    """Compare the zones' extents with the entry's bounds."""
    return validate.zones_lie_within_bounds(_zones(workspace, layer), layer)


def every_polygon_is_counted(workspace: Workspace, layer: Layer) -> Verdict:
    """Add up zones and what was left out."""
    return validate.every_polygon_is_counted(_zones(workspace, layer), _report(workspace, layer))


def links_obey_the_rule(workspace: Workspace, layer: Layer) -> Verdict:
    """Judge the links by the law's own words."""
    ordinance = ordinance_of_layer(workspace, layer)
    return validate.links_obey_the_rule(links_of_layer(workspace, layer, ordinance), layer, ordinance)


def zones_are_linked(workspace: Workspace, layer: Layer) -> Verdict:
    """List the zones that cite a placeholder."""
    return validate.zones_are_linked(links_of_layer(workspace, layer))


def overlaps_are_small(workspace: Workspace, layer: Layer) -> Verdict:
    """Tell how the zones fit, as measured when they were built."""
    fit = Topology.load(workspace.layer(layer.short_code))
    return validate.overlaps_are_small(fit, _report(workspace, layer))


def second_file_agrees(workspace: Workspace, layer: Layer) -> Verdict:
    """Compare with the second file, where the source has the one that the entry names."""
    built, pinned = workspace.layer(layer.short_code), workspace.layer_source(layer.short_code)
    return validate.second_file_agrees(compare_confined(built, pinned, layer))


def zone_provisions_exist(workspace: Workspace) -> Verdict:
    """Look up every provision that a zone cites."""
    folder = workspace.artefact("zoning_answers")
    bodies = built_from(folder)
    selection = load_selection(workspace, load_registry(workspace.registry), bodies)
    cited = [
        (f"{code} {row['zone_code']}", row["node_id"])
        for code in PublishedLayers.load(folder).entries
        for row in map_table(folder / GIS / zones_file(code), ZONES).to_pylist()
        if row["node_id"] is not None
    ]
    known = set(selection.provisions.column("node_id").to_pylist()) if cited else set()
    return validate.zone_provisions_exist(cited, known)


def zones_are_counted_right(workspace: Workspace) -> Verdict:
    """Count the zones of every layer's answer."""
    folder = workspace.artefact("zoning_answers")
    entries = PublishedLayers.load(folder).entries.values()
    findings = []
    for entry in entries:
        answer = orjson.loads((folder / GIS / answer_file(entry.short_code)).read_bytes())
        rows = map_table(folder / GIS / zones_file(entry.short_code), ZONES).num_rows
        found = (answer["featureCount"], len(answer["geojson"]["features"]), rows)
        if set(found) != {entry.feature_count}:
            message = f"says {entry.feature_count} zones; its answer and tables hold {found}."
            findings.append(Finding("zones_differ", entry.short_code, message))
    return Verdict(1 + len(entries), findings)


def _of_zones(check: Callable[[BuiltZones], Verdict]) -> Callable[[Workspace, Layer], Verdict]:
    def run(workspace: Workspace, layer: Layer) -> Verdict:
        return check(_zones(workspace, layer))

    run.__name__ = check.__name__
    return run


def _of_report(check: Callable[[LayerReport], Verdict]) -> Callable[[Workspace, Layer], Verdict]:
    def run(workspace: Workspace, layer: Layer) -> Verdict:
        return check(_report(workspace, layer))

    run.__name__ = check.__name__
    return run


def _zones(workspace: Workspace, layer: Layer) -> BuiltZones:
    return read_zones(workspace.layer(layer.short_code))


def _report(workspace: Workspace, layer: Layer) -> LayerReport:
    return LayerReport.load(workspace.layer(layer.short_code))


CHECKS = [
    layer_check(
        layer_files,
        layer_source_is_intact,
        description="The pinned files still have the hashes that they were pinned with.",
    ),
    layer_check(
        zoning_layers,
        _of_zones(validate.geometry_is_valid),
        description="Every zone is valid, rounded to six decimals and wound by the right-hand rule.",
    ),
    layer_check(
        zoning_layers,
        zones_lie_within_bounds,
        description="Every zone lies within the bounds of its jurisdiction.",
    ),
    layer_check(
        zoning_layers,
        _of_report(validate.every_polygon_has_a_zone_code),
        description="Every polygon has a zone code, or the entry says why it is in no zone.",
    ),
    layer_check(
        zoning_layers,
        _of_zones(validate.no_zone_is_spelled_twice),
        description="No two zones have codes that differ in marks and case alone.",
        blocking=False,
    ),
    layer_check(
        zoning_layers,
        every_polygon_is_counted,
        description="Each code is one zone, and zones and what was left out add up to the file's polygons.",
    ),
    layer_check(
        zoning_layers,
        _of_report(validate.polygons_are_whole),
        description="No polygon of a zone is damaged, or left out since it has no extent.",
        blocking=False,
    ),
    layer_check(
        zoning_layers,
        links_obey_the_rule,
        description="Every link leads to a provision whose own words name the district, or a reviewed alias.",
    ),
    layer_check(
        zoning_layers,
        zones_are_linked,
        description="No zone cites a placeholder.",
        blocking=False,
    ),
    layer_check(
        zoning_layers,
        overlaps_are_small,
        description=f"At most {validate.MOST_OVERLAP:.1%} of the land lies in two base zones.",
        blocking=False,
    ),
    layer_check(
        zoning_layers,
        second_file_agrees,
        description=f"No zone differs by more than {validate.MOST_DIFFERENCE:.0%} from its second file.",
        blocking=False,
    ),
    artefact_check(
        zoning_answers,
        zone_provisions_exist,
        description="Every provision that a zone cites is in the publication.",
    ),
    artefact_check(
        zoning_answers,
        zones_are_counted_right,
        description="Every layer has as many zones, in its answer and its tables, as it says.",
    ),
]
