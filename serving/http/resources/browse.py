"""`/api/v1/code-bodies` and `/api/v1/browse`: the hierarchy of the law."""

import falcon
import falcon.asgi

from serving.api import operations, parameters
from serving.http.charging import Meter
from serving.responses.bodies import send_stored
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.browse import children, code_bodies
from serving.services.snapshots import SnapshotHolder


class CodeBodiesResource:
    """The list of code bodies."""

    def __init__(self, meter: Meter, snapshots: SnapshotHolder) -> None:
        self._meter = meter
        self._snapshots = snapshots

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with every code body of the snapshot."""
        async with self._meter.charging(req, resp, operations.CODE_BODIES):
            values = parameters.parse(req.params, parameters.READ, req.query_string)
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
                send_stored(req, resp, code_bodies(snapshot))


class BrowseResource:
    """The children of a node or of a code body."""

    def __init__(self, meter: Meter, snapshots: SnapshotHolder) -> None:
        self._meter = meter
        self._snapshots = snapshots

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the immediate children of a node or code body."""
        async with self._meter.charging(req, resp, operations.BROWSE):
            values = parameters.parse(req.params, parameters.BROWSE, req.query_string)
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
                body = children(snapshot, code_body=values["codeBodyId"], parent=values["parent"])
                send_stored(req, resp, body)
