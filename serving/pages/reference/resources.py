"""Resources of the reference: its page and the files of the page."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import falcon
import falcon.asgi

from serving.api.discovery import contract, openapi_document
from serving.concurrency.pool import BoundedPool
from serving.contract.errors import NoSnapshotError
from serving.pages.public import POLICY, ErrorPage, PublicSite
from serving.pages.ready_files import CSS, SCRIPT, ReadyFile, ReadyFilesResource, addresses, own_files
from serving.pages.reference.document import Operation, Reference, read_reference
from serving.pages.reference.examples import example_values
from serving.pages.reference.samples import Sample, Value, body_of, samples_of
from serving.pages.rendering import Renderer
from serving.responses.leases import lease_for
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import Snapshot

PATH = "/docs"
STATIC = "/docs/static/"
OURS = {"reference.css": CSS, "reference.js": SCRIPT}
REFERENCE_POLICY = POLICY.replace("form-action", "connect-src 'self'; form-action")
"""Calls are tried on this service alone."""
TITLES = {503: "Not available right now"}

App = falcon.asgi.App[Any, Any]


@dataclass(frozen=True, slots=True)
class ReferencePage:
    """The model of the page.

    Attributes:
        snapshot: id of the snapshot that `values` and `samples` are made from; None while there is none.
        values: values of parameters, by their keys.
        samples: code of each operation, by its id.
        has_guide: the guide is shown beside the reference.
        files: addresses of the page's files.
    """

    reference: Reference
    snapshot: str | None
    values: Mapping[str, Value]
    samples: Mapping[str, tuple[Sample, ...]]
    has_guide: bool
    files: Mapping[str, str]


def add_reference(
    app: App,
    renderer: Renderer,
    snapshots: SnapshotHolder,
    pool: BoundedPool,
    *,
    public_url: str,
    has_guide: bool,
) -> None:
    """Add the page to the application.

    Args:
        app: application to add the routes to.
        renderer: renderer of the templates.
        snapshots: hold the law that the examples are made from.
        pool: runs the making of the page.
        public_url: address of the service.
        has_guide: the guide is shown beside the reference.
    """
    found = reference_files()
    site = PublicSite(renderer, pool, ErrorPage("error.html", TITLES))
    app.add_route(PATH, ReferenceResource(site, snapshots, found, public_url=public_url, has_guide=has_guide))
    app.add_route(STATIC + "{name}", ReadyFilesResource(found))


@lru_cache(maxsize=1)
def reference_files() -> dict[str, ReadyFile]:
    """Read the files, by name."""
    return own_files(OURS)


@lru_cache(maxsize=1)
def _reference() -> Reference:
    # Read with the first page: nothing that a server does before needs it.
    return read_reference(contract())


class ReferenceResource:
    """The page of the reference."""

    def __init__(
        self,
        site: PublicSite,
        snapshots: SnapshotHolder,
        found: Mapping[str, ReadyFile],
        *,
        public_url: str,
        has_guide: bool,
    ) -> None:
        self._site = site
        self._snapshots = snapshots
        self._public_url = public_url
        self._has_guide = has_guide
        self._files = addresses(STATIC, found)
        document = hashlib.blake2b(openapi_document(public_url), digest_size=16).hexdigest()
        self._version = (PATH, document, str(has_guide))

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the page; while there is no snapshot, its examples are left blank."""
        self._site.begin(req, resp, policy=REFERENCE_POLICY)
        try:
            lease = await lease_for(req, self._snapshots, None)
        except NoSnapshotError:
            await self._site.show(req, resp, self._version, lambda: self._page(None))
            return
        with lease as snapshot:
            await self._site.show(req, resp, (snapshot.id, *self._version), lambda: self._page(snapshot))

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    def _page(self, snapshot: Snapshot | None) -> tuple[str, object]:
        values = {} if snapshot is None else example_values(snapshot)
        return "reference.html", ReferencePage(
            reference=_reference(),
            snapshot=None if snapshot is None else snapshot.id,
            values=values,
            samples={one.id: self._samples(one, values) for one in _reference().operations},
            has_guide=self._has_guide,
            files=self._files,
        )

    def _samples(self, operation: Operation, values: Mapping[str, Value]) -> tuple[Sample, ...]:
        body = body_of(operation.example, _reference().examples, values)
        return samples_of(replace(operation, example=body), self._public_url, values)
