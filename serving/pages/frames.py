"""The frame around every page: the signed-in account, problems to correct, and a notice of what was done."""

from collections.abc import Sequence
from dataclasses import dataclass

from serving.metering.records import Account

NOTICES = {
    "welcome": "Your account is open. Create a key below and make your first call.",
    "signed-in": "You are signed in.",
    "signed-out": "You are signed out.",
    "disconnected": "The agent is disconnected. Its calls are answered 401 from now on.",
    "revoked": "The key is revoked. Calls with it are answered 401 from now on.",
    "password": "Your password is changed. All other sessions are signed out.",
    "reset": "Your password is set. Sign in with it.",
    "reported": "Thank you. Your report was sent to those who run this service.",
    "verification": "A link is on its way. Open it within the hour.",
    "verified": "Your address is confirmed.",
    "unlocked": "Your account knows this browser now. Sign in.",
}
"""Notices at the top of a page after an action, by the name in `?done=`: no text comes from the address."""


SCOPE_NOTES = {
    "search": "find provisions by words and meaning",
    "node": "read provisions in full",
    "browse": "walk code bodies",
    "gis": "zoning layers",
    "formation": "status of formation orders",
}
"""Descriptions of what each scope lets a key do."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to correct. `field` is the id of the form's element concerned, if there is one."""

    message: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of one page."""

    account: Account | None
    form_token: str
    problems: Sequence[Problem] = ()
    notice: str | None = None

    def problem_of(self, field: str) -> str | None:
        """Return the message about a field, or None."""
        return next((problem.message for problem in self.problems if problem.field == field), None)
