"""The operator's geocoder: asked within bounds and at its pace, and what it found kept for some minutes.

No address that is asked for is logged, nor is anything that repeats one.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

import orjson

from serving.contract.errors import OverloadedError, ValidationError
from serving.geocoding.census import CENSUS
from serving.geocoding.matches import BrokenAnswerError, Layout, Match
from serving.geocoding.nominatim import NOMINATIM
from serving.outgoing.exchanges import Answer, Bounds, Request, UnreachedError, exchange

LAYOUTS = {"census": CENSUS, "nominatim": NOMINATIM}
"""Layouts by the word that begins the setting."""
LONGEST = 200
"""Characters of an address that is asked for."""
BOUNDS = Bounds(connect_seconds=3.0, total_seconds=8.0, answer_bytes=1 << 18)
KEPT, KEPT_SECONDS = 128, 600.0
"""Addresses whose matches are kept, and for how long."""
RETRY_SECONDS = 30
"""Time after which a geocoder that failed may be asked for again, as the client is told."""
_LONGEST_REST = 600
"""Seconds for which a geocoder that asks to be left alone is left alone at most."""
_MALFORMED, _BUSY = 400, (429, 503)

_log = logging.getLogger(__name__)


class GeocoderUnavailableError(OverloadedError):
    """The geocoder gave no answer that can be used; nothing is known of the address."""


@dataclass(frozen=True, slots=True)
class _Kept:
    matches: tuple[Match, ...]
    at: float


class Geocoder:
    """Finds the points of addresses. It may be used by several threads.

    Args:
        setting: the word of its layout, a colon, and the base of the service, as the setting accepts it.
        public_url: address of this service, by which it says who asks.
        bounds: what one question may take.
        clock: returns seconds that never go back.

    Attributes:
        kind: the word of its layout.
        host: host of the service, as pages name it.
    """

    def __init__(
        self,
        setting: str,
        *,
        public_url: str,
        bounds: Bounds = BOUNDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.kind, _, base = setting.partition(":")
        self._layout: Layout = LAYOUTS[self.kind]
        self._base = urlsplit(base)
        self.host = self._base.hostname or ""
        self._headers = {
            "Accept": "application/json",
            "User-Agent": f"legal-research-api (+{public_url})",
        }
        self._bounds = bounds
        self._clock = clock
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = threading.Lock()
        self._rests_until = 0.0

    def recall(self, address: str) -> tuple[Match, ...] | None:
        """Return the matches of an address that are kept; None where there are none, or of too long ago."""
        with self._lock:
            kept = self._kept.get(_key(address))
        return None if kept is None or self._clock() - kept.at > KEPT_SECONDS else kept.matches

    def find(self, address: str) -> tuple[Match, ...]:
        """Return the matches of an address, best first as the geocoder has them; empty where it knows none.

        Raises:
            GeocoderUnavailableError: no answer came that can be used.
            ValidationError: with `parameter="address"`: the geocoder does not take that for an address.
        """
        wait = self._rests_until - self._clock()
        if wait > 0:
            raise _unavailable("has more to do than it takes on", retry_after=int(wait) + 1)
        answer = self._ask(address)
        try:
            matches = self._layout.read(orjson.loads(answer.body))
        except (BrokenAnswerError, orjson.JSONDecodeError) as error:
            reason = error.message if isinstance(error, BrokenAnswerError) else "no JSON"
            raise self._failed(reason) from None
        with self._lock:
            self._kept.pop(_key(address), None)
            self._kept[_key(address)] = _Kept(matches, self._clock())
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return matches

    def _ask(self, address: str) -> Answer:
        target = self._base.path.rstrip("/") + self._layout.target(address)
        try:
            answer = exchange(self._base, self.host, Request("GET", target, self._headers), self._bounds)
        except UnreachedError as error:
            raise self._failed(error.message) from None
        if answer.status in _BUSY:
            rest = _seconds(answer.retry_after)
            self._rests_until = self._clock() + rest
            _log.warning("geocoder_rests", extra={"geocoder": self.host, "seconds": rest})
            raise _unavailable("has more to do than it takes on", retry_after=rest)
        if answer.status == _MALFORMED:
            _log.warning("geocoder_refused", extra={"geocoder": self.host, "status": answer.status})
            raise ValidationError(
                f"The geocoder, {self.host}, does not take that for an address. Give the house number, the "
                "street, the city and the state.",
                parameter="address",
            )
        if answer.status != 200:  # a redirect too: it is not for another host to see the address
            raise self._failed(f"answered {answer.status}")
        return answer

    def _failed(self, reason: str) -> GeocoderUnavailableError:
        _log.warning("geocoder_failed", extra={"geocoder": self.host, "reason": reason})
        return _unavailable("did not answer as it should", retry_after=RETRY_SECONDS)


def parse_address(given: str) -> str:
    """Return an address that can be asked for, on one line.

    Raises:
        ValidationError: with `parameter="address"`: there is none, or it is too long.
    """
    shown = "".join(one if one.isprintable() else " " for one in given)
    address = " ".join(shown.split())
    if len(address) > LONGEST:
        raise ValidationError(f"An address has at most {LONGEST} characters.", parameter="address")
    if not any(one.isalpha() for one in address):
        raise ValidationError(
            "Give an address: the house number, the street, the city and the state.", parameter="address"
        )
    return address


def _key(address: str) -> str:
    return address.casefold()


def _seconds(retry_after: str | None) -> int:
    """Return the seconds that a geocoder asks to be left alone; a date counts as nothing said."""
    if retry_after is None or not retry_after.isascii() or not retry_after.isdecimal():
        return RETRY_SECONDS
    return max(1, min(int(retry_after[:9]), _LONGEST_REST))


def _unavailable(what: str, *, retry_after: int) -> GeocoderUnavailableError:
    return GeocoderUnavailableError(
        f"The geocoder, which looks addresses up for this service, {what}. The maps do without it: click the "
        "place on the map of its city, or try again in a while.",
        retry_after_seconds=retry_after,
    )
