"""The USLM reader over the official titles: identities, statuses and texts that a lawyer would look for."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from assets.ingest import validate
from assets.ingest.oracles.uslm import account
from assets.ingest.pinned import PinnedSource, open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.readers import dialect
from assets.ingest.report import ProvisionsReport
from assets.ingest.sources import pin_source
from assets.ingest.tags import TagRules
from assets.ingest.text_loss import no_text_lost
from assets.registry import load_registry

ROOT = Path(__file__).parents[4]
ARCHIVE = ROOT.parent / "shared" / "data" / "usc-titles-119-36.tar.xz"

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not ARCHIVE.is_file(), reason="the official titles are not beside this checkout"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, tag_rules: TagRules) -> Path:
    folder = tmp_path_factory.mktemp("usc")
    body = load_registry(ROOT / "datasets" / "registry").code_body("us-usc")
    pin_source(
        ARCHIVE, body, folder / "pinned", retrieved_at=datetime.now(UTC), progress=lambda done, total: None
    )
    build_provisions(
        open_pinned(folder / "pinned"),
        PinnedSource.load(folder / "pinned"),
        body,
        dialect("uslm").reader,
        folder / "provisions",
        tags=tag_rules,
        previous=None,
        progress=lambda done, total: None,
    )
    return folder


@pytest.fixture(scope="module")
def rows(built: Path) -> dict[str, dict[str, Any]]:
    table = pq.read_table(built / "provisions" / "provisions.parquet")
    return {row["identifier"]: row for row in table.to_pylist()}


def test_every_title_is_read_and_the_rest_is_named(built: Path) -> None:
    report = ProvisionsReport.load(built / "provisions")
    assert len(report.units) == 23
    assert report.sections == 3_831
    assert report.release_point == "119-36"
    assert not report.complete
    assert report.gaps[0].startswith("Not in the source: titles 2, 5, 6,")


def test_no_character_is_lost(built: Path) -> None:
    verdict = no_text_lost(built / "provisions", built / "pinned", account)
    assert verdict.passed, verdict.findings[:3]
    assert verdict.examined == 23


def test_the_tables_checks_pass(built: Path) -> None:
    folder = built / "provisions"
    for check in (
        validate.hierarchy_is_closed,
        validate.identifiers_are_unique,
        validate.citations_are_unique,
        validate.outlines_lie_within_texts,
    ):
        verdict = check(folder)
        assert verdict.passed, (check.__name__, verdict.findings[:3])
        assert verdict.examined


@pytest.mark.parametrize(
    ("identifier", "citation", "beginning"),
    [
        ("/us/usc/t17/s107", "17 U.S.C. § 107", "Notwithstanding the provisions of sections 106 and 106A"),
        ("/us/usc/t9/s2", "9 U.S.C. § 2", "A written provision in any maritime transaction"),
        ("/us/usc/t18a/courtRules/Crim/rule4", "Fed. R. Crim. P. 4", "(a) Issuance. If the complaint"),
        ("/us/usc/t5a/reorgPlan/1970/3", "Reorg. Plan No. 3 of 1970", "Eff. Dec. 2, 1970, 35 F.R. 15623"),
        ("/us/usc/t35/ptII/ch10", "35 U.S.C. pt. II, ch. 10", ""),
    ],
)
def test_known_provisions(
    rows: dict[str, dict[str, Any]], identifier: str, citation: str, beginning: str
) -> None:
    row = rows[identifier]
    assert row["citation"] == citation
    assert row["text"].startswith(beginning)


def test_the_one_double_number_is_told_apart(rows: dict[str, dict[str, Any]]) -> None:
    double = sorted(identifier for identifier in rows if "@" in identifier)
    assert double == ["/us/usc/t14/s548@pl-116-283", "/us/usc/t14/s548@pl-117-263"]


def test_rules_of_the_bankruptcy_appendix_go_by_their_name(rows: dict[str, dict[str, Any]]) -> None:
    rules = [row for identifier, row in rows.items() if "/t11a/" in identifier and row["level"] == "rule"]
    assert len(rules) > 200
    assert all(row["citation"].startswith("Fed. R. Bankr. P. ") for row in rules)


def test_dead_sections_keep_their_place(rows: dict[str, dict[str, Any]]) -> None:
    assert rows["/us/usc/t3/s2"]["status"] == "repealed"
    assert rows["/us/usc/t17/s116A"]["status"] == "renumbered"
    assert rows["/us/usc/t24/s1,2"]["citation"] == "24 U.S.C. §§ 1, 2"
