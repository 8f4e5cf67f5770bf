"""The commands of `legal`: each makes its calls, prints the answer and returns the exit status."""

import argparse
from collections.abc import Mapping
from typing import Any

from legal_client import calls, results
from legal_client.calls import Call
from legal_client.code_bodies import code_body_id
from legal_client.connection import MisusedError
from legal_client.metered_client import MeteredClient
from legal_client.points import parse_point
from legal_client.printing import (
    counted,
    print_block,
    print_json,
    print_line,
    print_snippet,
    print_table,
    remark,
)
from legal_client.resolutions import find_node, print_resolution
from legal_client.results import Meta
from legal_client.showing import DONE, NOT_FOUND, show


def search(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print the provisions that a search finds, page after page up to `--most`."""
    wanted: int = options.most
    call: Call[results.SearchPage] | None = calls.search(
        options.query,
        mode=options.mode,
        jurisdiction=options.jurisdiction,
        code_body=None if options.code_body is None else code_body_id(client, options.code_body),
        level=options.level,
        tag=options.tag,
        status=options.status,
        facets=options.facets,
        limit=calls.page_for(wanted),
    )
    whole: dict[str, Any] = {}
    found: list[results.SearchItem] = []
    meta = Meta()
    while call is not None and len(found) < wanted:
        answer = client.fetch(call)
        body, meta = answer.body, answer.meta
        found += call.parse(body, meta).results[: wanted - len(found)]
        whole = {**(whole or body), "results": [*whole.get("results", ()), *body["results"]][:wanted]}
        call = calls.following(call, meta)
    if options.json:
        print_json(whole)
        return DONE
    for number, item in enumerate(found, start=1):
        _print_item(number, item)
    _print_facets(whole.get("facets") or {})
    remark(f"{len(found):,} of {counted(int(whole['total']), 'provision')} ({whole['mode']}). {client.cost}")
    if whole.get("hint"):
        remark(str(whole["hint"]))
    return DONE


def _print_item(number: int, item: results.SearchItem) -> None:
    print_line(f"{number}. {item.citation}  {item.heading}")
    print_line(f"   {item.node_id}  {item.jurisdiction}" + (f"  {item.status}" if item.status else ""))
    print_snippet(item.snippet, item.highlights, indent="   ")
    print_line()


def _print_facets(facets: Mapping[str, Any]) -> None:
    for kind, counts in facets.items():
        print_line(f"{kind}: " + ", ".join(f"{one['label']} {one['count']:,}" for one in counts))


def resolve(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print what citations lead to; not found unless every one of them is."""
    bodies: list[Any] = []
    resolutions: list[results.Resolution] = []
    for call in calls.resolve_all(options.citation):
        answer = client.fetch(call)
        bodies += answer.body["results"]
        resolutions += call.parse(answer.body, answer.meta).results
    if options.json:
        print_json({"results": bodies})
    else:
        for found in resolutions:
            print_resolution(found)
        remark(client.cost)
    return DONE if all(found.outcome == "found" for found in resolutions) else NOT_FOUND


def browse(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print the code bodies, or the children of a node."""
    if options.code_body is None:
        return show(client, calls.code_bodies(), options, _print_code_bodies)
    parent = None if options.parent is None else find_node(client, options.parent, options)
    if parent is None and options.parent is not None:
        return NOT_FOUND
    body = code_body_id(client, options.code_body)
    call = calls.browse(body, parent=None if parent is None else parent[0])
    return show(client, call, options, _print_children)


def _print_code_bodies(found: results.CodeBodies) -> None:
    rows = [(one.key, one.name, one.node_count, one.current_through, one.id) for one in found.code_bodies]
    print_table(("key", "name", "nodes", "current through", "id"), rows)


def _print_children(found: results.Children) -> None:
    rows = [(one.citation, one.heading, one.child_count, one.status, one.id) for one in found.nodes]
    print_table(("citation", "heading", "children", "status", "id"), rows)


def gis(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print a zoning layer, or the zones at a point of it."""
    if options.at is None:
        return show(client, calls.gis(options.short_code), options, _print_layer)
    try:
        lat, lon = parse_point(" ".join(options.at))
    except ValueError as error:
        raise MisusedError(str(error)) from error
    return show(client, calls.gis_at(options.short_code, lat=lat, lon=lon), options, _print_location)


def _print_layer(found: results.GisLayer) -> None:
    print_line(f"{found.name or found.short_code}: {found.status}, {counted(found.feature_count, 'zone')}")
    print_line(f"Citations: {found.citation_quality}. Map of {found.layer_date}, code of {found.code_date}.")
    if found.citation_quality != "linked":
        print_line("Some citations are placeholders: do not cite from this layer unchecked.")
    print_line("The polygons are in the JSON: --json.")


def _print_location(found: results.Location) -> None:
    for zone in found.zones:
        cited = zone.citation if zone.node_id else f"not linked: {zone.reason}"
        edge = ", on its boundary" if zone.on_boundary else ""
        print_line(f"{zone.zone_code}  {zone.zone_name or ''}{edge}")
        print_line(f"   {cited}" + (f"  {zone.node_id}" if zone.node_id else ""))
    if not found.zones:
        print_line(f"No zone holds this point: {found.reason}.")
    if found.note:
        print_line(found.note)


def coverage(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print what is held, and what is missing."""
    return show(client, calls.coverage(), options, _print_coverage)


def _print_coverage(found: results.Coverage) -> None:
    held = [one for one in found.jurisdictions if not one.placeholder]
    print_table(
        ("code", "name", "nodes", "zoning", "code bodies"),
        [
            (
                one.short_code,
                one.name,
                one.node_count,
                one.citation_quality,
                ", ".join(body.name for body in one.code_bodies),
            )
            for one in held
        ],
    )
    for one in held:
        for body in one.code_bodies:
            if body.freshness is not None and body.freshness.status == "behind":
                print_line(f"{one.short_code}: {_behind(body.name, body.freshness)}")
            for title in body.stale_titles:
                through = title.current_through or "an earlier edition"
                behind = f"{title.label} is of {through}, not of {title.stale_since}"
                print_line(f"{one.short_code} has old law: {behind}")
        for gap in one.gaps:
            print_line(f"{one.short_code} lacks: {gap}")
    print_line(f"{counted(len(found.jurisdictions) - len(held), 'jurisdiction')} listed without law as yet.")


def _behind(name: str, fresh: results.Freshness) -> str:
    days = "" if fresh.days_behind is None else f": {counted(fresh.days_behind, 'day')} behind"
    dated = "" if fresh.newest_release_date is None else f" of {fresh.newest_release_date}"
    newest = f"{fresh.newest_release}{dated}, seen {fresh.seen_at}"
    return f"{name} is of release {fresh.held_release}; the newest is {newest}{days}"


def corrections(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print what was found wrong in the service."""
    return show(client, calls.corrections(), options, _print_corrections)


def _print_corrections(found: results.Corrections) -> None:
    for one in found.corrections:
        fixed_in = f" in {one.fixed_in}" if one.fixed_in else ""
        print_line(f"{one.citation or one.identifier}: {one.status}{fixed_in}")
        print_block(one.wrong, indent="   ")
        print_block(f"Found on {one.found_on}: {one.found_by}", indent="   ")
    as_of = f", as of {found.date}" if found.date else ""
    print_line(f"{counted(len(found.corrections), 'correction')}{as_of}.")


def me(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print the account of the key."""
    return show(client, calls.me(), options, _print_account)


def _print_account(found: results.Account) -> None:
    print_line(
        f"Credits: {found.credits_remaining:,} (tier {found.tier}, key {found.key_prefix or 'hidden'})"
    )
    if found.research_allotment is not None:
        month = found.research_allotment
        print_line(f"  of this month {month.remaining:,} of {month.limit:,}, until {month.renews_at}")
    limit = found.rate_limit
    print_line(f"Limits: {limit.requests_per_minute:,} a minute, {limit.requests_per_day:,} a day")
    print_line(f"Scopes: {', '.join(found.scopes)}")
    rows = [
        (entry.at, entry.kind, entry.endpoint, entry.allotment + entry.wallet, entry.balance_after)
        for entry in found.ledger
    ]
    print_line()
    print_table(("at", "kind", "endpoint", "credits", "balance"), rows)


def order(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print how far a formation order has come."""
    return show(client, calls.order(options.order, token=options.token), options, _print_order)


def _print_order(found: results.Order) -> None:
    print_line(f"{found.entity_name}: {found.state}")
    for stage in found.stages:
        print_line(f"   {stage.at}  {stage.state}")


def compare(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print the comparison of formation providers."""
    return show(client, calls.compare(), options, _print_comparison)


def _print_comparison(found: results.Comparison) -> None:
    rows = [
        (one.name + (" (publisher)" if one.is_publisher else ""), one.score, one.unknown_weight, one.url)
        for one in found.providers
    ]
    print_table(("provider", "score", "unknown weight", "address"), rows)
    print_line(f"As of {found.date}; of {found.rubric.max_score} points. The facts are in the JSON: --json.")


def prices(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print the list of formation prices."""
    return show(client, calls.prices(), options, lambda found: _print_prices(found, options.state))


def _print_prices(found: results.Prices, state: str | None) -> None:
    rows = [
        (
            one.state,
            one.entity_type,
            _dollars(one.total.cents),
            one.total.status,
            ", ".join(one.total.missing),
        )
        for one in found.prices
        if state is None or one.state == state.lower()
    ]
    print_table(("state", "entity", f"total {found.currency}", "status", "unknown parts"), rows)
    offer = found.founding_offer
    if offer is not None:
        print_line(
            f"Founding offer: {_dollars(offer.discount)} off, {offer.remaining:,} of {offer.cap:,} left."
        )


def _dollars(cents: int) -> str:
    return f"{cents / 100:,.2f}"
