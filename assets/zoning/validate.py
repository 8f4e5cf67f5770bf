"""Checks of a layer as pure functions: from zones, links and reports to verdicts."""

import re
from collections.abc import Iterable, Sequence

import numpy as np
import shapely

from assets.findings import Finding, Severity, Verdict
from assets.registry import Layer
from assets.zoning.codes import code_key
from assets.zoning.comparison import Compared
from assets.zoning.dissolve import GRID
from assets.zoning.link_rule import breach_of
from assets.zoning.links import Links
from assets.zoning.ordinance import Ordinance
from assets.zoning.report import LayerReport
from assets.zoning.topology import Topology
from assets.zoning.zones_table import BuiltZones
from serving.contract.layers import LINKED

MOST_OVERLAP = 0.005
"""Share of the zoned land that may lie in two base zones without a word."""

MOST_DIFFERENCE = 0.01
"""Share of a zone that may differ between the layer and the file it is compared with."""

_HALF = GRID / 2
_MARKS = re.compile(r"[^\w.]|\.(?!\d)")
_SHOWN = 3


def geometry_is_valid(zones: BuiltZones) -> Verdict:
    """Require valid polygons, rounded, wound by the right-hand rule, in both renditions."""
    findings: list[Finding] = []
    for what, geometries in (("", zones.geometries), (" for maps", zones.simplified)):
        valid = shapely.is_valid(geometries) & ~shapely.is_empty(geometries)
        for place in np.flatnonzero(~valid):
            reason = shapely.is_valid_reason(geometries[place])
            findings.append(Finding("invalid", zones.codes[place], f"is not valid{what}: {reason}"))
    parts, owners = shapely.get_parts(zones.geometries, return_index=True)
    outer = shapely.is_ccw(shapely.get_exterior_ring(parts))
    findings += [
        Finding("winding", zones.codes[zone], "has an outer ring that runs clockwise.")
        for zone in np.unique(owners[~outer])
    ]
    coordinates = shapely.get_coordinates(zones.geometries)
    astray = int((np.abs(coordinates - np.round(coordinates, 6)) > GRID * 1e-3).sum())
    if astray:
        findings.append(Finding("unrounded", "coordinates", f"{astray:,} are not rounded to six decimals."))
    return Verdict(len(zones.zones), findings, {"coordinates": len(coordinates)})


def zones_lie_within_bounds(zones: BuiltZones, layer: Layer) -> Verdict:
    """Require every zone inside the bounds of the jurisdiction."""
    west, south, east, north = layer.bounds
    low, high = np.array([west, south]) - _HALF, np.array([east, north]) + _HALF
    boxes = shapely.bounds(zones.geometries)
    outside = (boxes[:, :2] < low).any(axis=1) | (boxes[:, 2:] > high).any(axis=1)
    findings = [
        Finding("out_of_bounds", zones.codes[place], f"reaches to {np.round(boxes[place], 4).tolist()}.")
        for place in np.flatnonzero(outside)
    ]
    return Verdict(len(zones.zones), findings)


def every_polygon_has_a_zone_code(report: LayerReport) -> Verdict:
    """Require a code, or a reviewed reason to have none, of every polygon with an extent."""
    findings = []
    if report.unlabelled:
        message = f"{report.unlabelled:,} polygons have no zone code, and the entry names no reason for it."
        findings.append(Finding("no_zone_code", report.file, message))
    return Verdict(int(report.repairs["polygons"]), findings, {"without": report.unlabelled})


def polygons_are_whole(report: LayerReport) -> Verdict:
    """Warn of polygons that are damaged, or of a zone and without an extent, with examples."""
    damaged = int(report.repairs.get("damaged", 0))
    empty = int(report.repairs["empty"])
    findings = []
    if damaged:
        listed = ", ".join(report.damaged)
        message = f"{damaged:,} polygons are damaged: left out, or drawn without a part, as {listed}."
        findings.append(Finding("damaged", report.file, message, Severity.WARNING))
    if report.empty:
        message = f"{empty:,} polygons have no extent and are left out, as {', '.join(report.empty)}."
        findings.append(Finding("no_extent", report.file, message, Severity.WARNING))
    return Verdict(int(report.repairs["polygons"]), findings, {"damaged": damaged, "without extent": empty})


def every_polygon_is_counted(zones: BuiltZones, report: LayerReport) -> Verdict:
    """Require that zones and what was left out add up to the polygons of the file."""
    findings = []
    codes = zones.codes
    if len(set(codes)) != len(codes) or len(codes) != report.zones:
        findings.append(Finding("zones_differ", report.file, f"has {len(codes)} zones, not {report.zones}."))
    counted = sum(zone.polygons for zone in zones.zones) + int(report.repairs["left_out"])
    if counted != report.repairs["polygons"]:
        message = f"{counted:,} polygons are accounted for, of {report.repairs['polygons']:,}."
        findings.append(Finding("polygons_differ", report.file, message))
    return Verdict(len(codes), findings, {"zones": len(codes), **report.repairs})


