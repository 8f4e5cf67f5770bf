"""Check of what an entry says of citing: the citations of a code's own sections are read as theirs."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from assets.findings import Finding, Severity, Verdict
from assets.ingest.provisions_table import PROVISIONS_FILE
from serving.contract.citations import Grammar, parse
from serving.contract.citations.citation import UNREAD
from serving.contract.records import IN_FORCE

_BATCH_ROWS = 4_096


def own_citations_are_read(provisions: Path, grammar: Grammar) -> Verdict:
    """Look for live sections whose citation, read as a person's would be, is not the section's own.

    Where many are found, `number` in the entry's `citing` is not the shape of its numbers. Lists and ranges
    are left to the checks of the publication, which ask the index.

    Args:
        provisions: the folder with `provisions.parquet`.
        grammar: of the code body and of all other codes that are known.
    """
    examined = 0
    found: list[Finding] = []
    columns = ["identifier", "citation", "citable", "status", "level"]
    batch: pa.RecordBatch
    for batch in pq.ParquetFile(provisions / PROVISIONS_FILE).iter_batches(_BATCH_ROWS, columns=columns):
        for row in batch.to_pylist():
            citation = row["citation"]
            if not (row["citable"] and row["status"] == IN_FORCE and row["level"] == "section"):
                continue
            if "§§" in citation:
                continue
            examined += 1
            read = [one.target for one in parse(citation, grammar) if one.kind != UNREAD]
            if len(read) == 1 and _is_own(citation, read[0]):
                continue
            told = f"read as {', '.join(read)}" if read else "not read as a citation"
            message = (
                f"{citation} is {told}: `number` of the entry's `citing` may not be the shape of its numbers."
            )
            found.append(Finding("own_citation_not_read", row["identifier"], message, Severity.WARNING))
    return Verdict(max(examined, 1), found, {"not read": len(found)})


def _is_own(citation: str, target: str) -> bool:
    """Return whether a target is the citation; of sections of one number, without what tells them apart."""
    return citation == target or citation.startswith(f"{target} (")
