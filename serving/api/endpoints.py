"""Every path of the API: the one table that the discovery documents are made from.

A test holds the routes and the OpenAPI document against it, in both directions.
"""

from dataclasses import dataclass

from serving.api import operations, parameters
from serving.metering.gate import Operation


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One path, which answers GET; it also answers HEAD if it needs no key.

    Attributes:
        path: the path, with its parameters as OpenAPI writes them.
        parameters: names of its query parameters, which `parameters.PARAMETERS` describes.
        operation: the metered operation; None if the path is free and needs no key.
        writes: methods beside these, which change something of the caller's account.
    """

    path: str
    parameters: tuple[str, ...] = parameters.NONE
    operation: Operation | None = None
    writes: tuple[str, ...] = ()

    @property
    def methods(self) -> tuple[str, ...]:
        """Every method that it answers."""
        return ("GET", *(() if self.operation else ("HEAD",)), *self.writes)


ENDPOINTS = (
    Endpoint("/api/v1/search", parameters.SEARCH, operations.SEARCH),
    Endpoint("/api/v1/resolve", parameters.RESOLVE, operations.RESOLVE),
    Endpoint("/api/v1/node/{id}", parameters.NODE, operations.NODE),
    Endpoint("/api/v1/node/{id}/cited-by", parameters.PAGED, operations.CITED_BY),
    Endpoint("/api/v1/node/{id}/history", parameters.NONE, operations.HISTORY),
    Endpoint("/api/v1/code-bodies", parameters.READ, operations.CODE_BODIES),
    Endpoint("/api/v1/browse", parameters.BROWSE, operations.BROWSE),
    Endpoint("/api/v1/changes", parameters.CHANGES, operations.CHANGES),
    Endpoint("/api/v1/gis/{shortCode}", parameters.READ, operations.GIS),
    Endpoint("/api/v1/gis/{shortCode}/at", parameters.LOCATION, operations.GIS_AT),
    Endpoint("/api/v1/coverage", parameters.READ, operations.COVERAGE),
    Endpoint("/api/v1/me", parameters.NONE, operations.ME),
    Endpoint("/api/v1/watches", parameters.NONE, operations.WATCHES, ("POST",)),
    Endpoint("/api/v1/watches/{id}", parameters.NONE, operations.WATCHES, ("POST", "DELETE")),
    Endpoint("/api/v1/formation/status/{orderId}", parameters.ORDER, operations.ORDER_STATUS),
    Endpoint("/api/v1/compare/llc-services", parameters.READ),
    Endpoint("/api/v1/formation/prices", parameters.READ),
    Endpoint("/api/v1/quality", parameters.READ),
    Endpoint("/api/v1/corrections", parameters.READ),
    Endpoint("/api/v1/snapshots"),
    Endpoint("/api/v1/downloads", parameters.READ),
    Endpoint("/api/v1/downloads/{snapshot}/{codeBody}/{file}"),
    Endpoint("/api/v1/log/checkpoint"),
    Endpoint("/api/v1/log/tile/{level}/{index}"),
    Endpoint("/api/v1/log/tile/{level}/{index}/{width}"),
    Endpoint("/feeds/{codeBodyId}.json"),
    Endpoint("/feeds/{codeBodyId}.atom"),
    Endpoint("/feeds/watches/{token}.json"),
    Endpoint("/feeds/watches/{token}.atom"),
    Endpoint("/api/v1"),
    Endpoint("/api/v1/openapi.json"),
    Endpoint("/.well-known/api-catalog"),
    Endpoint("/.well-known/oauth-protected-resource"),
    Endpoint("/.well-known/oauth-protected-resource/mcp"),
    Endpoint("/.well-known/oauth-authorization-server"),
    Endpoint("/.well-known/security.txt"),
    Endpoint("/llms.txt"),
    Endpoint("/health"),
    Endpoint("/ready"),
    Endpoint("/metrics"),
)
"""Endpoints in the order in which they are listed: those with a price first, then the free ones."""