def overlaps_are_small(fit: Topology, report: LayerReport) -> Verdict:
    """Tell overlaps and gaps, and warn where more than a small share of the land lies in two zones."""
    listed = "; ".join(f"{pair.first} and {pair.second}: {pair.area:,.0f} m²" for pair in fit.overlaps)
    findings = []
    if fit.overlap_share > MOST_OVERLAP:
        message = f"{fit.overlap_share:.2%} of the land lies in two zones: {listed}."
        findings.append(Finding("overlaps", report.short_code, message, Severity.WARNING))
    measured: dict[str, float | int | str] = {
        "share in two zones": round(fit.overlap_share, 6),
        "square metres in two zones": round(fit.overlap_area, 1),
        "largest overlaps": listed or "none",
        "gaps between zones": fit.gaps,
        "square metres of gaps": round(fit.gap_area, 1),
    }
    return Verdict(report.zones, findings, measured)


def links_obey_the_rule(links: Links, layer: Layer, ordinance: Ordinance | None) -> Verdict:
    """Judge every link anew by the rule of links, from the law's own words."""
    findings = []
    for link in links.links:
        if ordinance is None:
            breach = None if link.node is None and link.reason else "is linked to a code that is not held."
        else:
            breach = breach_of(link, layer, ordinance)
        if breach is not None:
            findings.append(Finding("link_breaks_rule", link.code, breach))
    linked = sum(link.node is not None for link in links.links)
    return Verdict(len(links.links), findings, {"linked": linked, "quality": links.citation_quality})


def no_zone_is_spelled_twice(zones: BuiltZones) -> Verdict:
    """Warn of zones whose codes differ in marks and case alone, as `R-M` and `RM` do: are they one?"""
    spellings: dict[str, list[str]] = {}
    for zone in zones.zones:
        spellings.setdefault(_MARKS.sub("", code_key(zone.code)), []).append(zone.code)
    findings = [
        Finding(
            "spelled_twice",
            " and ".join(codes),
            "may be one zone, spelled in two ways: an alias with `same_as` joins them.",
            Severity.WARNING,
        )
        for codes in spellings.values()
        if len(codes) > 1
    ]
    return Verdict(len(zones.zones), findings, {"spelled twice": len(findings)})


def zones_are_linked(links: Links) -> Verdict:
    """Warn of the zones that cite placeholders, by reason."""
    reasons: dict[str, list[str]] = {}
    for link in links.links:
        if link.node is None:
            reasons.setdefault(link.reason, []).append(link.code)
    findings = [
        Finding("placeholder", _several(codes), reason, Severity.WARNING) for reason, codes in reasons.items()
    ]
    unused = ", ".join(district.code for district in links.unused)
    quality = LINKED if not findings else links.citation_quality
    return Verdict(len(links.links), findings, {"quality": quality, "districts without a zone": unused})


def _several(codes: Sequence[str]) -> str:
    shown = ", ".join(codes[:_SHOWN])
    return shown if len(codes) <= _SHOWN else f"{shown} and {len(codes) - _SHOWN:,} more"


def second_file_agrees(compared: Sequence[Compared]) -> Verdict:
    """Warn of each zone that differs between the layer and the file that it is compared with."""
    findings = [
        Finding("zone_differs", zone.code, _difference(zone), Severity.WARNING)
        for zone in sorted(compared, key=lambda zone: -zone.share)
        if zone.share > MOST_DIFFERENCE
    ]
    total = sum(zone.area for zone in compared)
    differing = sum(zone.difference for zone in compared)
    measured: dict[str, float | int | str] = {
        "zones": len(compared),
        "share that differs": round(differing / total, 6) if total else 0.0,
    }
    return Verdict(max(len(compared), 1), findings, measured)


def _difference(zone: Compared) -> str:
    if not zone.area or not zone.other_area:
        where = "the layer" if zone.area else "the second file"
        return f"is in {where} only, with {max(zone.area, zone.other_area):,.0f} m²."
    return (
        f"has {zone.area:,.0f} m² here and {zone.other_area:,.0f} m² there; "
        f"{zone.difference:,.0f} m² ({zone.share:.2%}) are in one of them only."
    )


def zone_provisions_exist(cited: Iterable[tuple[str, str]], node_ids: set[str]) -> Verdict:
    """Require that every node that a zone cites, as (zone, node id), is one of the publication."""
    listed = list(cited)
    findings = [
        Finding("node_missing", zone, f"cites {node}, which is in no code body of this publication.")
        for zone, node in listed
        if node not in node_ids
    ]
    return Verdict(1 + len(listed), findings, {"links": len(listed)})
