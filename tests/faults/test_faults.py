"""The commands of this folder judge as they say, and one fault is done for real; the rest are single tests elsewhere."""

import re
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.faults.faults import FAULTS, Place, Row, deleted_file
from tests.faults.house import NEWER, OLDER, Reckoning
from tests.faults.report import page
from tests.faults.soak import State, judge
from tests.serving.conftest import encoder, snapshots_folder
from tests.serving.metering.crowds import Answer, Ask

__all__ = ["encoder", "snapshots_folder"]

ROOT = Path(__file__).parents[2]
EXACT = Reckoning(unpaid=0, twice=0, unanswered=2, in_flight=3, imbalances=0)


def test_the_table_in_the_guide_has_every_fault_and_nothing_lost() -> None:
    text = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", text, re.MULTILINE)
    assert [name for name, *_ in rows[1:]] == list(FAULTS)
    assert {lost.strip() for _, done, _, lost, _ in rows[1:] if not done.startswith("not done: ")} == {
        "nothing"
    }


@pytest.mark.parametrize(
    "wrong",
    [{"unpaid": 1}, {"twice": 1}, {"imbalances": 1}, {"unanswered": 4}],
    ids=lambda one: next(iter(one)),
)
def test_what_is_lost_is_found(wrong: dict[str, int]) -> None:
    assert EXACT.is_exact
    assert not replace(EXACT, **wrong).is_exact


def test_a_row_says_what_clients_saw() -> None:
    row = Row("cut", Counter({200: 1234, 503: 5}), 2, "named", "", 0.25)
    names = ["Earlier", "Cut", "Lost", "Absent", "Never"]
    earlier = page({"Earlier": row, "Cut": replace(row, lost="all")}, {}, date(2026, 11, 22), names=names)
    rows = {"Cut": row, "Lost": replace(row, lost="much")}
    told = page(rows, {"Absent": "no disk"}, date(2026, 11, 23), names=names, before=earlier)
    assert "found it on 2026-11-23" in told
    assert "| Cut | cut | 1,234 × 200, 5 × 503, 2 without an answer; named | nothing | 0.2 s |" in told
    assert "| much |" in told
    assert "| all |" not in told
    assert [line.split(" | ")[0] for line in told.splitlines()[-4:]] == [f"| {name}" for name in names[:4]]
    assert "| Absent | not done: no disk |" in told


def answers(number: int, *, seconds: float = 0.01, status: int = 200, snapshot: str = NEWER) -> list[Answer]:
    ask = Ask("/", "key", "id")
    return [
        Answer(ask, status, {"x-snapshot-id": snapshot}, b"", 0, int(seconds * 1e6)) for _ in range(number)
    ]


def states(*, growth: float = 0.0, leak: int = 0, pid: int = 7) -> list[State]:
    every = [State(n, {7: 500.0}, {7: 40}, n * 100) for n in range(5)]
    return [*every, State(5, {pid: 500.0 + growth}, {pid: 40 + leak}, 500)]


def test_a_soak_that_is_flat_holds() -> None:
    assert judge(states(growth=5.0, leak=3), [*answers(400), *answers(100, snapshot=OLDER)]) == []


@pytest.mark.parametrize(
    ("measured", "answered", "word"),
    [
        (states(growth=100.0), answers(500), "grew"),
        (states(leak=50), answers(500), "files open"),
        (states(pid=8), answers(500), "replaced"),
        (states(), [*answers(400), *answers(100, seconds=2.0)], "p99"),
        (states(), [*answers(499), *answers(1, status=503)], "status"),
        (states(), [*answers(499), *answers(1, snapshot="2020.01.01-1")], "2020.01.01-1"),
    ],
)
def test_a_soak_that_is_not_flat_is_told(measured: list[State], answered: list[Answer], word: str) -> None:
    (problem,) = judge(measured, answered)
    assert word in problem


@pytest.mark.e2e
def test_a_fault_is_done_and_counted(snapshots_folder: Path, tmp_path: Path) -> None:
    row = deleted_file(Place(tmp_path, snapshots_folder / OLDER, {}))
    assert row.seen[200] > 40
    assert (row.lost, row.broken) == ("", 0)
