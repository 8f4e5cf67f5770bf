"""What a person sees of a verdict: passed only where something was examined and nothing found."""

import dagster as dg
import pytest

from assets.findings import Finding, Severity, Verdict
from assets.progress import ProgressLines, counted, describe
from assets.reporting import bar_chart, check_result, excerpt, line_chart, table

WARNING = Finding("old", "t2", "kept from before", Severity.WARNING)
ERROR = Finding("lost", "t1", "two characters are missing")


@pytest.mark.parametrize(
    ("verdict", "passed", "severity"),
    [
        (Verdict(3), True, dg.AssetCheckSeverity.WARN),
        (Verdict(0), False, dg.AssetCheckSeverity.ERROR),
        (Verdict(3, [WARNING]), False, dg.AssetCheckSeverity.WARN),
        (Verdict(3, [WARNING, ERROR]), False, dg.AssetCheckSeverity.ERROR),
    ],
)
def test_a_verdict_becomes_a_result(verdict: Verdict, passed: bool, severity: dg.AssetCheckSeverity) -> None:
    result = check_result(verdict)
    assert result.passed is passed
    assert result.severity is severity
    assert result.metadata["examined"].value == verdict.examined


def test_findings_are_shown_even_with_figures() -> None:
    result = check_result(Verdict(9, [ERROR], {"characters": 12}))
    shown = result.metadata["first findings"]
    assert isinstance(shown, dg.TableMetadataValue)
    assert shown.records[0].data["where"] == "t1"
    assert result.metadata["characters"].value == 12


def test_cells_of_a_table_cannot_break_it() -> None:
    shown = table([{"a": "x|y\nz", "b": 1}]).value
    assert shown == "| a | b |\n| --- | --- |\n| x\\|y z | 1 |"
    assert table([]).value == "none"


def test_a_chart_is_a_picture() -> None:
    assert "data:image/png;base64,iVBOR" in str(bar_chart({"t1": 3.0}, title="Sections", unit="n").value)


def test_a_line_ends_where_a_series_does() -> None:
    lines = line_chart(
        {"a": {"2026.11.21-1": 3.0, "2026.11.22-1": 4.0}, "b": {"2026.11.22-1": 2.0}}, title="n", unit="n"
    )
    assert "data:image/png;base64,iVBOR" in str(lines.value)
    assert "data:image/png;base64,iVBOR" in str(line_chart({}, title="n", unit="n").value)


def test_an_excerpt_ends_with_a_whole_word() -> None:
    text = "Within 30 days after the tenancy ends,\nthe landlord shall return the deposit."
    assert excerpt(text, most=30) == "Within 30 days after the …"
    assert excerpt(text, most=200) == " ".join(text.split())


def test_progress_says_rate_and_time_left() -> None:
    assert describe(50, 200, "files", 10.0) == "50 of 200 files, 5/s, 30 s left"
    assert describe(50, 0, "files", 10.0) == "50 files, 5/s"
    assert describe(0, 0, "files", 0.0) == "0 files, 0/s"


def test_progress_lines_end_with_a_sum() -> None:
    lines: list[str] = []
    with ProgressLines(lines.append, seconds=0.0).stage("x: chunks", "provisions") as advance:
        more = counted(advance, 5)
        more(2)
        more(3)
    assert [line.split(",")[0] for line in lines[:2]] == [
        "x: chunks: 2 of 5 provisions",
        "x: chunks: 5 of 5 provisions",
    ]
    assert lines[-1].startswith("x: chunks: 5 provisions in ")
