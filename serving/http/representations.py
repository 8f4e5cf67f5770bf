"""Search results, accounts and orders as the JSON of the API."""

from typing import Any

import orjson

from serving.accounts.accounts import Statement
from serving.metering.clock import rfc3339
from serving.metering.gate import Caller
from serving.metering.records import Entry, Order
from serving.metering.tiers import PACKS, TIERS
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


def account_body(statement: Statement, caller: Caller) -> bytes:
    """Return the account response."""
    account = statement.account
    tier = TIERS[account.tier]
    body: dict[str, Any] = {
        "tier": account.tier,
        "creditsRemaining": account.allotment + account.wallet,
        "rateLimit": {"requestsPerMinute": tier.per_minute, "requestsPerDay": tier.per_day},
        "upgradeOptions": [
            {"pack": pack.name, "priceCents": pack.price_cents, "credits": pack.credits}
            for pack in PACKS.values()
        ],
        "ledger": [_entry(entry) for entry in statement.entries],
        "researchAllotment": {
            "limit": account.allotment_limit,
            "remaining": account.allotment,
            "renewsAt": rfc3339(account.renews_at),
        },
        "wallet": account.wallet,
        "keyPrefix": caller.prefix,
        "scopes": caller.scopes,
    }
    return orjson.dumps(body)


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "at": rfc3339(entry.at),
        "kind": entry.kind,
        "endpoint": entry.endpoint,
        "allotment": entry.allotment,
        "wallet": entry.wallet,
        "balanceAfter": entry.balance_after,
        "requestId": entry.request_id,
    }


def order_body(order: Order) -> bytes:
    """Return the formation order status."""
    body: dict[str, Any] = {
        "orderId": order.order_id,
        "state": order.state,
        "entityName": order.entity_name,
        "entityType": order.entity_type,
        "filingJurisdiction": order.filing_jurisdiction,
        "stages": [{"state": stage.state, "at": rfc3339(stage.at)} for stage in order.stages],
        "updatedAt": rfc3339(order.updated_at),
    }
    return orjson.dumps(body)
