"""Summary of what a trial read, by which a maintainer sees whether a new entry fits its source."""

import pyarrow as pa
import pyarrow.compute as pc

from assets.ingest.report import ProvisionsReport, UnitStatus
from assets.registry import CodeBody


def reading_summary(body: CodeBody, read: ProvisionsReport, outlines: pa.ChunkedArray) -> list[str]:
    """Return the lines: counts, and what the entry leaves out that no check knows of.

    Args:
        body: whose entry is tried.
        read: the report of the reading.
        outlines: column `outline` of the provisions.
    """
    divided = pc.sum(pc.greater(pc.list_value_length(outlines), 0)).as_py() or 0
    missing = sum(unit.status is UnitStatus.MISSING for unit in read.units)
    without = f", without {missing:,} that {'is' if missing == 1 else 'are'} missing" if missing else ""
    lines = [
        (
            f"{read.provisions:,} provisions are read, {read.sections:,} of them sections, "
            f"of {len(read.units) - missing:,} titles{without}"
        ),
        f"{divided:,} provisions have parts with designations, such as (a)",
    ]
    if not body.citing:
        lines.append(
            f"the entry has no `citing`: the code is cited as {body.short_name!r} alone, "
            "and its numbers are taken to be of the usual shape"
        )
    return [f"{body.key}: {line}." for line in lines]
