"""The check that no text was lost, with an oracle of the toy dialect."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.ingest import text_loss
from assets.ingest.accounting import Account
from assets.ingest.formats import uslm
from assets.ingest.model import SourceFile
from assets.ingest.oracles import uslm as uslm_oracle
from assets.ingest.pinned import open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.text_loss import no_text_lost
from serving.contract.records import PROVISIONS

Oracle = Callable[[SourceFile], Account]

LAW = {
    "t1/a.xml": """<p id="/toy/t1" level="title" head="Courts"/>
<p id="/toy/t1/s1" parent="/toy/t1" level="section" head="Fees">Fifty   dollars | each.</p>
<p id="/toy/t1/s2" parent="/toy/t1" level="section" head="Appeals">To the court.</p>""",
    "t2/a.xml": '<p id="/toy/t2" level="section" head="Liens">Held.</p>',
}


def retell(toy: Any, row: int, text: str) -> None:
    rows = pq.read_table(toy.provisions / "provisions.parquet").to_pylist()
    rows[row]["text"] = text
    pq.write_table(pa.Table.from_pylist(rows, schema=PROVISIONS), toy.provisions / "provisions.parquet")


def test_whole_law_passes_with_the_account_as_evidence(toy: Any, account: Oracle) -> None:
    toy.build(LAW)
    verdict = no_text_lost(toy.provisions, toy.pinned, account)
    assert verdict.passed
    assert verdict.measured == {
        "files": 2,
        "files skipped": 1,
        "files that differ": 0,
        "characters: operative": len("Fiftydollarseach.Tothecourt.Held."),
        "discarded: markup": 6,
    }


def test_a_lost_word_is_shown_with_its_place_and_both_sides(toy: Any, account: Oracle) -> None:
    toy.build(LAW)
    retell(toy, 2, "To court.")
    (finding,) = no_text_lost(toy.provisions, toy.pinned, account).findings
    assert (finding.code, finding.where) == ("text_differs", "t1/a.xml")
    assert "parts at character 19: the file has 'thecourt.', the provisions have 'court.'" in finding.message
    assert "(28 characters of law, 25 held)" in finding.message


def test_text_at_the_end_that_is_lost_or_added_is_found(toy: Any, account: Oracle) -> None:
    toy.build(LAW)
    retell(toy, 3, "")
    (lost,) = no_text_lost(toy.provisions, toy.pinned, account).findings
    retell(toy, 3, "Held. Twice.")
    (added,) = no_text_lost(toy.provisions, toy.pinned, account).findings
    assert "at character 0: the file has 'Held.', the provisions have ''" in lost.message
    assert "at character 5: the file has '', the provisions have 'Twice.'" in added.message


def test_a_file_that_the_reader_passed_over_is_found(toy: Any, account: Oracle) -> None:
    toy.build(LAW | {"passed-over.xml": "<p>Law.</p><p id='x'>Law that no row names.</p>"})
    (finding,) = no_text_lost(toy.provisions, toy.pinned, account).findings
    assert finding.where == "passed-over.xml"


def test_a_broken_file_that_the_report_does_not_name_is_found(toy: Any, account: Oracle) -> None:
    toy.build(LAW | {"passed-over.xml": "BROKEN"})
    (finding,) = no_text_lost(toy.provisions, toy.pinned, account).findings
    assert finding.code == "file_unreadable"


def test_quarantined_files_are_skipped_and_counted(toy: Any, account: Oracle) -> None:
    toy.build(LAW)
    below = '<p id="/toy/t1/s3" parent="/toy/t1" level="section" head="Costs">None.</p>'
    toy.build({"t1/a.xml": "BROKEN", "t1/b.xml": below, "t2/a.xml": LAW["t2/a.xml"]})
    verdict = no_text_lost(toy.provisions, toy.pinned, account)
    assert verdict.passed
    assert (verdict.examined, verdict.measured["files skipped"]) == (1, 3)


def test_what_was_read_of_a_broken_unit_is_still_compared(toy: Any, account: Oracle) -> None:
    toy.build(LAW | {"t1/b.xml": "BROKEN"})
    assert no_text_lost(toy.provisions, toy.pinned, account).examined == 2
    retell(toy, 1, "")
    assert not no_text_lost(toy.provisions, toy.pinned, account).passed


def test_nothing_to_compare_is_no_success(toy: Any, account: Oracle) -> None:
    toy.build(LAW)
    toy.build({"t1/a.xml": "BROKEN"})
    assert not no_text_lost(toy.provisions, toy.pinned, account).passed


def test_other_processes_see_what_this_one_sees(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_loss, "_SHARE_BYTES", 100)
    monkeypatch.setattr(text_loss, "_WORTH_A_PROCESS", 100)
    title = """<uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0" identifier="/us/usc/t{0}"><main>
<title identifier="/us/usc/t{0}"><num value="{0}">Title {0}—</num><heading>SAMPLE</heading>
<section identifier="/us/usc/t{0}/s1"><num value="1">§ 1.</num><heading>Words</heading>
<content>Sample law of title {0}.</content></section></title></main></uscDoc>"""
    source = toy.pin({f"usc{number:02}.xml": title.format(number) for number in range(1, 6)})
    build_provisions(
        open_pinned(toy.pinned),
        source,
        toy.body,
        uslm,
        toy.provisions,
        tags=toy.tags,
        previous=None,
        progress=lambda done, total: None,
    )
    alone = no_text_lost(toy.provisions, toy.pinned, uslm_oracle.account, processes=1)
    together = no_text_lost(toy.provisions, toy.pinned, uslm_oracle.account, processes=2)
    assert alone.passed
    assert alone == together
    retell(toy, 5, "Other law.")
    together = no_text_lost(toy.provisions, toy.pinned, uslm_oracle.account, processes=2)
    assert [finding.where for finding in together.findings] == ["usc03.xml"]
