"""The check of what an entry says of citing: silent on numbers of its shape, and it names all others."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.findings import Severity
from assets.ingest.own_citations import own_citations_are_read
from assets.ingest.provisions_table import PROVISIONS_FILE
from serving.contract.citations import CitationScheme, Grammar
from serving.contract.records import IN_FORCE

NUMBERS = ["1-1-101", "1-1-102.5", "1.5-1-101"]
WHOLE = r"\d{1,2}(?:\.\d)?-\d{1,3}-\d{1,4}(?:\.\d{1,3})?"


def grammar(number: str) -> Grammar:
    scheme = {
        "key": "x-code",
        "code": "x-code",
        "jurisdiction": "x",
        "template": "X Code § {num}",
        "names": ["X Code"],
        "number": number,
    }
    return Grammar([CitationScheme.from_dict(scheme)], [])


@pytest.fixture
def provisions(tmp_path: Path) -> Path:
    rows = [
        {"identifier": f"/x/code/{num}", "citation": f"X Code § {num}", "status": IN_FORCE} for num in NUMBERS
    ]
    doubled = {"identifier": "/x/code/1-1-103@2", "citation": "X Code § 1-1-103 (Effective 2030)"}
    rows.append(doubled | {"status": IN_FORCE})
    rows.append({"identifier": "/x/code/9", "citation": "X Code § 9", "status": "repealed"})
    rows.append({"identifier": "/x/code/7...8", "citation": "X Code §§ 7 to 8", "status": IN_FORCE})
    table = pa.Table.from_pylist([row | {"citable": True, "level": "section"} for row in rows])
    pq.write_table(table, tmp_path / PROVISIONS_FILE)
    return tmp_path


def test_numbers_of_the_entrys_shape_are_passed_over_in_silence(provisions: Path) -> None:
    verdict = own_citations_are_read(provisions, grammar(WHOLE))
    assert (verdict.examined, verdict.findings) == (4, [])


@pytest.mark.parametrize(
    ("number", "astray"),
    [
        (r"\d{1,2}-\d{1,3}-\d{1,4}", {"/x/code/1-1-102.5", "/x/code/1.5-1-101"}),
        (r"\d{1,2}(?:\.\d)?-\d{1,3}-\d{1,4}", {"/x/code/1-1-102.5"}),
        (r"\d{1,2}-\d{1,3}-\d{1,4}(?:\.\d{1,3})?", {"/x/code/1.5-1-101"}),
    ],
)
def test_a_number_too_narrow_is_told_with_the_sections_it_loses(
    provisions: Path, number: str, astray: set[str]
) -> None:
    verdict = own_citations_are_read(provisions, grammar(number))
    assert {finding.where for finding in verdict.findings} == astray
    assert all(finding.severity is Severity.WARNING for finding in verdict.findings)
    assert verdict.passed
