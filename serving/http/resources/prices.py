"""`/api/v1/formation/prices`: the price list of formations, served without a key."""

from collections.abc import Callable
from time import monotonic

import falcon
import falcon.asgi

from serving.accounts.billing import Billing
from serving.api import parameters
from serving.responses.bodies import send_stored
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.datasets import formation_prices
from serving.services.snapshots import SnapshotHolder

PRICES = "public, max-age=60"
"""Cache header of the prices. It is short because a slot of the founding offer may be taken at any minute."""
COUNTED_FOR = 5.0
"""Seconds for which a count of taken slots is reused, because these calls are free and must not load the
store."""


class FoundingSlots:
    """The number of founding slots that are taken, counted at most once every few seconds."""

    def __init__(self, billing: Billing, *, clock: Callable[[], float] = monotonic) -> None:
        self._billing = billing
        self._clock = clock
        self._taken = 0
        self._good_until = float("-inf")

    async def taken(self) -> int:
        """Return the number of slots taken.

        Raises:
            StoreUnavailableError: the store of orders does not answer.
        """
        now = self._clock()
        if now >= self._good_until:
            self._taken = await self._billing.run(self._billing.orders.count_founding)
            self._good_until = now + COUNTED_FOR
        return self._taken


class PricesResource:
    """The price list of formations."""

    def __init__(self, snapshots: SnapshotHolder, slots: FoundingSlots) -> None:
        self._snapshots = snapshots
        self._slots = slots

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the price list of the snapshot and what is left of the founding offer."""
        values = parameters.parse(req.params, parameters.READ, req.query_string)
        accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
        with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
            send_stored(req, resp, formation_prices(snapshot, taken=await self._slots.taken()), cache=PRICES)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)
