"""The table of faults as a page of the guide."""

from collections.abc import Iterable, Mapping
from datetime import date

from tests.faults.faults import Row

HEAD = """# Faults

What a server does when something breaks, as `python -m tests.faults` found it on {day}: two workers over the sample law,
asked without pause for provisions, coverage and searches while each fault was done to it. Lost is an answer without its
charge, a request charged twice, or a balance that is not the sum of its entries. A request that was under way when a process
died may be charged and not answered; the ledger names it by its request id. Recovered is the time from the end of the fault
to the last answer that failed, or to the first answer where none did.

| fault | what was done | what clients saw | what was lost | recovered in |
|---|---|---|---|---|
"""


def page(
    rows: Mapping[str, Row], missing: Mapping[str, str], day: date, *, names: Iterable[str], before: str = ""
) -> str:
    """Return the page.

    Args:
        rows: by the name of the fault.
        missing: faults that could not be done here, each with the reason.
        day: the day of the run.
        names: all faults, in their order.
        before: the page of an earlier run, whose rows stay where this one has none.
    """
    lines = {
        line.split(" | ")[0].removeprefix("| "): line for line in before.splitlines() if line[:2] == "| "
    }
    lines |= {name: f"| {name} | not done: {reason} | – | – | – |" for name, reason in missing.items()}
    lines |= {
        name: f"| {name} | {row.done} | {_seen(row)} | {row.lost or 'nothing'} | {row.recovered:.1f} s |"
        for name, row in rows.items()
    }
    return HEAD.format(day=day.isoformat()) + "".join(f"{lines[name]}\n" for name in names if name in lines)


def _seen(row: Row) -> str:
    told = [f"{number:,} × {status}" for status, number in sorted(row.seen.items())]
    if row.broken:
        told.append(f"{row.broken} without an answer")
    return ", ".join(told) + (f"; {row.notes}" if row.notes else "")
