"""Reports of readers: what is taken, how many, and what becomes of them."""

import pytest

from serving.accounts.attempts import REPORTS_FROM_NETWORK
from serving.accounts.reports import MAX_WORDS, Reports
from serving.contract.errors import NotFoundError, TooManyAttemptsError, ValidationError
from serving.metering.clock import DAY, SECOND

GIVEN = {
    "node_id": "00000000-0000-4000-8000-000000000000",
    "citation": "1 S.F.C. § 7",
    "snapshot": "2026.11.21-1",
    "words": "The second sentence is missing.",
    "email": "",
    "address": "192.0.2.1",
}


@pytest.fixture
def reports(meter):
    return Reports(meter.database)


def test_a_report_is_listed_until_it_is_closed(reports, meter):
    first = reports.add(**GIVEN)
    second = reports.add(**{**GIVEN, "email": " Ada@Example.org ", "words": " One.\r\n\r\n  Two.  \n"})
    assert (first.email, second.email, second.words) == (None, "ada@example.org", "One.\n\nTwo.")
    assert [one.report_id for one in reports.list()] == [first.report_id, second.report_id]
    meter.clock.pass_(60)
    closed = reports.close(first.report_id, "Mended in the next snapshot.")
    assert closed.closed_at == first.created_at + 60 * SECOND
    assert reports.list() == [second]
    assert reports.list(closed=True) == [closed, second]
    again = reports.close(first.report_id, "Not an error.")
    assert (again.closed_at, again.outcome) == (closed.closed_at, "Not an error.")
    assert reports.get(first.report_id) == again


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(
            ("words", value)
            for value in ("", " \n ", "x" * (MAX_WORDS + 1), "a\x00b", "a\u202eb", "a\tb\x1b")
        ),
        ("email", "ada"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_not_counted(reports, field, value):
    with pytest.raises(ValidationError) as refused:
        reports.add(**{**GIVEN, field: value})
    assert refused.value.parameter == field
    assert not reports.list()
    for _ in range(REPORTS_FROM_NETWORK.most):
        reports.add(**GIVEN)


def test_a_network_reports_so_many_a_day_and_keeps_no_other_out(reports, meter):
    for number in range(REPORTS_FROM_NETWORK.most):
        reports.add(**{**GIVEN, "address": f"2001:db8::{number + 1:x}"})
    with pytest.raises(TooManyAttemptsError) as refused:
        reports.add(**{**GIVEN, "address": "2001:db8::ffff"})
    assert 0 < refused.value.retry_after_seconds <= DAY // SECOND
    reports.add(**GIVEN)
    assert len(reports.list()) == REPORTS_FROM_NETWORK.most + 1
    meter.clock.pass_(DAY // SECOND + 1)
    reports.add(**{**GIVEN, "address": "2001:db8::ffff"})


@pytest.mark.parametrize("outcome", ["", "  ", "x" * 501, "a\x1bb"])
def test_a_report_is_closed_with_words(reports, outcome):
    number = reports.add(**GIVEN).report_id
    with pytest.raises(ValidationError):
        reports.close(number, outcome)
    with pytest.raises(NotFoundError, match="no report 999"):
        reports.close(999, "Done.")
    assert reports.get(number).closed_at is None
