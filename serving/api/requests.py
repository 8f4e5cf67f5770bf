"""Requests of services that parsed query parameters ask for."""

from collections.abc import Mapping
from typing import Any

from serving.services.requests import ChangesRequest, PageRequest, SearchRequest


def search_request(values: Mapping[str, Any]) -> SearchRequest:
    """Return the search that parsed parameters ask for.

    Raises:
        ValidationError: the page lies beyond the deepest that is served.
    """
    return SearchRequest(
        query=values["q"],
        mode=values["mode"],
        page=values["page"],
        limit=values["limit"],
        jurisdiction=values["jurisdiction"],
        code_body=values["codeBody"],
        level=values["level"],
        tag=values["tag"],
        statuses=values["status"],
        facets=values["facets"],
    )


def changes_request(values: Mapping[str, Any]) -> ChangesRequest:
    """Return the question for changes that parsed parameters ask.

    Raises:
        ValidationError: the page lies beyond the deepest that is served.
    """
    return ChangesRequest(
        since=values["from"],
        until=values["to"],
        jurisdiction=values["jurisdiction"],
        code_body=values["codeBody"],
        container=values["container"],
        kind=values["kind"],
        page=page_request(values),
    )


def page_request(values: Mapping[str, Any]) -> PageRequest:
    """Return the page of a list that parsed parameters ask for.

    Raises:
        ValidationError: the page lies beyond the deepest that is served.
    """
    return PageRequest(page=values["page"], limit=values["limit"])
