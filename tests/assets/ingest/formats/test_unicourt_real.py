"""The reader of UniCourt's pages over the real codes of four states: figures, checks and known hard cases."""

from datetime import UTC, date, datetime
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
from assets.registry import load_registry
from tests.conftest import CHECKOUT

DATA = CHECKOUT.parent / "shared" / "data"
pytestmark = pytest.mark.real


class State(NamedTuple):
    """Figures of a code: its sections, missing titles, and live sections that the publication prints no law of."""

    key: str
    archive: str
    sections: int
    gaps: int
    without_text: int


class Built(NamedTuple):
    """A code as it was built."""

    state: State
    folder: Path
    rows: dict[str, dict[str, Any]]

    @property
    def provisions(self) -> Path:
        return self.folder / "provisions"


STATES = [
    State("ak-code", "ak-code-unicourt-r82.tar.xz", 20_926, 0, 9),
    State("va-code", "va-code-unicourt-r88.tar.xz", 18_518, 1, 0),
    State("tn-code", "tn-code-unicourt-r76.tar.xz", 19_851, 12, 0),
    State("co-code", "co-code-unicourt-r80.tar.xz", 15_725, 14, 0),
]


@pytest.fixture(scope="module", params=STATES, ids=[state.key for state in STATES])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    state: State = request.param
    if not (DATA / state.archive).is_file():
        pytest.skip(f"{state.archive} is not beside this checkout")
    folder = tmp_path_factory.mktemp(state.key)
    registry = CHECKOUT / "datasets" / "registry"
    body = load_registry(registry).code_body(state.key)
    pin_source(
        DATA / state.archive,
        body,
        folder / "pinned",
        retrieved_at=datetime.now(UTC),
        progress=lambda done, total: None,
    )
    build_provisions(
        open_pinned(folder / "pinned"),
        PinnedSource.load(folder / "pinned"),
        body,
        dialect(body.reader).reader,
        folder / "provisions",
        tags=load_tag_rules(registry / "tags.toml"),
        previous=None,
        progress=lambda done, total: None,
    )
    table = pq.read_table(folder / "provisions" / "provisions.parquet")
    return Built(state, folder, {row["identifier"]: row for row in table.to_pylist()})


def test_every_section_is_read_and_missing_titles_are_named(built: Built) -> None:
    report = ProvisionsReport.load(built.provisions)
    assert (report.sections, len(report.gaps)) == (built.state.sections, built.state.gaps)
    assert not any(unit.provisions and unit.problems for unit in report.units)


def test_no_text_is_lost_and_every_check_holds(built: Built) -> None:
    body = load_registry(CHECKOUT / "datasets" / "registry").code_body(built.state.key)
    oracle = dialect(body.reader).oracle(body)
    verdict = no_text_lost(built.provisions, built.folder / "pinned", oracle, processes=1)
    assert verdict.passed, verdict.findings
    for check in (
        validate.hierarchy_is_closed,
        validate.identifiers_are_unique,
        validate.citations_are_unique,
        validate.outlines_lie_within_texts,
        misreadings.identifiers_are_complete,
    ):
        assert not check(built.provisions).findings
    assert validate.byte_ranges_hold_the_provision(
        built.provisions, open_pinned(built.folder / "pinned")
    ).passed
    live = misreadings.live_provisions_have_text(built.provisions)
    assert live.measured["without text"] == built.state.without_text


def test_law_ends_where_history_and_notes_begin(built: Built) -> None:
    signs = (
        *("History.", "Source:", "Compiler's Notes.", "Editor’s note.", "NOTES TO DECISIONS", "CASE NOTES"),
        *("Cross references.", "Revisor’s notes. —", "ANNOTATION", "Cross-References.", "Law Reviews."),
    )
    noted = [
        row["identifier"]
        for row in built.rows.values()
        if any(line.startswith(signs) for line in row["text"].split("\n"))
    ]
    assert not noted


def test_most_live_sections_have_a_history(built: Built) -> None:
    live = [row for row in built.rows.values() if row["citable"] and row["status"] == "in_force"]
    without = [row["citation"] for row in live if not row["source_credit"]]
    assert len(without) < 0.02 * len(live), without[:20]


CASES: dict[str, dict[str, dict[str, Any]]] = {
    "tn-code": {
        "71-3-115": {"text": "Any individual development accounts", "status": "in_force"},
        "71-3-112...71-3-114": {"text": "", "status": "reserved"},
        "57-3-212@until-2021-07-01": {"effective_end": date(2021, 7, 1)},
        "1-1-101": {"text": "(a) There is created a Tennessee code commission", "status": "in_force"},
    },
    "va-code": {
        "3.2-306": {"text": "A. Notwithstanding any provision in this chapter", "status": "in_force"},
        "8.1A-202": {"text": "(a) Subject to subsection (f)", "status": "in_force"},
        "24.2-404@until-2022-10-01": {"effective_end": date(2022, 10, 1)},
    },
    "ak-code": {
        "02.10.020,02.10.030": {"text": "", "status": "repealed"},
        "21.55.430@until-2024-06-30": {"effective_end": date(2024, 6, 30), "status": "in_force"},
        "02.35.110": {"text": "(a) An airman may not make a flight", "status": "in_force"},
    },
    "co-code": {
        "5-6-114": {"text": "(1)(a) The administrator may bring a civil action", "status": "in_force"},
        "25.5-10-240@until-2024-07-01": {"effective_end": date(2024, 7, 1), "status": "in_force"},
        "6-1-1301": {"effective_start": date(2023, 7, 1)},
        "25.5-5-202": {"text": "(1) Subject to the provisions of subsection (2)"},
        "7-10-101...7-10-114": {"text": "", "status": "repealed"},
    },
}


def test_hard_cases_are_as_the_pages_show_them(built: Built) -> None:
    root = f"/{built.state.key.removesuffix('-code')}/code"
    for number, wanted in CASES[built.state.key].items():
        row = built.rows[f"{root}/{number}"]
        for name, value in wanted.items():
            if name == "text" and value:
                assert row["text"].startswith(value), number
            else:
                assert row[name] == value, (number, name)
