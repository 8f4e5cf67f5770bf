"""Whatever the server remembers between requests, reviewed: no client decides how much memory that takes.

A new cache, a new container that outlives a request, and a new call of a library's function that remembers what it
is given fail here until they are listed with the bytes that they can come to.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CACHES = {"cache", "lru_cache", "remember", "OrderedDict", "WeakValueDictionary", "WeakKeyDictionary"}
"""What makes a cache, wherever it stands."""
CONTAINERS = {"OrderedDict", "SimpleQueue", "bytearray", "defaultdict", "deque", "dict", "list", "set"}
"""What grows, if it is of an object or of a module."""
REMEMBERING = {"best_match", "quality", "urlparse", "urlsplit"}
"""Functions of libraries that keep 128 of their arguments, of any length."""
MB = 1 << 20


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / "serving").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if not name.startswith("serving.client"):
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def called(node: ast.AST) -> str | None:
    """Name of what a call calls, or a decorator names."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def is_new_container(node: ast.expr | None) -> bool:
    empty = isinstance(node, ast.Dict | ast.List) and not (
        node.keys if isinstance(node, ast.Dict) else node.elts
    )
    return empty or (isinstance(node, ast.Call) and called(node) in CONTAINERS)


def found_in(module: str, tree: ast.Module) -> Iterator[str]:
    yield from _walk(module, tree, ())


def _walk(module: str, node: ast.AST, inside: tuple[str, ...]) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        within = inside
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            within = (*inside, child.name)
            if any(called(one) in CACHES for one in child.decorator_list):
                yield f"{module}:{'.'.join(within)}"
        elif isinstance(child, ast.Assign | ast.AnnAssign) and child.value is not None:
            targets: list[ast.expr] = child.targets if isinstance(child, ast.Assign) else [child.target]
            yield from _assigned(module, node, targets, child.value, inside)
        elif isinstance(child, ast.Call) and _remembers(child):
            yield f"{module}:{'.'.join(inside)}({called(child)})"
        yield from _walk(module, child, within)


def _remembers(call: ast.Call) -> bool:
    name = called(call)
    # A function of ours is called `quality` as well.
    return name in REMEMBERING and (name != "quality" or isinstance(call.func, ast.Attribute))


def _assigned(
    module: str, parent: ast.AST, targets: list[ast.expr], value: ast.expr, inside: tuple[str, ...]
) -> Iterator[str]:
    caches = any(isinstance(one, ast.Call) and called(one) in CACHES for one in ast.walk(value))
    for target in targets:
        if isinstance(target, ast.Attribute) and (caches or is_new_container(value)):
            yield f"{module}:{'.'.join(inside[:1])}.{target.attr}"
        elif isinstance(target, ast.Name) and isinstance(parent, ast.Module):
            if caches or is_new_container(value):
                yield f"{module}:{target.id}"
        elif isinstance(target, ast.Name) and isinstance(parent, ast.ClassDef) and called(value) == "field":
            factories = [word.value for word in ast.walk(value) if isinstance(word, ast.keyword)]
            if any(called(one) in CONTAINERS for one in factories):
                yield f"{module}:{'.'.join(inside)}.{target.id}"


