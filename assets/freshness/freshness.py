"""The age of what was accepted: its release beside the newest that its publisher is known to have."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from assets.connectors.sightings import Sighting
from assets.findings import Finding, Severity, Verdict
from assets.freshness.held import Held


class Status(StrEnum):
    """States of what was accepted."""

    CURRENT = "current"
    BEHIND = "behind"
    UNKNOWN = "unknown"


class Reason(StrEnum):
    """Reasons why a state is not known.

    Attributes:
        NO_CONNECTOR: the registry has no address at which the publisher could be asked.
        NEVER_ASKED: nobody has asked it.
        NEVER_ANSWERED: it was asked, and has not answered yet.
        NOT_HELD: nothing was accepted.
        NO_RELEASE_RECORDED: it was read from a path, and nothing says which release that was.
        NEWEST_IS_OLDER: the newest release has an earlier date than what is held.
    """

    NO_CONNECTOR = "no_connector"
    NEVER_ASKED = "never_asked"
    NEVER_ANSWERED = "never_answered"
    NOT_HELD = "not_held"
    NO_RELEASE_RECORDED = "no_release_recorded"
    NEWEST_IS_OLDER = "newest_is_older"


@dataclass(frozen=True, slots=True)
class Freshness:
    """A code body or layer beside its publisher's newest release.

    Attributes:
        reason: why the status is unknown; None: it is known.
        sighting: of the newest release; None: nobody asked.
        held: what was accepted; None: nothing was.
        days_behind: from the date of the held release to that of the newest; None where one is not known.
    """

    status: Status
    reason: Reason | None
    sighting: Sighting | None
    held: Held | None
    days_behind: int | None = None

    @property
    def is_due(self) -> bool:
        """True where the newest release is to be built: nothing says that it, or a newer one, is held."""
        return self.status is Status.BEHIND or self.reason in {Reason.NOT_HELD, Reason.NO_RELEASE_RECORDED}


def compare(sighting: Sighting | None, held: Held | None, *, fetchable: bool) -> Freshness:
    """Return how what was accepted compares with what the publisher had when it was seen last.

    Args:
        sighting: of the newest release.
        held: what was accepted.
        fetchable: whether the registry says where the publisher could be asked.
    """

    def unknown(reason: Reason) -> Freshness:
        return Freshness(Status.UNKNOWN, reason, sighting, held)

    if not fetchable:
        return unknown(Reason.NO_CONNECTOR)
    if sighting is None:
        return unknown(Reason.NEVER_ASKED)
    if sighting.release is None:
        return unknown(Reason.NEVER_ANSWERED)
    if held is None:
        return unknown(Reason.NOT_HELD)
    if held.release == sighting.release:
        return Freshness(Status.CURRENT, None, sighting, held, 0)
    if held.release is None:
        # The day through which law is current comes before that of its release, so only one side can be told.
        days = _days(held.through, sighting.date)
        is_older = days is not None and days < 0
        return unknown(Reason.NEWEST_IS_OLDER if is_older else Reason.NO_RELEASE_RECORDED)
    days = _days(held.date, sighting.day)
    if days is not None and days < 0:
        return unknown(Reason.NEWEST_IS_OLDER)
    return Freshness(Status.BEHIND, None, sighting, held, days)


def judge(freshness: Freshness, key: str, *, days: int, now: datetime) -> Verdict:
    """Warn where something is older than its publisher's newest release by more than `days`.

    A source whose release is not recorded is judged by the day through which it says it is current. It warns
    also where the publisher has not answered for so long.
    """
    findings = []
    sighting, held = freshness.sighting, freshness.held
    behind = freshness.days_behind
    if freshness.reason is Reason.NO_RELEASE_RECORDED and sighting is not None and held is not None:
        behind = _days(held.through, sighting.date)
    if sighting is not None and held is not None and behind is not None and behind > days:
        findings.append(_warning("older_than_newest", key, _told(sighting, held, behind, days)))
    elif freshness.status is Status.BEHIND and behind is None and sighting is not None:
        findings.append(
            _warning("other_than_newest", key, f"The publisher's newest release is {sighting.release}.")
        )
    if sighting is not None and sighting.failure is not None:
        since = sighting.seen_at or sighting.asked_at
        if datetime.fromisoformat(since) < now - timedelta(days=days) or sighting.seen_at is None:
            findings.append(_warning("publisher_unanswering", key, sighting.failure))
    return Verdict(1, findings, _measured(freshness))


def _told(sighting: Sighting, held: Held, behind: int, days: int) -> str:
    ours = held.release or f"what is current through {held.through}"
    return (
        f"{ours} was accepted; the newest release {sighting.release} of {sighting.day} is {behind:,} "
        f"{'day' if behind == 1 else 'days'} newer (allowed are {days}). Build it: `lawbuild` names it with "
        "--check."
    )


def _measured(freshness: Freshness) -> dict[str, float | int | str]:
    sighting, held = freshness.sighting, freshness.held
    told = "not known"
    return {
        "status": freshness.status.value,
        "reason": freshness.reason.value if freshness.reason else "none",
        "newest release": (sighting and sighting.release) or told,
        "newest release of": (sighting and sighting.date) or told,
        "seen at": (sighting and sighting.seen_at) or told,
        "accepted release": (held and held.release) or told,
        "accepted release of": (held and held.date) or told,
        "days behind": told if freshness.days_behind is None else freshness.days_behind,
    }


def _warning(code: str, key: str, message: str) -> Finding:
    return Finding(code, key, message, Severity.WARNING)


def _days(before: str | None, after: str | None) -> int | None:
    """Return the days from one ISO date to another; None where one of them is not known."""
    if before is None or after is None:
        return None
    return (date.fromisoformat(after) - date.fromisoformat(before)).days
