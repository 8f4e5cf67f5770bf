"""`/api/v1/watches`: watches of an account, made, shown, tried out and removed; and the feeds of watches."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import falcon
import falcon.asgi
import orjson

from serving.accounts.billing import Billing
from serving.api import operations, parameters
from serving.api.feeds import ATOM, JSON_FEED, atom_feed, json_feed
from serving.api.rendering import ANSWERS
from serving.contract.errors import NotFoundError, ValidationError
from serving.contract.identity import content_etag
from serving.http.charging import Meter
from serving.http.request_bodies import read_whole
from serving.metering.clock import DAY
from serving.responses.bodies import send_text, send_unkept
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.feeds import Feed
from serving.services.jurisdictions import find_jurisdiction
from serving.services.known_values import require_code_body
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings
from serving.snapshot.store import Snapshot
from serving.watches import answers
from serving.watches.destinations import require_destination
from serving.watches.subjects import CODE_BODY, CONTAINER, KINDS, NODE, SEARCH, Subject
from serving.watches.watches import KEPT, Watches

MAX_BODY = 16 * 1024
"""Greatest size of a request's body in bytes."""
ACTIONS = ("test", "renew", "replay")
"""Actions on a watch: have a test event delivered, give it new secrets, have its events delivered again."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def add_watches(
    app: falcon.asgi.App[Any, Any],
    meter: Meter,
    snapshots: SnapshotHolder,
    billing: Billing,
    settings: Settings,
) -> None:
    """Add watches and their feeds to the application."""
    watches = Watches(billing.database)
    app.add_route("/api/v1/watches", WatchesResource(meter, snapshots, billing, watches, settings))
    app.add_route("/api/v1/watches/{watch_id}", WatchResource(meter, billing, watches, settings.public_url))
    for suffix, media_type, write in (("json", JSON_FEED, json_feed), ("atom", ATOM, atom_feed)):
        feed = WatchFeedResource(billing, watches, settings.public_url, media_type=media_type, write=write)
        app.add_route(f"/feeds/watches/{{token}}.{suffix}", feed)


class WatchesResource:
    """The watches of the account that asks."""

    def __init__(
        self, meter: Meter, snapshots: SnapshotHolder, billing: Billing, watches: Watches, settings: Settings
    ) -> None:
        self._meter = meter
        self._snapshots = snapshots
        self._billing = billing
        self._watches = watches
        self._public_url = settings.public_url
        self._local = settings.webhook_hosts == "local"

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with all of them, the newest first."""
        async with self._meter.charging(req, resp, operations.WATCHES) as charging:
            _require_plain(req)
            account = charging.caller.account_id
            found = await self._billing.run(lambda: self._watches.list(account))
            send_unkept(req, resp, ANSWERS.json(answers.list_answer(found)))

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Make a watch, and answer with its secret and the address of its feed, once."""
        async with self._meter.charging(req, resp, operations.WATCHES) as charging:
            _require_plain(req)
            asked = await _fields(req, ("subject", "url"))
            url = asked.get("url")
            if url is not None:
                url = require_destination(_string(url, "url"), local=self._local)
            with await lease_for(req, self._snapshots, None) as snapshot:
                subject = await asyncio.to_thread(_subject, asked.get("subject"), snapshot)
                seen = snapshot.id
            await charging.settle()
            account = charging.caller.account_id
            made = await self._billing.run(lambda: self._watches.create(account, subject, url, seen=seen))
            resp.status = falcon.HTTP_201
            send_unkept(req, resp, ANSWERS.json(answers.new_answer(made, self._public_url)))


class WatchResource:
    """One watch of the account that asks."""

    def __init__(self, meter: Meter, billing: Billing, watches: Watches, public_url: str) -> None:
        self._meter = meter
        self._billing = billing
        self._watches = watches
        self._public_url = public_url

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, watch_id: str) -> None:
        """Answer with the watch and its newest events."""
        async with self._meter.charging(req, resp, operations.WATCHES) as charging:
            _require_plain(req)
            wanted, account = str(parameters.parse_id(watch_id)), charging.caller.account_id
            found = await self._billing.run(lambda: self._watches.get(wanted, account_id=account))
            send_unkept(req, resp, ANSWERS.json(answers.detail_answer(*found)))

    async def on_delete(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, watch_id: str) -> None:
        """Remove the watch, and answer with it as it was."""
        async with self._meter.charging(req, resp, operations.WATCHES) as charging:
            _require_plain(req)
            wanted, account = str(parameters.parse_id(watch_id)), charging.caller.account_id
            await charging.settle()
            watch, _ = await self._billing.run(lambda: self._watches.get(wanted, account_id=account))
            await self._billing.run(lambda: self._watches.remove(wanted, account_id=account))
            send_unkept(req, resp, ANSWERS.json(answers.watch_answer(watch)))

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, watch_id: str) -> None:
        """Do what is asked for with the watch."""
        async with self._meter.charging(req, resp, operations.WATCHES) as charging:
            _require_plain(req)
            wanted, account = str(parameters.parse_id(watch_id)), charging.caller.account_id
            asked = await _fields(req, ("action", "days"))
            action, days = asked.get("action"), asked.get("days", 1)
            if action not in ACTIONS:
                raise _wrong("action", f"must be one of {', '.join(ACTIONS)}")
            if type(days) is not int or not 1 <= days <= KEPT // DAY:
                raise _wrong("days", f"must be a whole number from 1 to {KEPT // DAY}")
            if "days" in asked and action != "replay":
                raise _wrong("days", "says how far back `replay` goes, and nothing else")
            await charging.settle()
            done = await self._billing.run(lambda: self._done(action, wanted, account, days))
            send_unkept(req, resp, ANSWERS.json(done))

    def _done(self, action: str, watch_id: str, account: int, days: int) -> object:
        if action == "test":
            return answers.event_answer(self._watches.test(watch_id, account_id=account))
        if action == "renew":
            return answers.new_answer(self._watches.renew(watch_id, account_id=account), self._public_url)
        events = self._watches.replay(watch_id, back=days * DAY, account_id=account)
        return answers.Replayed(events=events)


class WatchFeedResource:
    """The feeds of all watches in one format, each at an address that only its owner was shown."""

    def __init__(
        self,
        billing: Billing,
        watches: Watches,
        public_url: str,
        *,
        media_type: str,
        write: Callable[[Feed, str], bytes],
    ) -> None:
        self._billing = billing
        self._watches = watches
        self._public_url = public_url
        self._media_type = media_type
        self._write = write

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, token: str) -> None:
        """Answer with the feed."""
        parameters.parse(req.params, parameters.NONE, req.query_string)
        accepted_type(req.get_header("Accept"), (self._media_type,))
        if _TOKEN.fullmatch(token) is None:
            raise NotFoundError("No watch has a feed at this address.", kind="watch")
        found = await self._billing.run(lambda: self._watches.of_feed(token))
        body = self._write(answers.watch_feed(*found, token), self._public_url)
        send_text(req, resp, body, etag=content_etag(body), content_type=self._media_type)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, token: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, token)


def _require_plain(req: falcon.asgi.Request) -> None:
    parameters.parse(req.params, parameters.NONE, req.query_string)
    accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))


async def _fields(req: falcon.asgi.Request, known: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of a request's body.

    Raises:
        ValidationError: it is no JSON object, too large, or has an unknown field.
    """
    body = await read_whole(req, most=MAX_BODY)
    if body is None:
        raise ValidationError(f"The body is larger than {MAX_BODY:,} bytes.")
    try:
        fields = orjson.loads(body)
    except orjson.JSONDecodeError:
        fields = None
    if not isinstance(fields, dict):
        raise ValidationError("The body must be a JSON object.")
    _refuse_unknown(fields, known)
    return fields


