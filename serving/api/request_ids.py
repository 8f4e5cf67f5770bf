"""Ids that name requests in answers, in error bodies and in the log."""

import random
import re

from serving.metering.keys import redacted

HEADER = "X-Request-Id"
_SANE = re.compile(r"[A-Za-z0-9._:\-]{1,128}")


def chosen_id(given: str | None) -> str:
    """Return the request id that a caller gave if it is acceptable, else a new one."""
    return given if given is not None and _is_sane(given) else _minted()


def _minted() -> str:
    # It names a request and guards nothing. The system's generator lets go of the interpreter for each call,
    # and a busy worker waits long to have it back.
    return f"{random.getrandbits(128):032x}"


def _is_sane(given: str) -> bool:
    # It goes into logs and the ledger, where no key may stand.
    return _SANE.fullmatch(given) is not None and redacted(given) == given
