"""Both files of a table hold the same rows, whatever is absent in them."""

import gzip
import json

import orjson
import pyarrow.parquet as pq

from assets.release.bulk.table_files import TableFiles
from assets.release.bulk.tables import CHANGE_TABLE

SIDE = {"node_id": "a", "citation": "§ 1", "current_through_date": "2026-11-01", "effective_start": None}


def test_a_provision_that_is_new_has_no_state_before(tmp_path):
    common = {"kind": "added", "fields": [], "level": "section", "code_body": "x", "jurisdiction": "us"}
    dates = {"words": [], "words_left_out": 0, "credit_added": [], "published_on": "2026-11-22"}
    rows = [
        {**common, **dates, "before": before, "after": after, "known_on": "2026-11-21"}
        for before, after in ((None, SIDE), (SIDE, SIDE), (SIDE, None), (None, None))
    ]
    with TableFiles(tmp_path, CHANGE_TABLE) as files:
        files.write(rows)
    lines = gzip.decompress((tmp_path / "changes.jsonl.gz").read_bytes()).splitlines()
    found = pq.read_table(tmp_path / "changes.parquet").to_pylist()
    assert [json.loads(orjson.dumps(row)) for row in found] == [json.loads(line) for line in lines]
    assert [(row["before"] is None, row["after"] is None) for row in found] == [
        (True, False),
        (False, False),
        (False, True),
        (True, True),
    ]
