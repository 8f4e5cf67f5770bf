"""From verdicts and figures to what a person sees in the Dagster UI: results, tables and pictures."""

import base64
import io
import math
import textwrap
from collections.abc import Mapping, Sequence

import dagster as dg
import pyarrow as pa
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from assets.findings import Finding, Severity, Verdict

_SHOWN = 20


def check_result(verdict: Verdict) -> dg.AssetCheckResult:
    """Return a verdict as a check's result, with its figures and its first findings, passed or not.

    A check that examined nothing has not passed: nothing was shown to be right.
    """
    empty = verdict.examined == 0
    metadata: dict[str, dg.MetadataValue | str | int | float] = {
        "examined": verdict.examined,
        "findings": len(verdict.findings),
        **verdict.measured,
    }
    if verdict.findings:
        metadata["first findings"] = findings_table(verdict.findings[:_SHOWN])
    errors = empty or not verdict.passed
    return dg.AssetCheckResult(
        passed=not errors and not verdict.findings,
        severity=dg.AssetCheckSeverity.ERROR if errors else dg.AssetCheckSeverity.WARN,
        description=_summary(verdict, empty=empty),
        metadata=metadata,
    )


def findings_table(findings: Sequence[Finding]) -> dg.TableMetadataValue:
    """Return findings as a table: severity, code, where, message."""
    return dg.MetadataValue.table(
        [
            dg.TableRecord(
                {
                    "severity": finding.severity.value,
                    "code": finding.code,
                    "where": finding.where,
                    "message": finding.message,
                }
            )
            for finding in findings
        ],
        schema=dg.TableSchema(
            [dg.TableColumn(name, "string") for name in ("severity", "code", "where", "message")]
        ),
    )


def table(rows: Sequence[Mapping[str, str | int | float]], empty: str = "none") -> dg.MetadataValue:
    """Return rows of one shape as a Markdown table, or the word for there being none."""
    if not rows:
        return dg.MetadataValue.md(empty)
    names = list(rows[0])
    lines = [
        _row(names),
        _row(["---"] * len(names)),
        *(_row([str(row[name]) for name in names]) for row in rows),
    ]
    return dg.MetadataValue.md("\n".join(lines))


def columns(schema: pa.Schema) -> dict[str, dg.TableSchema]:
    """Return the metadata by which Dagster shows the columns of an asset's table: names, types, nulls."""
    shown = [
        dg.TableColumn(
            field.name, str(field.type), constraints=dg.TableColumnConstraints(nullable=field.nullable)
        )
        for field in schema
    ]
    return {"dagster/column_schema": dg.TableSchema(shown)}


def excerpt(text: str, *, most: int = 160) -> str:
    """Return the beginning of a text in one line, cut between words and marked where it is cut."""
    return textwrap.shorten(text, most, placeholder=" …")


def line_chart(values: Mapping[str, Mapping[str, float]], *, title: str, unit: str) -> dg.MetadataValue:
    """Return a line a series, over the places that its values are named by, as a picture inside Markdown.

    Args:
        values: of each series, its values by place; a place that a series lacks has none drawn.
        title: above the picture.
        unit: of the values.
    """
    figure = Figure(figsize=(7, 3), layout="constrained")
    axes = figure.add_subplot()
    places = list(dict.fromkeys(place for series in values.values() for place in series))
    for name, series in values.items():
        axes.plot(
            range(len(places)), [series.get(place, math.nan) for place in places], marker="o", label=name
        )
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_ylabel(unit, fontsize=8)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xticks(range(len(places)), places)
    axes.tick_params(labelsize=7)
    if values:
        axes.legend(fontsize=7)
    return picture(figure, title)


def bar_chart(values: Mapping[str, float], *, title: str, unit: str) -> dg.MetadataValue:
    """Return horizontal bars, one a name, as a picture inside Markdown."""
    figure = Figure(figsize=(7, 0.6 + 0.28 * max(len(values), 1)), layout="constrained")
    axes = figure.add_subplot()
    names = list(values)
    axes.barh(names, list(values.values()), color="#3b6ea5")
    axes.invert_yaxis()
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(unit, fontsize=8)
    axes.tick_params(labelsize=8)
    return picture(figure, title)


def histogram(values: Sequence[float], *, title: str, unit: str, bins: int = 40) -> dg.MetadataValue:
    """Return the distribution of values as a picture inside Markdown."""
    figure = Figure(figsize=(7, 2.6), layout="constrained")
    axes = figure.add_subplot()
    axes.hist(values, bins=bins, color="#3b6ea5")
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(unit, fontsize=8)
    axes.tick_params(labelsize=8)
    return picture(figure, title)


def picture(figure: Figure, title: str) -> dg.MetadataValue:
    """Return a figure as a picture inside Markdown."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return dg.MetadataValue.md(
        f"![{title}](data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()})"
    )


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _summary(verdict: Verdict, *, empty: bool) -> str:
    if empty:
        return "Nothing was examined, so nothing was shown to be right."
    errors = sum(finding.severity is Severity.ERROR for finding in verdict.findings)
    warnings = len(verdict.findings) - errors
    return f"{verdict.examined} examined, {_number(errors, 'error')}, {_number(warnings, 'warning')}."


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
