"""`/api/v1/node/{id}`: one provision, or its citation for reference managers."""

import falcon
import falcon.asgi

from serving.api import operations, parameters
from serving.contract.errors import LawError
from serving.http.charging import Meter
from serving.responses.bodies import send_stored, send_text
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type, prefers_page
from serving.services.addresses import page_of
from serving.services.bibliography import FORMATS, SUFFIXES, bibliography_entry
from serving.services.nodes import node_body, node_markdown, node_plain
from serving.services.proofs import proved_node
from serving.services.snapshots import SnapshotHolder

_TEXTS = {"text/markdown": ("md", node_markdown), "text/plain": ("txt", node_plain)}
PROVED = (falcon.MEDIA_JSON,)
TYPES = (falcon.MEDIA_JSON, *_TEXTS, *FORMATS)


class NodeResource:
    """One provision, as JSON, Markdown or plain text, or as an entry of a bibliography."""

    def __init__(self, meter: Meter, snapshots: SnapshotHolder, *, public_url: str) -> None:
        self._meter = meter
        self._snapshots = snapshots
        self._public_url = public_url

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, node_id: str) -> None:
        """Answer with the provision of this id; lead browsers, which ask for HTML, to its page."""
        if prefers_page(req.get_header("Accept")) and not req.query_string:
            address = await self._page(req, node_id)
            if address is not None:
                resp.status = falcon.HTTP_303
                resp.set_header("Location", address)
                resp.set_header("Cache-Control", "no-cache")
                return
        async with self._meter.charging(req, resp, operations.NODE):
            values = parameters.parse(req.params, parameters.NODE, req.query_string)
            node = parameters.parse_id(node_id)
            is_proved = values["proof"]
            wanted = accepted_type(req.get_header("Accept"), PROVED if is_proved else TYPES)
            with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
                if is_proved:
                    proved = proved_node(snapshot, node)
                    send_text(req, resp, proved.body, etag=proved.etag, content_type=wanted)
                    return
                if wanted == falcon.MEDIA_JSON:
                    send_stored(req, resp, node_body(snapshot, node))
                    return
                if wanted in _TEXTS:
                    suffix, render = _TEXTS[wanted]
                    rendition = render(snapshot, node)
                else:
                    suffix = SUFFIXES[wanted]
                    rendition = bibliography_entry(snapshot, node, wanted, public_url=self._public_url)
            send_text(
                req,
                resp,
                rendition.body,
                etag=f"{rendition.etag}-{suffix}",
                content_type=f"{wanted}; charset=utf-8",
            )

    async def _page(self, req: falcon.asgi.Request, node_id: str) -> str | None:
        """Return the path of a provision's page; None where there is none, or none can be read.

        What is wrong is left to the metered answer: who has no key learns nothing here, and faults count.
        """
        try:
            node = parameters.parse_id(node_id)
            with await lease_for(req, self._snapshots, None) as snapshot:
                row = snapshot.nodes.find(node)
                return None if row is None else page_of(snapshot, row)
        except LawError:
            return None