# What each comes to at most, in bytes. Where clients choose what goes in, the entries and their size are bounded;
# the rest is of one call, of one request, or of data that we published or configured.
OF_CLIENTS = {
    # 1,024 headers of 512 characters, and what falcon keeps of 128 of them, parsed
    "serving.api.encodings:_encodings": MB,
    "serving.responses.negotiation:_best_type": MB,
    "serving.responses.negotiation:_best_type(best_match)": 8 * MB,
    "serving.responses.negotiation:wants_problem(quality)": 8 * MB,
    # 128 addresses of 300 characters
    "serving.mcp.links:read_uri(urlsplit)": MB,
    "serving.mcp.host_policy:HostPolicy.knows(urlsplit)": MB,
    "serving.api.origins:OriginPolicy.allows(urlsplit)": MB,
    "serving.pages.form_tokens:is_from_us(urlsplit)": MB,
    # 128 redirect URIs of 512 characters
    "serving.authorization.redirect_uris:_split(urlsplit)": MB,
    "serving.authorization.redirect_uris:_without_loopback_port(urlsplit)": MB,
    "serving.authorization.redirect_uris:destination(urlsplit)": MB,
    "serving.authorization.redirect_uris:policy_source(urlsplit)": MB,
    "serving.watches.destinations:_parts(urlsplit)": MB,
    # 1,024 queries of 200 characters: at most 100 words of some 100 to 200 bytes
    "serving.snapshot.query:QueryParser.parse": 12 * MB,
    # 512 of them with the bytes that they are found by
    "serving.services.snippets:query_terms": 12 * MB,
    # 65,536 words of 32 characters; those of the law are among them
    "serving.services.snippets:_stem": 32 * MB,
    "serving.services.snippets:_first_word": 24 * MB,
    # 4,096 words of 64 characters in each open snapshot
    "serving.snapshot.keyword:KeywordIndex._word": 12 * MB,
    # 57,344 keys that exist
    "serving.metering.gate:Gate._known": 35 * MB,
    # four times 16,384 networks of 64 characters: that sent keys which nobody has, read pages, searched, downloaded
    "serving.metering.allowances:Allowances._spent": 24 * MB,
    # 1,024 addresses of 45 characters, with their networks
    "serving.metering.addresses:_known_network": MB // 2,
    # 128 addresses of 200 characters, each with at most 10 matches of 400, of up to four bytes
    "serving.geocoding.geocoder:Geocoder._kept": 3 * MB,
    # pages of law and of maps, 16 MB each, in the encodings that were asked for
    "serving.pages.public:PublicSite._kept": 32 * MB,
    # calls that wait for a thread, up to the pool's bound, by key
    "serving.concurrency.pool:BoundedPool._waiting": MB,
    # 2,048 calls that wait for their charge
    "serving.metering.group_commit:GroupCommit._waiting": 2 * MB,
    # 2,048 keys that exist, with 300 marks of sixteen bytes each at most; or, while records of more keys wait, 16,384 that
    # have few; with their accounts
    "serving.metering.followed:Followed.keys": 10 * MB,
    "serving.metering.followed:Followed.by_hash": MB // 4,
    "serving.metering.followed:Followed.balances": MB // 2,
    # 4,096 requests of a second that wait to be written, with ids of 128 characters: in both together
    "serving.metering.request_log:RequestLog._rows": 3 * MB,
    "serving.metering.request_log:RequestLog._refusals": 0,
    # one row for each route and status
    "serving.counting.requests:Requests._seen": MB,
    "serving.counting.requests:Requests._found": MB,
    # 8,192 durations
    "serving.services.timings:Timings._seen": 2 * MB,
    # connections, up to the bound that follows from the descriptors of the process, by the network they come from
    "serving.process.protocol.connections:Connections._all": 8 * MB,
    "serving.process.protocol.connections:Connections._by_network": 8 * MB,
    # 64 connections that hold a long address, which is of a request as its headers are: 20 MB of them at most
    "serving.process.protocol.connections:Connections._long": MB // 16,
    # one body of a request that is under way, at most 2 MB
    "serving.mcp.exchanges:Caught.body": 2 * MB,
    # 4,096 words of 32 letters, each with 14 others of the names that are held
    "serving.snapshot.name_words:NameWords.near": 2 * MB,
}
OF_DATA = {
    "serving.api.rendering:Renderer._writers": "types of records of answers",
    "serving.contract.citations.grammar:Grammar._meanings": "names of codes and acts of one snapshot",
    "serving.contract.citations.grammar:Grammar._codes": "codes of one snapshot",
    "serving.contract.citations.known_names:KnownNames._patterns": "names of codes and acts of one snapshot",
    "serving.contract.citations.foreign_law:_names": "names of places and their courts, in files that are packaged",
    "serving.contract.citations.places:places": "names of places, in a file that is packaged",
    "serving.contract.citations.places:_without_blanks": "the same names",
    "serving.contract.citations.cases:_reporters": "names of reporters, in a file that is packaged",
    "serving.contract.currency:current_date": "releases of code bodies, in the words of their publishers",
    "serving.counting.board:Board._free": "rows of workers",
    "serving.counting.counters:Counters._places": "series of the families of numbers",
    "serving.http.measures:Measures.queues": "queues of a worker",
    "serving.http.charging:_policy": "the limits of each tier",
    "serving.api.discovery:contract": "the OpenAPI document",
    "serving.responses.held_bodies:HeldBodies._held": "layers, up to 64 MB",
    "serving.http.resources.discovery:SecurityResource._document": "this month's text",
    "serving.metering.clock:_month_of_hour": "64 hours",
    "serving.metering.sqlite_posting:_for_rows": "64 statements, in the process that posts",
    "serving.metering.group_commit:GroupCommit._batches": "one batch",
    "serving.authorization.issuer:Issuer.of(urlsplit)": "a setting",
    "serving.mcp.host_policy:HostPolicy.__init__(urlsplit)": "a setting",
    "serving.api.origins:OriginPolicy.__init__(urlsplit)": "a setting",
    "serving.pages.mail:Mailer.send(urlsplit)": "a setting",
    "serving.pages.guide:GuideFileResource._ready": "files of the guide, 256",
    "serving.pages.reference.resources:reference_files": "files that are packaged",
    "serving.api.lifespan:SnapshotLifespan._tasks": "the tasks that look after snapshots",
    "serving.http.middleware.security:SecurityMiddleware._headers": "the headers of every answer",
    "serving.metering.health:StoreHealth._logged": "causes of failures",
    "serving.pages.resources.links:LinkMails._sending": "mails, 32 by the pool",
    "serving.services.snapshots:SnapshotHolder._damaged": "snapshots that are there",
    "serving.services.opening:Opener.failed": "snapshots that are there",
    "serving.snapshot.inspections:Inspections._own": "snapshots that are there",
    "serving.snapshot.layers:_MappedAnswer._unchecked": "three files of one layer",
    "serving.snapshot.table:Bodies._given": "a byte for each node of one snapshot",
    "serving.pages.visitors:Cookies.for_address(urlsplit)": "a setting",
    "serving.pages.prepared.shelf:PageShelf._places": "open snapshots",
    "serving.pages.zoning:zoning_files": "files that are packaged",
    "serving.pages.templating:Compiled._kept": "templates that are packaged",
    "serving.pages.reference.resources:_reference": "the one reference",
    "serving.mcp.schemas:input_schema": "the arguments of each tool",
    "serving.snapshot.addresses:Addresses._shared": "addresses of one snapshot that several provisions share",
    "serving.payments.checkout:_with_outcome(urlsplit)": "our own address of each pack",
    "serving.services.datasets:_with_offer": "4 datasets",
    "serving.services.formation:_requirements_of": "4 datasets",
    "serving.services.formation:_prices": "4 datasets",
    "serving.services.jurisdictions:_by_name": "8 lists of jurisdictions",
    "serving.services.named_jurisdictions:_names_of": "8 lists of jurisdictions",
    "serving.services.mentions:_short_forms": "short codes of jurisdictions",
    "serving.services.mentions:_kinds_by_term": "the tags of 8 snapshots",
    "serving.services.mentions:_tag_terms": "combinations of tags, at most 4,096",
    "serving.services.quality:_report": "8 reports",
    "serving.comparison.comparison:Comparison._known": "20,000 changes of two snapshots, of 100 bytes each",
    "serving.http.resources.feeds:FeedResource._feed": "64 feeds of at most 200 KB, in two formats",
    "serving.services.retained_laws:_opened": "6 snapshots that are there, mapped",
    "serving.services.retained_laws:compared": "two comparisons of snapshots that are there",
    "serving.services.retained:_listed": "4 lists of the snapshots that are there",
    "serving.services.open_snapshots:OpenSnapshots._pinned": "LAW_PINNED_SNAPSHOTS",
    "serving.contract.citations.grammar:Grammar.nicknames": "names of one grammar",
    "serving.settings.values:base_url(urlsplit)": "a setting",
    "serving.settings.values:smtp_url(urlsplit)": "a setting",
    "serving.settings.values:_is_private_way(urlsplit)": "a setting",
    "serving.geocoding.geocoder:Geocoder.__init__(urlsplit)": "a setting",
    "serving.mcp.tool:Tool.renamed": "a few arguments of a tool",
    "serving.encoder.opened:_opened": "encoders of open snapshots",
    "serving.snapshot.codes:_opened": "codes of open snapshots",
    "serving.process.gunicorn.conf:_kept": "one encoder, and the codes of one snapshot",
    "serving.snapshot.lance:_loop": "one event loop",
    "serving.snapshot.filters:NodeFilter._remembered": "8 filters, of a byte for each provision",
    "serving.snapshot.terms:TermTable.number": "4,096 terms, and their numbers",
    "serving.snapshot.lance_index:LanceIndex._picked": "8 filters, with what the one above remembers",
    "serving.snapshot.code_index:CodeIndex._selected": "8 filters, of a bit for each chunk",
    "serving.snapshot.questions:QuestionIndex._selected": "8 filters, of a bit for each question",
    "serving.snapshot.floors:default_floors": "one file that is packaged",
    "serving.snapshot.layers:Layers._indexes": "a few layers",
    "serving.snapshot.naics:NaicsTable._postings": "words of one table",
    "serving.snapshot.query:query_parser": "one parser",
    "serving.snapshot.ranker:default_ranker": "one file that is packaged",
    "serving.snapshot.store:Snapshot._static": "files of one snapshot",
}
OF_ONE_CALL = {
    "serving.api.rendering:_Source._within",
    "serving.process.protocol.bounded_protocol:BoundedProtocol.headers",
    "serving.process.protocol.refusals:Refused.headers",
    "serving.contract.citations.act_citations:ActCitations.of_others",
    "serving.contract.citations.defined_names:DefinedNames._by_key",
    "serving.contract.citations.defined_names:DefinedNames._own",
    "serving.contract.citations.parser:_Reader._found",
    "serving.contract.citations.parser:_Reader._times",
    "serving.contract.citations.parser:_Reader.defined",
    "serving.contract.citations.short_forms:_Reader._by_number",
    "serving.contract.citations.short_forms:_Reader._coming",
    "serving.contract.citations.short_forms:_Reader._past",
    "serving.contract.citations.two_numberings:Numberings._of_acts",
    "serving.contract.citations.two_numberings:Numberings._others",
    "serving.metering.balances:Balance.entries",
    "serving.metering.posting:Posting.counted",
    "serving.metering.posting:Posting.entries",
    "serving.metering.posting:Posting.moved",
    "serving.pages.law.reading:_Writer._around",
    "serving.metering.settlement:Batch.charges",
    "serving.metering.settlement:Batch.refunded",
    "serving.services.citations.designators:Designators._known",
    "serving.services.citations.leads:Leads.beside",
    "serving.services.citations.leads:Leads.named",
    "serving.services.citations.pins:_Parts._borne",
    "serving.services.citations.pins:_Parts._outlined",
    "serving.services.quotations.folding:FoldedText._runs",
    "serving.services.quotations.cited_runs:RunFinder._meant",
    "serving.services.quotations.provision_text:ProvisionTexts._kept",
    "serving.process.protocol.transport:JoiningTransport._pieces",
}


def test_every_cache_is_reviewed() -> None:
    found = {one for name, tree in modules() for one in found_in(name, tree)}
    assert found == OF_CLIENTS.keys() | OF_DATA.keys() | OF_ONE_CALL


def test_what_clients_can_fill_is_small_together() -> None:
    assert sum(OF_CLIENTS.values()) < 256 * MB


CACHED_IN_EVERY_WAY = """
from functools import cache, lru_cache
_seen = {}
_limit = 3
@cache
def decorated(text): ...
@functools.lru_cache(maxsize=None)
def also_decorated(text): local = {}
class Resource:
    held: dict = field(default_factory=dict)
    def __init__(self):
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._made = lru_cache(5)(partial(self._make, 1))
        self._count = 0
    def get(self, header):
        return urllib.parse.urlsplit(header), falcon.mediatypes.quality("text/html", header)
"""


def test_a_new_cache_is_found_however_it_is_made() -> None:
    assert set(found_in("m", ast.parse(CACHED_IN_EVERY_WAY))) == {
        "m:_seen",
        "m:decorated",
        "m:also_decorated",
        "m:Resource.held",
        "m:Resource._kept",
        "m:Resource._made",
        "m:Resource.get(urlsplit)",
        "m:Resource.get(quality)",
    }
