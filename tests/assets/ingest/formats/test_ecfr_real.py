"""The reader of the eCFR over real titles: figures, checks and known hard cases."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq
import pytest

from assets.ingest import misreadings, validate
from assets.ingest.pinned import PinnedSource, open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.readers import dialect
from assets.ingest.report import ProvisionsReport
from assets.ingest.sources import pin_source
from assets.ingest.tags import load_tag_rules
from assets.ingest.text_loss import no_text_lost
from assets.registry import CodeBody, load_registry
from tests.conftest import CHECKOUT

ARCHIVE = CHECKOUT.parent / "shared" / "data" / "ecfr-2022-12-titles-1-4.tar.xz"
REGISTRY = CHECKOUT / "datasets" / "registry"
pytestmark = pytest.mark.real


class Built(NamedTuple):
    """The titles as they were built."""

    body: CodeBody
    folder: Path
    report: ProvisionsReport
    rows: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    if not ARCHIVE.is_file():
        pytest.skip(f"{ARCHIVE.name} is not beside this checkout")
    folder = tmp_path_factory.mktemp("ecfr")
    body = load_registry(REGISTRY).code_body("us-cfr")
    pin_source(ARCHIVE, body, folder / "pinned", retrieved_at=datetime.now(UTC), progress=_unseen)
    report = build_provisions(
        open_pinned(folder / "pinned"),
        PinnedSource.load(folder / "pinned"),
        body,
        dialect(body.reader).reader,
        folder / "provisions",
        tags=load_tag_rules(REGISTRY / "tags.toml"),
        previous=None,
        progress=_unseen,
    )
    table = pq.read_table(folder / "provisions" / "provisions.parquet")
    return Built(body, folder, report, {row["identifier"]: row for row in table.to_pylist()})


def _unseen(done: int, total: int) -> None:
    """Show nobody how far it is."""


def test_every_division_is_read(built: Built) -> None:
    containers = {"title": 4, "subtitle": 2, "chapter": 43, "subchapter": 18, "part": 228, "subpart": 420}
    law = {"subject group": 61, "section": 2_040, "appendix": 69}
    assert built.report.levels == containers | law
    assert built.report.statuses == {"in_force": 2_696, "reserved": 189}
    assert built.report.release_point == "2022-11-07"
    assert [gap[:26] for gap in built.report.gaps] == ["Not in the source: titles "]


def test_no_text_is_lost_and_every_check_holds(built: Built) -> None:
    provisions, pinned = built.folder / "provisions", built.folder / "pinned"
    verdict = no_text_lost(provisions, pinned, dialect("ecfr").oracle(built.body), processes=1)
    assert verdict.passed, verdict.findings
    for check in (
        validate.hierarchy_is_closed,
        validate.identifiers_are_unique,
        validate.citations_are_unique,
        validate.outlines_lie_within_texts,
        misreadings.headings_fit_their_status,
        misreadings.identifiers_are_complete,
    ):
        assert not check(provisions).findings
    assert validate.byte_ranges_hold_the_provision(provisions, open_pinned(pinned), every=1).passed
    live = misreadings.live_provisions_have_text(provisions)
    assert (live.measured["without text"], live.measured["pictures alone"]) == (0, 3)


@pytest.mark.parametrize(
    ("identifier", "fields"),
    [
        ("t2/s200.1", {"level": "section", "num": "200.1", "heading": "Definitions."}),
        ("t2/pt200/appXII", {"citation": "2 C.F.R. pt. 200, app. XII", "citable": True}),
        ("t2/pt176/sptB/app", {"num": None, "citation": "2 C.F.R. pt. 176, subpt. B, app."}),
        ("t2/pt910/sptD/appA", {"heading": "Patent and Data Provisions"}),
        ("t2/pt801/sptJ", {"num": "J", "status": "in_force"}),
        ("t2/pt601/sptE...H", {"num": "E to H", "status": "reserved"}),
        ("t1/s457.104...457.109", {"citation": "1 C.F.R. §§ 457.104 to 457.109", "status": "reserved"}),
        ("t1/chV", {"status": "reserved", "citable": False}),
        ("t4/chI/schC...D", {"num": "C to D", "heading": "[RESERVED]"}),
        ("t2/s6000.2", {"status": "reserved", "heading": "[Reserved]"}),
    ],
)
def test_known_cases(built: Built, identifier: str, fields: dict[str, Any]) -> None:
    row = built.rows[f"/us/cfr/{identifier}"]
    assert {name: row[name] for name in fields} == fields


def test_footnotes_are_called_from_their_places(built: Built) -> None:
    notes = [
        (row["citation"], note["heading"], note["offset"])
        for row in built.rows.values()
        for note in row["notes"]
        if note["topic"] == "footnote"
    ]
    assert len(notes) == 8
    assert all(mark and offset is not None for _, mark, offset in notes)
