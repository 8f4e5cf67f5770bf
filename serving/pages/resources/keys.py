"""API keys on the settings page: created and shown once in the answer, and revoked."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import falcon
import falcon.asgi

from serving.contract.errors import NoSnapshotError, SupersededError, ValidationError
from serving.metering.clock import SECOND
from serving.metering.keys import parse_scopes
from serving.metering.records import Account, Key
from serving.pages.dashboard import keys_state, newest_key
from serving.pages.forms import Form
from serving.pages.frames import Problem
from serving.pages.key_form import KeyForm
from serving.pages.key_samples import Sample, samples_for
from serving.pages.own_calls import allow_calls
from serving.pages.resources.home import show_dashboard
from serving.pages.site import HOME, Site, problem_of, require_own
from serving.pages.visitors import Visitor, visitor_of
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.examples import Example, example_of

_USED = (
    "This form has created a key already, or another one was created since it was loaded; no further key was "
    "made. A key is shown once: if you did not copy it, revoke it and create another."
)
_FIELDS = {"name": "key-name", "scopes": "key-scopes", "expiresAt": "key-expires", "keys": "key-name"}


@dataclass(frozen=True, slots=True)
class Call:
    """An example call for trying out a key."""

    label: str
    address: str


@dataclass(frozen=True, slots=True, repr=False)
class NewKey:
    """The page that shows a new key, only this once. It stays out of `repr`."""

    key: Key
    text: str
    calls: tuple[Call, ...]
    samples: tuple[Sample, ...]


class KeysResource:
    """Creates keys."""

    def __init__(self, site: Site, snapshots: SnapshotHolder) -> None:
        self._site = site
        self._snapshots = snapshots

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Create a key and show it in this answer only: in no address, in no cookie and not in the store."""
        visitor, account, form = await self._site.account_submission(
            req, lambda form: KeyForm.submitted(form).address
        )
        typed = KeyForm.submitted(form)
        try:
            page = await self._site.pools.accounts.run(
                lambda: self._create(visitor, account, form, typed), client=visitor.network
            )
        except ValidationError as error:
            problem = problem_of(error, _FIELDS)
            await show_dashboard(self._site, resp, visitor, account, form=typed, problem=problem, status=422)
            return
        except SupersededError:
            await show_dashboard(self._site, resp, visitor, account, problem=Problem(_USED), status=409)
            return
        allow_calls(req)
        self._site.show(resp, visitor, "new_key.html", page, account=account)

    def _create(self, visitor: Visitor, account: Account, form: Form, typed: KeyForm) -> NewKey:
        """Create the key, unless the form was used already, as when its answer is reloaded."""
        accounts = self._site.billing.accounts
        newest = newest_key(accounts.list_keys(account.account_id))
        if not visitor.is_once_token(form.one("once"), keys_state(newest)):
            raise SupersededError
        # Before the key is made: what fails here must not leave one that nobody has seen.
        example = self._example()
        key, minted = accounts.create_key(
            account.account_id,
            name=typed.name,
            scopes=parse_scopes(typed.scopes),
            expires_at=_end_of(typed.expires),
            after=newest,
        )
        public_url = self._site.public_url
        calls = calls_for(key, public_url, example)
        return NewKey(key, minted.text, calls, samples_for(minted.text, public_url))

    def _example(self) -> Example | None:
        """Return the example of the snapshot in service; None while there is none."""
        try:
            with self._snapshots.lease() as snapshot:
                return example_of(snapshot.nodes, snapshot.edges)
        except NoSnapshotError:
            return None


class RevokeResource:
    """Revokes a key, after a question to confirm."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, key_id: int) -> None:
        """Answer with the question whether to revoke the key."""
        visitor = visitor_of(req)
        account = await self._site.require_account(visitor)
        keys = await self._site.pools.accounts.run(
            lambda: self._site.billing.accounts.list_keys(account.account_id), client=visitor.network
        )
        key = require_own(next((key for key in keys if key.key_id == key_id), None), "key")
        self._site.show(resp, visitor, "revoke.html", key, account=account)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, key_id: int) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, key_id)

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, key_id: int) -> None:
        """Revoke the key."""
        visitor, account, _ = await self._site.account_submission(req, lambda _: req.path)
        await self._site.pools.accounts.run(
            lambda: self._site.billing.accounts.revoke_key(account.account_id, key_id), client=visitor.network
        )
        self._site.go(resp, f"{HOME}?done=revoked")


def calls_for(key: Key, public_url: str, example: Example | None) -> tuple[Call, ...]:
    """Return example calls that the key's scopes open, the most useful first.

    Args:
        key: the key.
        public_url: address of the service.
        example: a provision that searches and reads find; None where there is none.
    """
    calls = []
    if example is not None:
        search, resolve, node = example.paths
        if "search" in key.scopes:
            calls.append(Call("Search", search))
        if {"search", "node"} & set(key.scopes):
            calls.append(Call("Check a citation", resolve))
        if "node" in key.scopes:
            calls.append(Call("Read a provision", node))
    if "browse" in key.scopes:
        calls.append(Call("Code bodies", "code-bodies"))
    if key.scopes != ("formation",):
        calls.append(Call("Coverage", "coverage"))
    calls.append(Call("Account", "me"))
    return tuple(Call(call.label, f"{public_url}/api/v1/{call.address}") for call in calls)


def _end_of(day: str) -> int | None:
    """Return the end of a day (UTC) given in the form's spelling; None if no day is given."""
    if not day:
        return None
    try:
        after = date.fromisoformat(day) + timedelta(days=1)
        return int(datetime(after.year, after.month, after.day, tzinfo=UTC).timestamp()) * SECOND
    except (ValueError, OverflowError) as error:
        raise ValidationError("Write the day as YYYY-MM-DD.", parameter="expiresAt") from error
