"""San Mateo's and Chicago's real maps: the ground truth of links, and repairs that are counted."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assets.ingest.pinned import PinnedSource, open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.readers import dialect
from assets.ingest.sources import pin_source
from assets.ingest.tags import load_tag_rules
from assets.registry import Layer, load_registry
from assets.zoning.confined import build_confined, compare_confined
from assets.zoning.link_rule import breach_of
from assets.zoning.links import link_zones
from assets.zoning.ordinance import Ordinance
from assets.zoning.report import LayerReport
from assets.zoning.sections import OfficialSections
from assets.zoning.sources import LayerSource, pin_layer
from assets.zoning.validate import geometry_is_valid
from assets.zoning.zones_table import read_zones

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared" / "data"
REGISTRY = load_registry(ROOT / "datasets" / "registry")
NOW = datetime(2026, 11, 21, tzinfo=UTC)
CHAPTERS = dict(
    line.split()
    for line in """
    R1 27.18 | R2 27.20 | R3 27.22 | R4 27.24 | R5 27.26 | R6 27.28
    C1 27.30 | C2 27.32 | C3 27.34 | C4 27.36 | CBD 27.38 | CBD-S 27.39
    E1 27.44 | E2 27.48 | M1 27.56 | S 27.59 | TC 27.73 | BM-SP 27.88 | TOD 27.90
    """.strip()
    .replace("\n", "|")
    .split("|")
)

pytestmark = pytest.mark.real


def built(archive: str, layer: Layer, folder: Path) -> tuple[LayerSource, LayerReport]:
    if not (SHARED / archive).is_file():
        pytest.skip(f"{archive} is not beside this checkout")
    source = pin_layer(SHARED / archive, layer, folder / "pinned", retrieved_at=NOW)
    (folder / "zones").mkdir()
    return source, build_confined(folder / "pinned", layer, folder / "zones", built_at=NOW)


def ordinance(folder: Path) -> Ordinance:
    body = REGISTRY.code_body("ca-san-mateo-code")
    archive = SHARED / "san-mateo.tar.xz"
    pin_source(archive, body, folder / "code", retrieved_at=NOW, progress=lambda done, total: None)
    build_provisions(
        open_pinned(folder / "code"),
        PinnedSource.load(folder / "code"),
        body,
        dialect(body.reader).reader,
        folder / "provisions",
        tags=load_tag_rules(ROOT / "datasets" / "registry" / "tags.toml"),
        previous=None,
        progress=lambda done, total: None,
    )
    return Ordinance.load(folder / "provisions" / "provisions.parquet")


def test_san_mateos_zones_lead_to_the_chapters_that_define_them(tmp_path: Path) -> None:
    layer = REGISTRY.layer("ca-san-mateo")
    source, report = built("san-mateo.tar.xz", layer, tmp_path)
    zones = read_zones(tmp_path / "zones")
    assert (report.zones, report.date) == (21, "2016-09-30")
    assert [(value.value, value.polygons) for value in report.not_zones] == [("unknown", 1)]
    assert geometry_is_valid(zones).findings == []
    code = ordinance(tmp_path)
    links = link_zones(zones.codes, layer, code, OfficialSections({}))
    assert links.citation_quality == "linked"
    led = {link.code: link.node.num for link in links.links if link.node is not None}
    assert {zone: led[zone] for zone in CHAPTERS} == CHAPTERS
    others = {
        link.code: link.node.identifier for link in links.links if link.node and link.code not in CHAPTERS
    }
    assert others == {"OS": "/ca-san-mateo/code/27.60.070", "A": "/ca-san-mateo/code/t27/ch27.60/artI"}
    assert [breach_of(link, layer, code) for link in links.links] == [None] * 21
    assert [district.code for district in links.unused] == ["R4-D", "R-5D", "R6-D", "Q", "SC"]
    assert len(layer.aliases) <= 5

    assert source.compare is not None
    compared = compare_confined(tmp_path / "zones", tmp_path / "pinned", layer)
    assert [zone.code for zone in compared] == zones.codes
    assert {zone.code for zone in compared if zone.share > 0.01} == {"R4", "S"}
    assert max(zone.share for zone in compared) < 0.02


@pytest.mark.parametrize(
    ("day", "zones", "polygons", "invalid"),
    [("2024-10-21", 1509, 14592, 258), ("2025-04-17", 1515, 14670, 307)],
)
def test_both_dates_of_chicago_build_and_stay_pending(
    tmp_path: Path, day: str, zones: int, polygons: int, invalid: int
) -> None:
    layer = replace(REGISTRY.layer("il-chicago"), file=f"chicago-zoning-{day}-*.geojson.gz")
    _, report = built("chicago-zoning.tar.xz", layer, tmp_path)
    assert (report.date, report.zones) == (day, zones)
    assert (report.repairs["polygons"], report.repairs["invalid"]) == (polygons, invalid)
    found = read_zones(tmp_path / "zones")
    assert geometry_is_valid(found).findings == []
    links = link_zones(found.codes, layer, None, OfficialSections.of_layer(tmp_path / "zones"))
    assert links.citation_quality == "pending"
    cited = {link.code: link.citation for link in links.links}
    assert cited["B1-1"] == "Municipal Code of Chicago § 17-3-0102"
    assert cited["POS-1"] == "Municipal Code of Chicago § 17-6-0202-A"
    assert cited["PD 991"] == "Municipal Code of Chicago § 17-8-0100"
    assert sum(citation is None for citation in cited.values()) < 15
