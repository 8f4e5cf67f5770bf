"""Descriptions of the calls: path, query and parser of the answer. Nothing is sent here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypedDict, TypeVar, Unpack
from urllib.parse import parse_qsl, quote

from legal_client import results
from legal_client.records import read
from legal_client.results import Meta
from legal_client.tools import PATH, ToolUse

Result = TypeVar("Result")
Query = tuple[tuple[str, str], ...]
MAX_CITATIONS = 25
"""Most citations that one call resolves."""
MAX_LIMIT = 100
"""Most results of one page."""
JSON = "application/json"
TEXT = "text/plain"
BYTES = "application/octet-stream"
COMPLETE_TILE = 256
"""Hashes or entries in a tile of the log that never changes."""
CITATION_FORMATS = {
    "bluebook": "text/x-bibliography",
    "csl-json": "application/vnd.citationstyles.csl+json",
    "ris": "application/x-research-info-systems",
    "bibtex": "application/x-bibtex",
}
"""Formats of citations for writers, and their media types."""


@dataclass(frozen=True, slots=True)
class Call(Generic[Result]):
    """One call.

    Attributes:
        path: below the address of the service.
        query: names and values, in their order.
        parse: makes the result of the body and the headers.
        pinnable: whether an older snapshot can be asked for.
        accept: media type of the answer; its body is text where this is neither JSON nor bytes.
        tool: the tool that answers, for a call that is none of REST.
        method: of HTTP.
        sent: body of the request, as JSON.
    """

    path: str
    query: Query
    parse: Callable[[Any, Meta], Result]
    pinnable: bool = True
    accept: str = JSON
    tool: ToolUse | None = None
    method: str = "GET"
    sent: Mapping[str, Any] | None = None


class SearchFilters(TypedDict, total=False):
    """Options of a search: `mode` is `hybrid`, `semantic` or `keyword`, `limit` the size of a page."""

    mode: str | None
    jurisdiction: str | None
    code_body: str | None
    level: str | None
    tag: str | None
    status: Iterable[str] | None
    facets: bool
    page: int | None
    limit: int | None


def search(q: str, **filters: Unpack[SearchFilters]) -> Call[results.SearchPage]:
    """Search by words and by meaning."""
    status = filters.get("status")
    query = _query(
        q=q,
        mode=filters.get("mode"),
        jurisdiction=filters.get("jurisdiction"),
        codeBody=filters.get("code_body"),
        level=filters.get("level"),
        tag=filters.get("tag"),
        status=None if status is None else ",".join(status),
        facets="true" if filters.get("facets") else None,
        page=filters.get("page"),
        limit=filters.get("limit"),
    )
    return Call("/api/v1/search", query, _record(results.SearchPage))


def page_for(most: int | None) -> int:
    """Return the page size that gives so many results for the fewest credits."""
    return MAX_LIMIT if most is None else max(1, min(most, MAX_LIMIT))


def node(node_id: str, *, proof: bool = False) -> Call[results.Node]:
    """Read a provision; `proof` adds what shows that it is what was published."""
    query = _query(proof="true" if proof else None)
    return Call(f"/api/v1/node/{_part(node_id)}", query, _record(results.Node))


def cite(node_id: str, *, format: str = "bluebook") -> Call[str]:  # noqa: A002 (as the command has it)
    """Cite a provision for writers: as `bluebook` words, `csl-json`, `ris` or `bibtex`."""
    path, accept = f"/api/v1/node/{_part(node_id)}", CITATION_FORMATS[format]
    return Call(path, (), lambda body, _: str(body), accept=accept)


def cited_by(
    node_id: str, *, page: int | None = None, limit: int | None = None
) -> Call[results.CitingProvisions]:
    """List a page of the provisions that cite one, as its `cited_by_count` counts them."""
    path = f"/api/v1/node/{_part(node_id)}/cited-by"
    return Call(path, _query(page=page, limit=limit), _record(results.CitingProvisions))


def history(node_id: str) -> Call[results.NodeHistory]:
    """Show a provision in every retained snapshot, and what changed in it."""
    path = f"/api/v1/node/{_part(node_id)}/history"
    return Call(path, (), _record(results.NodeHistory), pinnable=False)


class ChangesFilters(TypedDict, total=False):
    """Filters of changes: `container` is a provision, and changes of it and below it are meant."""

    jurisdiction: str | None
    code_body: str | None
    container: str | None
    kind: str | None
    page: int | None
    limit: int | None


def changes(
    since: str | None = None, until: str | None = None, **filters: Unpack[ChangesFilters]
) -> Call[results.ChangesPage]:
    """List a page of what changed between two snapshots: left out, the one in service and the one before."""
    named = {"codeBody": filters.pop("code_body", None), **filters}
    query = _query(**{"from": since, "to": until, **named})
    return Call("/api/v1/changes", query, _record(results.ChangesPage), pinnable=False)


def resolve(citations: Iterable[str]) -> Call[results.Resolutions]:
    """Resolve up to 25 citations."""
    query = tuple(("citation", citation) for citation in citations)
    return Call("/api/v1/resolve", query, _record(results.Resolutions))


def resolve_all(citations: Sequence[str]) -> Iterator[Call[results.Resolutions]]:
    """Yield the calls that resolve citations, 25 in each."""
    for start in range(0, len(citations), MAX_CITATIONS):
        yield resolve(citations[start : start + MAX_CITATIONS])


def check_text(text: str, *, first: int = 0, snapshot: str | None = None) -> Call[results.CheckedText]:
    """Check the citations of a draft, and the quotations beside them, passing over the `first` ones."""
    pinned = {} if snapshot is None else {"snapshot": snapshot}
    use = ToolUse("check_text", {"text": text, "first": first, **pinned})
    return Call(PATH, (), _record(results.CheckedText), tool=use)


def verify_quote(
    quote: str, *, citation: str | None = None, node_id: str | None = None
) -> Call[results.CheckedQuotations]:
    """Check that a provision, named by its citation or its id, says what is quoted from it."""
    named = {"citation": citation} if node_id is None else {"nodeId": node_id}
    use = ToolUse("verify_quotes", {"quotes": [{"quote": quote, **named}]})
    return Call(PATH, (), _record(results.CheckedQuotations), tool=use)


def code_bodies() -> Call[results.CodeBodies]:
    """List the code bodies."""
    return Call("/api/v1/code-bodies", (), _record(results.CodeBodies))


def browse(code_body: str, *, parent: str | None = None) -> Call[results.Children]:
    """List the children of a node, or the top level of a code body."""
    return Call("/api/v1/browse", _query(codeBodyId=code_body, parent=parent), _record(results.Children))


def gis(short_code: str) -> Call[results.GisLayer]:
    """Fetch the zoning layer of a place."""
    return Call(f"/api/v1/gis/{_part(short_code)}", (), _record(results.GisLayer))


def gis_at(short_code: str, *, lat: float, lon: float) -> Call[results.Location]:
    """Find the zones at a point."""
    path = f"/api/v1/gis/{_part(short_code)}/at"
    return Call(path, _query(lat=lat, lon=lon), _record(results.Location))


def coverage() -> Call[results.Coverage]:
    """List what the service holds and what is missing."""
    return Call("/api/v1/coverage", (), _record(results.Coverage))


def snapshots() -> Call[results.RetainedSnapshots]:
    """List the snapshots that can be asked for, which is free."""
    return Call("/api/v1/snapshots", (), _record(results.RetainedSnapshots), pinnable=False)


def downloads() -> Call[results.Downloads]:
    """List the files of whole code bodies, which is free."""
    return Call("/api/v1/downloads", (), _record(results.Downloads))


def log_checkpoint() -> Call[str]:
    """Fetch the checkpoint of the log of snapshots, which is free."""
    return Call("/api/v1/log/checkpoint", (), lambda body, _: str(body), pinnable=False, accept=TEXT)


def log_tile(level: str, index: str, width: int) -> Call[bytes]:
    """Fetch a tile of the log, which is free: `level` is 0 for hashes, or `entries`."""
    path = f"/api/v1/log/tile/{level}/{index}" + (f".p/{width}" if width < COMPLETE_TILE else "")
    return Call(path, (), lambda body, _: bytes(body), pinnable=False, accept=BYTES)


def corrections() -> Call[results.Corrections]:
    """List what was found wrong in the service, which is free."""
    return Call("/api/v1/corrections", (), _record(results.Corrections))


def watches() -> Call[results.WatchList]:
    """List the watches of the account, the newest first; watches are free."""
    return Call("/api/v1/watches", (), _record(results.WatchList), pinnable=False)


def watch(watch_id: str) -> Call[results.WatchDetail]:
    """Show a watch with its newest events."""
    return Call(_watch(watch_id), (), _record(results.WatchDetail), pinnable=False)


class WatchedLaw(TypedDict, total=False):
    """Law to watch: one of the ids or a search, which `jurisdiction` narrows."""

    node: str | None
    container: str | None
    code_body: str | None
    search: str | None
    jurisdiction: str | None


def add_watch(url: str | None = None, **subject: Unpack[WatchedLaw]) -> Call[results.WatchMade]:
    """Watch law: its changes are delivered to `url`, and are entries of a feed."""
    wanted = {"codeBody": subject.pop("code_body", None), **subject}
    named = {name: value for name, value in wanted.items() if value is not None}
    sent = {"subject": named, **({} if url is None else {"url": url})}
    return _write("POST", "/api/v1/watches", results.WatchMade, sent)


def remove_watch(watch_id: str) -> Call[results.Watch]:
    """Remove a watch with its events and its feed."""
    return _write("DELETE", _watch(watch_id), results.Watch)


def test_watch(watch_id: str) -> Call[results.WatchEvent]:
    """Have a test event delivered to the address of a watch."""
    return _write("POST", _watch(watch_id), results.WatchEvent, {"action": "test"})


def renew_watch(watch_id: str) -> Call[results.WatchMade]:
    """Give a watch a new secret, beside which the one before signs for a day, and a new feed address."""
    return _write("POST", _watch(watch_id), results.WatchMade, {"action": "renew"})


def replay_watch(watch_id: str, *, days: int = 1) -> Call[results.WatchReplayed]:
    """Have the events of the last days delivered again, under their ids."""
    return _write("POST", _watch(watch_id), results.WatchReplayed, {"action": "replay", "days": days})


def _watch(watch_id: str) -> str:
    return f"/api/v1/watches/{_part(watch_id)}"


def _write(method: str, path: str, kind: type[Result], sent: Mapping[str, Any] | None = None) -> Call[Result]:
    return Call(path, (), _record(kind), pinnable=False, method=method, sent=sent)


def me() -> Call[results.Account]:
    """Show the account of the key."""
    return Call("/api/v1/me", (), _record(results.Account), pinnable=False)


def order(order_id: str, *, token: str) -> Call[results.Order]:
    """Show the stages that a formation order has reached."""
    path = f"/api/v1/formation/status/{_part(order_id)}"
    return Call(path, _query(token=token), _record(results.Order), pinnable=False)


def compare() -> Call[results.Comparison]:
    """Fetch the comparison of formation providers, which is free."""
    return Call("/api/v1/compare/llc-services", (), _record(results.Comparison))


def prices() -> Call[results.Prices]:
    """Fetch the list of formation prices, which is free."""
    return Call("/api/v1/formation/prices", (), _record(results.Prices))


def following(call: Call[Result], meta: Meta) -> Call[Result] | None:
    """Return the call for the page after an answer; None after the last."""
    if meta.next_query is None:
        return None
    return replace(call, query=tuple(parse_qsl(meta.next_query, keep_blank_values=True)))


def _query(**values: object) -> Query:
    return tuple((name, str(value)) for name, value in values.items() if value is not None)


def _part(value: str) -> str:
    """Return a value as one part of a path, whatever it holds."""
    return quote(value, safe="")


def _record(kind: type[Result]) -> Callable[[Any, Meta], Result]:
    def parse(body: Any, meta: Meta) -> Result:
        return read(kind, body, meta=meta)

    return parse
