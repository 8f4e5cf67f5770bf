"""Provisions read in a confined process: a file that takes too much is set aside by name, and the rest is read."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from assets.confinement.bounds import MIB, Allowance
from assets.errors import SourceError
from assets.ingest.quarantine import FILE, SOURCE, account_quarantined, build_quarantined
from assets.ingest.report import ProvisionsReport, UnitStatus
from assets.ingest.sources import pin_source
from assets.registry import load_registry

REGISTRY = Path(__file__).parents[3] / "datasets" / "registry"
BODY = load_registry(REGISTRY).code_body("us-usc")
NARROW = Allowance(seconds=60, seconds_per_mib=0, memory=80 * MIB, memory_per_byte=0)


def title(number: int, text: str) -> str:
    return f"""<uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0" identifier="/us/usc/t{number}"><main>
<title identifier="/us/usc/t{number}"><num value="{number}">Title {number}</num><heading>WORDS</heading>
<section identifier="/us/usc/t{number}/s1"><num value="1">§ 1.</num><heading>Words</heading>
<content>{text}</content></section></title></main></uscDoc>"""


SWELLING = title(17, "<i/>" * 720_000)
"""Under three megabytes, and a hundred and fifty once parsed."""


def pinned(folder: Path, files: dict[str, str]) -> Path:
    origin = folder / "origin"
    origin.mkdir()
    for path, text in files.items():
        (origin / path).write_text(text, encoding="utf-8")
    now = datetime(2026, 11, 21, tzinfo=UTC)
    pin_source(origin, BODY, folder / "pinned", retrieved_at=now, progress=lambda done, total: None)
    return folder / "pinned"


def built(folder: Path, *, whole: Allowance = SOURCE, each: Allowance = FILE) -> ProvisionsReport:
    told: list[tuple[int, int]] = []
    report = build_quarantined(
        folder / "pinned",
        BODY,
        folder / "provisions",
        tag_rules=REGISTRY / "tags.toml",
        previous=None,
        progress=lambda done, total: told.append((done, total)),
        whole=whole,
        each=each,
    )
    assert not told or told[-1][1] == len(list((folder / "origin").iterdir()))
    return report


def test_a_source_is_read_and_accounted_for_as_in_this_process(tmp_path: Path) -> None:
    folder = pinned(tmp_path, {"usc17.xml": title(17, "Law."), "usc18.xml": title(18, "Law.")})
    report = built(tmp_path)
    assert [unit.status for unit in report.units] == [UnitStatus.READ] * 2
    assert [unit.title for unit in report.units] == ["17", "18"]
    verdict = account_quarantined(tmp_path / "provisions", folder, BODY)
    assert (verdict.passed, verdict.examined) == (True, 2)


def test_a_file_that_swells_is_named_and_the_other_title_is_read(tmp_path: Path) -> None:
    folder = pinned(tmp_path, {"usc17.xml": SWELLING, "usc18.xml": title(18, "Law.")})
    report = built(tmp_path, each=NARROW)
    assert [(unit.label, unit.status) for unit in report.units] == [
        ("Title 17", UnitStatus.MISSING),
        ("Title 18", UnitStatus.READ),
    ]
    assert [unit.title for unit in report.units] == [None, "18"]
    assert report.units[0].problems == ("usc17.xml: takes more than 80 MiB of memory to read",)
    assert "Title 17 is missing: usc17.xml: takes more than 80 MiB" in report.gaps[0]
    rows = pq.read_table(tmp_path / "provisions" / "provisions.parquet").to_pylist()
    assert {row["file"] for row in rows} == {"usc18.xml"}
    assert account_quarantined(tmp_path / "provisions", folder, BODY).passed


def test_a_source_that_takes_more_than_one_of_its_size_fails_by_name(tmp_path: Path) -> None:
    pinned(tmp_path, {"usc17.xml": title(17, "Law."), "usc18.xml": title(18, "Law.")})
    with pytest.raises(SourceError, match=r"The source of us-usc .*takes more than 0 s to read"):
        built(tmp_path, whole=replace(SOURCE, seconds=-0.1, seconds_per_mib=0))
    assert not (tmp_path / "provisions").exists()


def test_an_account_that_takes_too_much_is_a_finding(tmp_path: Path) -> None:
    folder = pinned(tmp_path, {"usc17.xml": title(17, "Law.")})
    built(tmp_path)
    verdict = account_quarantined(
        tmp_path / "provisions", folder, BODY, allowance=replace(SOURCE, seconds=-0.1, seconds_per_mib=0)
    )
    assert [finding.code for finding in verdict.findings] == ["account_ended"]
    assert not verdict.passed