def _refuse_unknown(fields: dict[str, Any], known: tuple[str, ...]) -> None:
    for name in fields:
        if name not in known:
            raise _wrong(name[:40], f"is unknown; there are {', '.join(known)}")


def _subject(given: Any, snapshot: Snapshot) -> Subject:
    """Return what is to be watched, which the snapshot in service holds."""
    if not isinstance(given, dict):
        raise _wrong("subject", f"must be an object with one of {', '.join(KINDS)}")
    _refuse_unknown(given, (*KINDS, "jurisdiction"))
    kinds = [kind for kind in KINDS if given.get(kind) is not None]
    if len(kinds) != 1:
        raise _wrong("subject", f"must have exactly one of {', '.join(KINDS)}")
    (kind,) = kinds
    jurisdiction = given.get("jurisdiction")
    if kind == SEARCH:
        words = _read("q", given[kind], kind)
        if jurisdiction is not None:
            named = _read("jurisdiction", jurisdiction, "jurisdiction")
            jurisdiction = find_jurisdiction(snapshot.manifest, named)
        return Subject(kind, words, jurisdiction)
    if jurisdiction is not None:
        raise _wrong("jurisdiction", "narrows a search, and nothing else")
    wanted = _read("container", given[kind], kind)
    if kind == CODE_BODY:
        require_code_body(snapshot.manifest, wanted)
    elif kind in (NODE, CONTAINER) and snapshot.nodes.find(wanted) is None:
        raise NotFoundError(f"No node has the id {wanted}; ids come from search and browse.", kind="node")
    return Subject(kind, str(wanted))


def _read(parameter: str, value: Any, field: str) -> Any:
    """Return a field that is read as a parameter of the query is."""
    try:
        return parameters.PARAMETERS[parameter].parse(_string(value, field))
    except ValueError as error:
        raise _wrong(field, str(error)) from None


def _string(value: Any, field: str) -> str:
    if not isinstance(value, str):
        raise _wrong(field, "must be a string")
    return value


def _wrong(field: str, why: str) -> ValidationError:
    return ValidationError(f"Field `{field}` {why}.", parameter=field)
