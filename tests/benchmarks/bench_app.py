"""The application as gunicorn serves it, and its node route once more without the meter; for `bench_http`."""

from types import TracebackType

import falcon.asgi

from serving.http.resources.nodes import NodeResource
from serving.metering import tiers
from serving.metering.gate import Operation
from serving.process import asgi

UNLIMITED = "pro"
"""The tier whose limits are out of the way here, so that one key can be asked as fast as it is answered."""


class _Free:
    """In the place of the meter: asks for no key and charges nothing."""

    def charging(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, operation: Operation) -> "_Free":
        del req, resp, operation
        return self

    async def __aenter__(self) -> "_Free":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing was taken."""


tiers.TIERS[UNLIMITED] = tiers.Tier(UNLIMITED, 10**9, 10**9)
app = asgi.application
unmetered = NodeResource(
    _Free(),  # type: ignore[arg-type]  # it stands where a Meter would
    asgi.snapshots,
    public_url="",
)
app.rest.add_route("/api/v1/unmetered/{node_id}", unmetered)
