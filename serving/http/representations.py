"""Search results as the JSON of the API."""

from typing import Any

import orjson

from serving.services.requests import SearchItem, SearchRequest, SearchResults


def search_body(results: SearchResults, request: SearchRequest, *, took_ms: int) -> bytes:
    """Return the search response."""
    body: dict[str, Any] = {
        "results": [_item(item) for item in results.items],
        "page": request.page,
        "pageSize": request.limit,
        "total": results.total,
        "tookMs": took_ms,
        "mode": request.mode,
    }
    if results.facets is not None:
        # orjson writes records as objects with their field names, and these are the API's own.
        body["facets"] = results.facets
    return orjson.dumps(body)


def _item(item: SearchItem) -> dict[str, Any]:
    return {
        "nodeId": item.node_id,
        "citation": item.citation,
        "heading": item.heading,
        "jurisdiction": item.jurisdiction,
        "codeBody": item.code_body,
        "level": item.level,
        "status": item.status,
        "tags": item.tags,
        "snippet": item.snippet.text,
        "highlights": [{"start": start, "end": end} for start, end in item.snippet.highlights],
        "score": item.score,
        "matched": {
            "keywordRank": item.match.keyword_rank,
            "semanticRank": item.match.semantic_rank,
            "citation": item.match.citation,
        },
    }
