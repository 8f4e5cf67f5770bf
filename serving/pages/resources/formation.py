"""The page on which a person forms a company: the price of a choice and, signed in, the order. No payment."""

from dataclasses import replace
from urllib.parse import urlencode

import falcon.asgi

from serving.contract.errors import NotFoundError, SupersededError, ValidationError
from serving.metering.allowances import Allowances
from serving.metering.records import Account
from serving.pages.formation import (
    Choice,
    Formation,
    FormationPage,
    OpenedPage,
    businesses_of,
    orders_state,
    read_formation,
)
from serving.pages.forms import Form
from serving.pages.frames import Problem
from serving.pages.site import Site, problem_of
from serving.pages.visitors import Visitor, visitor_of
from serving.responses.leases import lease_for
from serving.services.formation import (
    START,
    clean_entity_name,
    formation_states,
    name_has_any_designator,
    name_hint,
)
from serving.services.naics import NaicsCode
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import Snapshot

LONGEST = 300
"""Characters of each part of a choice that are examined."""
_FIELDS = {
    "state": "formation-state",
    "entityType": "formation-entity",
    "entityName": "formation-name",
    "naics": "formation-naics",
    "query": "formation-naics",
}
_SEARCHES = (
    "This network has looked {most} businesses up within a minute. Wait a little, and go on, or give the "
    "code of six digits."
)
_USED = (
    "This form has opened an order already, or another one was opened since it was loaded; no further order "
    "was made. A tracking token is shown once: ask the operator if you did not copy it."
)


class StartResource:
    """Shows the cost and the requirements of a formation, and opens an order for it.

    Args:
        site: common work of the pages.
        snapshots: hold what is known of formations.
        searches_per_minute: descriptions of a business that one network may have looked up.
    """

    def __init__(self, site: Site, snapshots: SnapshotHolder, *, searches_per_minute: int) -> None:
        self._site = site
        self._snapshots = snapshots
        self._searches = Allowances(searches_per_minute, refusal=_SEARCHES)

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the page, filled in from the query."""
        visitor = visitor_of(req)
        account = await self._site.account_of(visitor)
        choice = _choice_of(Form(tuple((name, req.get_param(name) or "") for name in _PARTS)))
        await self._show(req, resp, visitor, account, choice)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Open an order and show its tracking token in this answer only, in no address and no cookie."""
        visitor, account, form = await self._site.account_submission(
            req, lambda form: _address(_choice_of(form))
        )
        choice = _choice_of(form)
        with await lease_for(req, self._snapshots, None) as snapshot:
            try:
                page = await self._site.pools.accounts.run(
                    lambda: self._open(snapshot, visitor, account, form, choice), client=visitor.network
                )
            except ValidationError as error:
                problem, status = problem_of(error, _FIELDS), 422
            except SupersededError:
                problem, status = Problem(_USED), 409
            else:
                self._site.show(resp, visitor, "order.html", page, account=account)
                return
        await self._show(req, resp, visitor, account, choice, problem=problem, status=status)

    def _open(
        self, snapshot: Snapshot, visitor: Visitor, account: Account, form: Form, choice: Choice
    ) -> OpenedPage:
        """Open the order, unless the form was used already, as when its answer is reloaded."""
        billing = self._site.billing
        orders = billing.orders.count(account.account_id)
        if not visitor.is_once_token(form.one("once"), orders_state(orders)):
            raise SupersededError
        found = read_formation(snapshot, billing, choice)
        state, entity = found.requirements.state, found.requirements.entity_type
        name = clean_entity_name(choice.name)
        if not name_has_any_designator(snapshot, entity, name):
            raise ValidationError(name_hint(snapshot, state), parameter="entityName")
        opened = billing.orders.create(
            account.account_id,
            entity_name=name,
            entity_type=entity,
            filing_jurisdiction=state,
            naics=None if found.naics is None else found.naics.code,
            after=orders,
        )
        return OpenedPage(opened.order, opened.token, found)

    async def _show(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        visitor: Visitor,
        account: Account | None,
        choice: Choice,
        *,
        problem: Problem | None = None,
        status: int = 200,
    ) -> None:
        if choice.naics and not choice.has_code:
            self._searches.take(req.remote_addr)
        with await lease_for(req, self._snapshots, None) as snapshot:
            page, found = await self._site.pools.pages.run(
                lambda: self._read(snapshot, visitor, account, choice), client=visitor.network
            )
        problem = problem or found
        self._site.show(
            resp,
            visitor,
            "formation.html",
            page,
            account=account,
            problems=() if problem is None else (problem,),
            status=422 if found is not None and status == 200 else status,
        )

    def _read(
        self, snapshot: Snapshot, visitor: Visitor, account: Account | None, choice: Choice
    ) -> tuple[FormationPage, Problem | None]:
        """Read the page, and the problem with the choice, if there is one."""
        billing, problem = self._site.billing, None
        formation: Formation | None = None
        businesses: tuple[NaicsCode, ...] = ()
        try:
            if choice.naics and not choice.has_code:
                businesses = businesses_of(snapshot, choice.naics)
            if choice.state:
                chosen = replace(choice, naics="") if businesses else choice
                formation = read_formation(snapshot, billing, chosen)
        except NotFoundError as error:
            if error.kind != "naics_code":
                raise
            problem = Problem(str(error), _FIELDS["naics"])
        except ValidationError as error:
            problem = problem_of(error, _FIELDS)
        if formation is not None:
            choice = replace(
                choice, state=formation.requirements.state, entity=formation.requirements.entity_type
            )
        once = None
        if account is not None:
            once = visitor.once_token(orders_state(billing.orders.count(account.account_id)))
        addresses = {code: _address(replace(choice, naics=code.code)) for code in businesses}
        page = FormationPage(formation_states(snapshot), choice, formation, addresses, once, _address(choice))
        return page, problem


_PARTS = ("state", "entity", "name", "naics")


def _choice_of(form: Form) -> Choice:
    state, entity, name, naics = (form.one(part).strip()[:LONGEST] for part in _PARTS)
    return Choice(state.lower(), entity.lower() or Choice().entity, " ".join(name.split()), naics)


def _address(choice: Choice) -> str:
    """Return the address of the page for a choice."""
    fields = (choice.state, choice.entity, choice.name, choice.naics)
    return f"{START}?{urlencode({part: value for part, value in zip(_PARTS, fields, strict=True) if value})}"
