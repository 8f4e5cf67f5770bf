"""`lawctl reports`: what readers reported, shown to the operator alone."""

import pytest

from serving.accounts.reports import Reports
from serving.metering.database import Database

GIVEN = {
    "node_id": "00000000-0000-4000-8000-000000000000",
    "citation": "1 S.F.C. § 7",
    "snapshot": "2026.11.21-1",
    "address": "192.0.2.1",
}


@pytest.fixture
def reported(url):
    """Two reports."""
    database = Database(url)
    reports = Reports(database)
    reports.add(**GIVEN, words="First line.\r\nSecond line.", email="ada@example.org")
    reports.add(**GIVEN, words="x" * 100, email="")
    database.close()


@pytest.mark.usefixtures("reported")
def test_reports_are_read_and_closed(lawctl):
    listed = lawctl("reports", "list").out.splitlines()
    assert len(listed) == 3
    assert listed[1].endswith("1 S.F.C. § 7  First line. Second line.")
    assert listed[2].endswith("x" * 59 + "…")
    shown = lawctl("reports", "show", "1").out
    assert "by ada@example.org" in shown
    assert shown.endswith("  First line.\n  Second line.\n")
    closed = lawctl("reports", "close", "1", "--outcome", "Mended.", "--json").json
    assert (closed["outcome"], closed["closedAt"] is None) == ("Mended.", False)
    assert [one["report"] for one in lawctl("reports", "list", "--json").json] == [2]
    assert [one["report"] for one in lawctl("reports", "list", "--all", "--json").json] == [1, 2]


def test_a_report_that_is_not_there_is_named(lawctl):
    assert "no report 7" in lawctl("reports", "show", "7", fails=True).err
    assert "no report 7" in lawctl("reports", "close", "7", "--outcome", "x", fails=True).err
