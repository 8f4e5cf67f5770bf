"""`/api/v1/coverage`: the jurisdictions whose law is held."""

import falcon
import falcon.asgi

from serving.api import operations, parameters
from serving.http.charging import Meter
from serving.responses.bodies import send_stored
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.coverage import coverage
from serving.services.snapshots import SnapshotHolder


class CoverageResource:
    """The coverage of the snapshot: its jurisdictions."""

    def __init__(self, meter: Meter, snapshots: SnapshotHolder) -> None:
        self._meter = meter
        self._snapshots = snapshots

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the coverage of the snapshot."""
        async with self._meter.charging(req, resp, operations.COVERAGE):
            values = parameters.parse(req.params, parameters.READ, req.query_string)
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
                send_stored(req, resp, coverage(snapshot))
