"""The discovery documents: `/api/v1`, the OpenAPI document, the catalogue, `/llms.txt`, `security.txt`."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

import falcon.asgi
import orjson

from serving.api import parameters
from serving.api.discovery import (
    AUTHORIZATION_SERVER,
    CATALOG,
    LINKSET,
    MCP,
    PROTECTED_RESOURCE,
    Tool,
    api_catalog,
    catalog_link,
    discovery_document,
    llms_text,
    openapi_document,
    protected_resource,
    security_text,
)
from serving.authorization.issuer import Issuer
from serving.contract.errors import NotFoundError
from serving.responses.documents import TEXT, DocumentResource, ready_to_send, send_document
from serving.settings.settings import Settings
from serving.snapshot.table import StoredBody

UTF8_TEXT = f"{TEXT}; charset=utf-8"
SECURITY_MONTHS = 6
"""Months for which `security.txt` is valid, including the present one."""

App = falcon.asgi.App[Any, Any]


def add_discovery(
    app: App, settings: Settings, tools: Sequence[Tool] = (), *, issuer: Issuer | None = None
) -> None:
    """Add the documents to the application.

    Args:
        app: the application.
        settings: settings of the server.
        tools: tools of its MCP server.
        issuer: its authorization server, if it has one.
    """
    public_url = settings.public_url
    address = None if issuer is None else issuer.address
    app.add_route("/api/v1/openapi.json", DocumentResource(openapi_document(public_url)))
    app.add_route(
        "/api/v1",
        DocumentResource(
            discovery_document(public_url, tools, issuer=address), link=catalog_link(public_url)
        ),
    )
    app.add_route(
        CATALOG,
        DocumentResource(api_catalog(public_url), media_type=LINKSET, link=catalog_link(public_url)),
    )
    for path in ("", MCP):
        protected = protected_resource(public_url, path, issuer=address)
        app.add_route(PROTECTED_RESOURCE + path, DocumentResource(protected))
    app.add_route(
        AUTHORIZATION_SERVER,
        NoAuthorizationServer() if issuer is None else DocumentResource(orjson.dumps(issuer.metadata())),
    )
    llms = llms_text(public_url, tools, issuer=address)
    app.add_route("/llms.txt", DocumentResource(llms, media_type=UTF8_TEXT))
    app.add_route("/.well-known/security.txt", SecurityResource(public_url, settings.security_contact))


def _today() -> date:
    return datetime.now(UTC).date()


class NoAuthorizationServer:
    """The place of its metadata where keys are all that opens the service."""

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Raise the error.

        Raises:
            NotFoundError: always.
        """
        del resp
        parameters.parse(req.params, parameters.NONE)
        raise NotFoundError("This service gives no tokens: keys are made on the settings page.", kind="path")

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


class SecurityResource:
    """The text of `security.txt`: the contact for vulnerabilities, valid for some months from now."""

    def __init__(self, public_url: str, contact: str | None, *, today: Callable[[], date] = _today) -> None:
        self._public_url = public_url
        self._contact = contact
        self._today = today
        self._document = lru_cache(maxsize=1)(self._make)

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the text.

        Raises:
            NotFoundError: the operator has named no contact.
        """
        parameters.parse(req.params, parameters.NONE, req.query_string)
        if self._contact is None:
            raise NotFoundError(
                "The operator of this service has named no contact for security reports.", kind="path"
            )
        today = self._today()
        months = today.year * 12 + today.month - 1 + SECURITY_MONTHS
        document = self._document(self._contact, date(months // 12, months % 12 + 1, 1))
        send_document(req, resp, document, UTF8_TEXT)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    def _make(self, contact: str, expires: date) -> StoredBody:
        return ready_to_send(security_text(self._public_url, contact, expires=expires))
