"""The Open Law reader over San Mateo's real files: its site of 2020, and its XML of 2018 alone."""

import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from assets.ingest import validate
from assets.ingest.oracles.open_law import account
from assets.ingest.pinned import PinnedSource, open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.readers import dialect
from assets.ingest.report import ProvisionsReport
from assets.ingest.sources import pin_source
from assets.ingest.tags import TagRules
from assets.ingest.text_loss import no_text_lost
from assets.registry import load_registry

ROOT = Path(__file__).parents[4]
ARCHIVE = ROOT.parent / "shared" / "data" / "san-mateo.tar.xz"

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not ARCHIVE.is_file(), reason="San Mateo's files are not beside this checkout"),
]


def _build(origin: Path, folder: Path, tags: TagRules) -> Path:
    body = load_registry(ROOT / "datasets" / "registry").code_body("ca-san-mateo-code")
    pin_source(
        origin, body, folder / "pinned", retrieved_at=datetime.now(UTC), progress=lambda done, total: None
    )
    build_provisions(
        open_pinned(folder / "pinned"),
        PinnedSource.load(folder / "pinned"),
        body,
        dialect("open_law").reader,
        folder / "provisions",
        tags=tags,
        previous=None,
        progress=lambda done, total: None,
    )
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, tag_rules: TagRules) -> Path:
    return _build(ARCHIVE, tmp_path_factory.mktemp("san-mateo"), tag_rules)


@pytest.fixture(scope="module")
def built_from_xml(tmp_path_factory: pytest.TempPathFactory, tag_rules: TagRules) -> Path:
    folder = tmp_path_factory.mktemp("san-mateo-xml")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, _xml_of(archive), filter="data")
    return _build(folder / "city-san-mateo" / "code-xml", folder, tag_rules)


def _xml_of(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    return (member for member in archive if "/code-xml/" in member.name)


def _rows(folder: Path) -> dict[str, dict[str, Any]]:
    table = pq.read_table(folder / "provisions" / "provisions.parquet")
    return {row["identifier"]: row for row in table.to_pylist()}


@pytest.fixture(scope="module")
def rows(built: Path) -> dict[str, dict[str, Any]]:
    return _rows(built)


def test_the_site_is_newer_than_the_xml_and_is_read_whole(built: Path) -> None:
    report = ProvisionsReport.load(built / "provisions")
    assert (report.complete, report.gaps, len(report.units)) == (True, (), 27)
    assert (report.sections, report.release_point) == (2_509, "2020-03-04")
    sections = {unit.key: unit.sections for unit in report.units}
    assert sections["t27"] == 713


def test_the_xml_alone_takes_title_27_from_the_file_that_was_replaced(built_from_xml: Path) -> None:
    report = ProvisionsReport.load(built_from_xml / "provisions")
    assert (report.complete, report.release_point) == (True, "2018-03-05")
    units = {unit.key: unit for unit in report.units}
    assert units["t27"].sections == 707
    assert units["t27"].partly == ("us/ca/cities/san-mateo/code/index.xml.bak",)
    assert units["t26"].partly == ()


@pytest.mark.parametrize("source", ["built", "built_from_xml"])
def test_no_text_is_lost_and_every_check_holds(source: str, request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue(source)
    verdict = no_text_lost(folder / "provisions", folder / "pinned", account, processes=1)
    assert verdict.passed, verdict.findings
    assert verdict.examined > 25
    provisions = folder / "provisions"
    for check in (
        validate.hierarchy_is_closed,
        validate.identifiers_are_unique,
        validate.citations_are_unique,
        validate.outlines_lie_within_texts,
    ):
        assert check(provisions).passed
    assert validate.byte_ranges_hold_the_provision(provisions, open_pinned(folder / "pinned")).passed


def test_zoning_districts_stand_where_the_map_looks_for_them(rows: dict[str, dict[str, Any]]) -> None:
    chapters = {"27.18": "R1", "27.22": "R3", "27.39": "CBD/S", "27.59": "S ", "27.90": "TOD"}
    for number, code in chapters.items():
        heading = rows[f"/ca-san-mateo/code/t27/ch{number}"]["heading"]
        assert code.split("/")[0].strip() in heading, heading
    article = rows["/ca-san-mateo/code/t27/ch27.60/artI"]
    assert (article["level"], article["heading"]) == ("article", "Agricultural Districts")
    assert "Open Space (OS)" in rows["/ca-san-mateo/code/27.60.070"]["text"]


def test_statuses_tables_and_parts_are_as_the_pages_show_them(rows: dict[str, dict[str, Any]]) -> None:
    def row(number: str) -> dict[str, Any]:
        return rows[f"/ca-san-mateo/code/{number}"]

    assert row("5.03.160")["status"] == "repealed"
    assert row("t12")["status"] == "reserved"
    assert row("t19")["status"] == "omitted"
    assert "4,400² | 40 | 2,200²" in row("27.28.016")["text"]
    labels = [part["label"] for part in row("27.22.050")["outline"]]
    assert labels == ["(1)", "(2)", "(2)(A)", "(2)(B)", "(2)(C)"]
    assert row("27.20.010")["citation"] == "San Mateo Mun. Code § 27.20.010"
    assert row("27.20.010")["source_credit"].startswith("Ord. No. 1991-18 § 1; ")


def test_nothing_in_force_stands_without_words(rows: dict[str, dict[str, Any]]) -> None:
    empty = [
        row["citation"]
        for row in rows.values()
        if row["citable"] and row["status"] == "in_force" and not row["text"] and not row["notes"]
    ]
    # Its heading is its law: `SECTION 2308.9.3 BRACING REPEALED.` strikes a section of the model building code.
    assert empty == ["San Mateo Mun. Code § 23.08.140"]
