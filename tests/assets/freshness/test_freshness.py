"""What was accepted beside the newest release: which is newer, by how much, and what cannot be told."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from assets.connectors.sightings import Sighting
from assets.freshness.freshness import Reason, Status, compare, judge
from assets.freshness.held import Held

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
SEEN = Sighting(
    asked_at="2026-11-22T06:00:00Z",
    release="119-101",
    date="2026-11-20",
    first_seen_at="2026-11-21T06:00:00Z",
    seen_at="2026-11-22T06:00:00Z",
)
HELD = Held("119-100", "2026-10-01", "2026-09-30")


def test_the_same_release_is_current() -> None:
    fresh = compare(SEEN, replace(HELD, release="119-101"), fetchable=True)
    assert (fresh.status, fresh.reason, fresh.days_behind, fresh.is_due) == (Status.CURRENT, None, 0, False)


def test_another_release_of_a_later_day_is_ahead_by_the_days_between() -> None:
    fresh = compare(SEEN, HELD, fetchable=True)
    assert (fresh.status, fresh.reason, fresh.days_behind, fresh.is_due) == (Status.BEHIND, None, 50, True)


def test_a_release_without_a_date_counts_from_the_day_it_was_first_seen() -> None:
    fresh = compare(replace(SEEN, date=None), HELD, fetchable=True)
    assert (fresh.status, fresh.days_behind) == (Status.BEHIND, 51)


def test_days_are_not_told_where_nothing_dates_what_is_held() -> None:
    fresh = compare(SEEN, replace(HELD, date=None), fetchable=True)
    assert (fresh.status, fresh.days_behind) == (Status.BEHIND, None)


@pytest.mark.parametrize(
    ("sighting", "held", "fetchable", "reason", "due"),
    [
        (SEEN, HELD, False, Reason.NO_CONNECTOR, False),
        (None, HELD, True, Reason.NEVER_ASKED, False),
        (Sighting("2026-11-22T06:00:00Z", failure="No answer."), HELD, True, Reason.NEVER_ANSWERED, False),
        (SEEN, None, True, Reason.NOT_HELD, True),
        # A path was given: that its law ends before the day of the release does not say it is another one.
        (SEEN, Held(None, None, "2026-11-18"), True, Reason.NO_RELEASE_RECORDED, True),
        (SEEN, Held(None, None, None), True, Reason.NO_RELEASE_RECORDED, True),
        # A preview that is ahead of what is published: building the newest release would go back.
        (SEEN, Held(None, None, "2026-11-21"), True, Reason.NEWEST_IS_OLDER, False),
        (SEEN, Held("119-102", "2026-11-21", None), True, Reason.NEWEST_IS_OLDER, False),
    ],
)
def test_what_cannot_be_told_has_a_reason(
    sighting: Sighting | None, held: Held | None, fetchable: bool, reason: Reason, due: bool
) -> None:
    fresh = compare(sighting, held, fetchable=fetchable)
    assert (fresh.status, fresh.reason, fresh.days_behind, fresh.is_due) == (
        Status.UNKNOWN,
        reason,
        None,
        due,
    )


@pytest.mark.parametrize(
    ("held", "days", "codes"),
    [
        (HELD, 49, ["older_than_newest"]),
        (HELD, 50, []),
        (replace(HELD, date=None), 50, ["other_than_newest"]),
        (replace(HELD, release="119-101"), 0, []),
        # From a path: judged by the day through which it says it is current.
        (Held(None, None, "2026-09-30"), 50, ["older_than_newest"]),
        (Held(None, None, "2026-09-30"), 51, []),
        (Held(None, None, None), 0, []),
        (None, 0, []),
    ],
)
def test_more_days_than_the_entry_allows_are_a_warning(
    held: Held | None, days: int, codes: list[str]
) -> None:
    verdict = judge(compare(SEEN, held, fetchable=True), "us-usc", days=days, now=NOW)
    assert [finding.code for finding in verdict.findings] == codes
    assert verdict.examined == 1
    assert verdict.passed, "a warning stops nothing"
    assert verdict.measured["newest release"] == "119-101"


def test_a_publisher_that_answers_no_more_is_a_warning_in_time() -> None:
    silent = replace(
        SEEN, failure="https://a.example/ cannot be reached.", failure_code="publisher_unreachable"
    )
    held = replace(HELD, release="119-101")
    for seen_at, codes in (("2026-11-20T06:00:00Z", []), ("2026-10-20T06:00:00Z", ["publisher_unanswering"])):
        fresh = compare(replace(silent, seen_at=seen_at), held, fetchable=True)
        verdict = judge(fresh, "us-usc", days=30, now=NOW)
        assert [finding.code for finding in verdict.findings] == codes


def test_nobody_asked_is_no_warning_and_says_so() -> None:
    verdict = judge(compare(None, HELD, fetchable=True), "us-usc", days=30, now=NOW)
    assert not verdict.findings
    assert verdict.measured["reason"] == "never_asked"
    assert verdict.measured["days behind"] == "not known"
