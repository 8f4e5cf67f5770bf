"""Do faults to a running server, and print the table: what clients saw, what was lost, how soon it was over.

Run: `python -m tests.faults [--only NAME]... [--write docs/faults.md]`. Exit status 1 if anything was lost, or the
server did not recover. It builds the sample first; some minutes in all.
"""

import argparse
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from serving.snapshot.pointer import current_snapshot_id
from tests.faults.faults import FAULTS, Place, Row
from tests.faults.house import build_sample
from tests.faults.report import page
from tests.serving.disks import NoDiskError
from tests.serving.stores import NoPostgresError


def main() -> int:
    """Do the faults, print the table and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", action="append", choices=FAULTS, help="one fault alone; may be repeated")
    parser.add_argument("--sample", type=Path, help="folder in which the sample is built, once, and kept")
    parser.add_argument("--write", type=Path, help="file whose table gets the rows of this run")
    options = parser.parse_args()
    rows: dict[str, Row] = {}
    missing: dict[str, str] = {}
    failed: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="law-faults-", ignore_cleanup_errors=True) as name:
        root = Path(name)
        workspace = build_sample(root if options.sample is None else options.sample.resolve())
        built = Path(workspace["LAW_SNAPSHOTS"])
        for number, fault in enumerate(options.only or FAULTS):
            folder = root / str(number)
            folder.mkdir()
            try:
                rows[fault] = FAULTS[fault](Place(folder, built / current_snapshot_id(built), workspace))
            except (NoDiskError, NoPostgresError) as error:
                missing[fault] = str(error)
            except Exception as error:
                failed[fault] = repr(error)
            print(fault, rows.get(fault) or missing.get(fault) or failed.get(fault), flush=True)
    before = ""
    if options.write is not None and options.write.exists():
        before = options.write.read_text(encoding="utf-8")
    table = page(rows, missing, datetime.now(UTC).date(), names=FAULTS, before=before)
    if options.write is not None:
        options.write.write_text(table, encoding="utf-8")
    print(table)
    return 1 if failed or any(row.lost for row in rows.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
