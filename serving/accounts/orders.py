"""Formation orders: opened, moved through their stages, and found. Each call is one durable transaction."""

import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

import sqlalchemy as sa

from serving.accounts.names import clean_name
from serving.contract.errors import NotFoundError, SupersededError, ValidationError
from serving.metering import schema
from serving.metering.database import Database
from serving.metering.keys import digest
from serving.metering.ledger import load_balance, save_balance
from serving.metering.records import Order, Stage
from serving.metering.tiers import FORMED_ALLOTMENT

STAGES = ("details", "payment", "setup", "final_review", "filing", "filed", "completed")
"""The stages of an order, in the only order in which it goes through them."""
CANCELED = "canceled"
ENTITY_TYPES = ("llc", "nonprofit")
MAX_UNPAID = 10
"""Most orders of an account that may wait for their details or their payment."""
MAX_NAME = 200
"""Longest name of an entity, in characters."""

_UNPAID = STAGES[: STAGES.index("setup")]
_JURISDICTION = re.compile(r"[a-z]{2}(-[a-z0-9]+)*")
_NAICS = re.compile(r"[0-9]{6}")
_NO_TOKEN = "0" * 64
"""Stand-in for the hash of an unknown order's token; no known text has this hash."""


@dataclass(frozen=True, slots=True)
class OpenedOrder:
    """A new order. `token` is shown once and stored as a hash; it stays out of `repr`."""

    order: Order
    _token: tuple[str]

    @property
    def token(self) -> str:
        """The tracking token, for the customer."""
        return self._token[0]

    def __repr__(self) -> str:
        return f"OpenedOrder(order_id={self.order.order_id!r})"


class Orders:
    """Opens, advances, cancels and finds orders."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self,
        account_id: int,
        *,
        entity_name: str,
        entity_type: str,
        filing_jurisdiction: str,
        naics: str | None = None,
        after: int | None = None,
    ) -> OpenedOrder:
        """Open an order at its first stage.

        Args:
            account_id: the customer.
            entity_name: name of the entity to form.
            entity_type: one of `ENTITY_TYPES`.
            filing_jurisdiction: short code of where it is filed.
            naics: code of the business, six digits; None where it is not known.
            after: number of orders that the account must have now, so that a repeated call opens no second
                order; None: any.

        Raises:
            NotFoundError: there is no such account.
            SupersededError: the account has not `after` orders.
            ValidationError: as many orders of the account are unpaid as may be, the name is empty, too long
                or has control characters, the type of entity is unknown, the jurisdiction is no short code,
                or the NAICS code has not six digits.
        """
        name = clean_name(entity_name, what="An entity's name", limit=MAX_NAME, parameter="entityName")
        jurisdiction = _jurisdiction(filing_jurisdiction)
        if entity_type not in ENTITY_TYPES:
            raise ValidationError(
                f"{entity_type!r} is not an entity type; the types are {', '.join(ENTITY_TYPES)}.",
                parameter="entityType",
            )
        if naics is not None and not _NAICS.fullmatch(naics):
            raise ValidationError(f"{naics[:20]!r} is no NAICS code of six digits.", parameter="naics")
        order_id, token = str(uuid4()), secrets.token_urlsafe(32)
        with self._database.writing() as connection:
            load_balance(connection, account_id)
            mine = schema.orders.c.account_id == account_id
            if after not in (None, _count(connection, mine)):
                raise SupersededError
            if _count(connection, mine, schema.orders.c.state.in_(_UNPAID)) >= MAX_UNPAID:
                raise ValidationError(
                    f"This account has {MAX_UNPAID} orders that wait for their details or their payment; "
                    "have one of them canceled first.",
                    parameter="orders",
                )
            now = self._database.now(connection)
            connection.execute(
                sa.insert(schema.orders).values(
                    order_id=order_id,
                    account_id=account_id,
                    token_hash=digest(token),
                    state=STAGES[0],
                    entity_name=name,
                    entity_type=entity_type,
                    filing_jurisdiction=jurisdiction,
                    updated_at=now,
                    naics=naics,
                )
            )
            _note_stage(connection, order_id, STAGES[0], at=now)
            return OpenedOrder(_get(connection, order_id), (token,))

    def find(self, order_id: str, token: str) -> Order | None:
        """Return the order that the token opens, else None.

        An unknown order and a wrong token take the same time: one look-up that returns one row, and one
        comparison in constant time. The rest is loaded only if the token is right.
        """
        stored = sa.select(schema.orders.c.token_hash).where(schema.orders.c.order_id == order_id)
        found = sa.select(sa.func.coalesce(stored.scalar_subquery(), _NO_TOKEN))
        offered = digest(token)
        with self._database.reading(behind=True) as connection:
            if not hmac.compare_digest(connection.execute(found).scalar_one(), offered):
                return None
            return _get(connection, order_id)

    def get(self, order_id: str) -> Order:
        """Return an order, for the operator.

        Raises:
            NotFoundError: there is no such order.
        """
        with self._database.reading(behind=True) as connection:
            return _get(connection, order_id)

    def list(self, account_id: int | None = None) -> Sequence[Order]:
        """Return all orders, or those of one account, the last changed first."""
        whose = sa.true() if account_id is None else schema.orders.c.account_id == account_id
        with self._database.reading(behind=True) as connection:
            return _orders(connection, whose)

    def count(self, account_id: int) -> int:
        """Count the orders of an account, including completed and canceled ones."""
        with self._database.reading(behind=True) as connection:
            return _count(connection, schema.orders.c.account_id == account_id)

    def count_founding(self) -> int:
        """Count the orders that reached `setup` and were not canceled: each of them has a founding slot."""
        settled = STAGES[STAGES.index("setup") :]
        with self._database.reading(behind=True) as connection:
            return _count(connection, schema.orders.c.state.in_(settled))

    def advance(self, order_id: str, state: str | None = None) -> Order:
        """Move an order one stage on. At `filed` its account's allotment rises, at once and for good.

        Args:
            order_id: id of the order.
            state: the stage that must follow, so that a repeated call moves the order only once; None: any.

        Raises:
            NotFoundError: there is no such order.
            ValidationError: `state` is not the next stage, or there is no next stage.
        """
        with self._database.writing() as connection:
            order = _get(connection, order_id, lock=True)
            following = _following(order.state)
            if following is None or state not in (None, following):
                allowed = f"its next stage is {following}" if following else "it goes no further"
                wish = f", not {state}" if following else ""
                raise ValidationError(f"The order is at {order.state}; {allowed}{wish}.", parameter="state")
            self._move(connection, order, following)
            return _get(connection, order_id)

    def cancel(self, order_id: str) -> Order:
        """Cancel an order that has not reached `filing`.

        Raises:
            NotFoundError: there is no such order.
            ValidationError: it has reached `filing`, or is canceled already.
        """
        with self._database.writing() as connection:
            order = _get(connection, order_id, lock=True)
            if order.state not in STAGES[: STAGES.index("filing")]:
                raise ValidationError(
                    f"The order is at {order.state}; only an order before filing can be canceled.",
                    parameter="state",
                )
            self._move(connection, order, CANCELED)
            return _get(connection, order_id)

    def _move(self, connection: sa.Connection, order: Order, state: str) -> None:
        balance = load_balance(connection, order.account_id)
        now = max(self._database.now(connection), order.updated_at)
        connection.execute(
            sa.update(schema.orders)
            .where(schema.orders.c.order_id == order.order_id)
            .values(state=state, updated_at=now)
        )
        _note_stage(connection, order.order_id, state, at=now)
        if state == "filed" and balance.allotment_limit < FORMED_ALLOTMENT:
            balance.renew(at=now)
            more = FORMED_ALLOTMENT - balance.allotment_limit
            balance.allotment_limit = FORMED_ALLOTMENT
            balance.post("allotment", at=now, allotment=more, request_id=order.order_id)
            save_balance(connection, balance)


def _jurisdiction(text: str) -> str:
    code = text.strip().lower()
    if len(code) > MAX_NAME or not _JURISDICTION.fullmatch(code):
        raise ValidationError(
            f"{text[:MAX_NAME]!r} is not a jurisdiction's short code, such as dc or il-chicago.",
            parameter="filingJurisdiction",
        )
    return code


def _following(state: str) -> str | None:
    if state == CANCELED or state == STAGES[-1]:
        return None
    return STAGES[STAGES.index(state) + 1]


def _count(connection: sa.Connection, *which: sa.ColumnElement[bool]) -> int:
    query = sa.select(sa.func.count()).select_from(schema.orders).where(*which)
    return int(connection.execute(query).scalar_one())


def _note_stage(connection: sa.Connection, order_id: str, state: str, *, at: int) -> None:
    connection.execute(sa.insert(schema.order_stages).values(order_id=order_id, state=state, at=at))


def _get(connection: sa.Connection, order_id: str, *, lock: bool = False) -> Order:
    found = _orders(connection, schema.orders.c.order_id == order_id, lock=lock)
    if not found:
        raise NotFoundError(f"There is no order {order_id}.", kind="order")
    return found[0]


def _orders(
    connection: sa.Connection, which: sa.ColumnElement[bool], *, lock: bool = False
) -> Sequence[Order]:
    query = (
        sa.select(schema.orders)
        .where(which)
        .order_by(schema.orders.c.updated_at.desc(), schema.orders.c.order_id)
    )
    rows = connection.execute(query.with_for_update() if lock else query).all()
    stages: dict[str, list[Stage]] = {row.order_id: [] for row in rows}
    gone_through = (
        sa.select(schema.order_stages)
        .join(schema.orders, schema.orders.c.order_id == schema.order_stages.c.order_id)
        .where(which)
        .order_by(schema.order_stages.c.at)
    )
    for stage in connection.execute(gone_through):
        stages[stage.order_id].append(Stage(stage.state, stage.at))
    return [
        Order(
            order_id=row.order_id,
            account_id=row.account_id,
            state=row.state,
            entity_name=row.entity_name,
            entity_type=row.entity_type,
            filing_jurisdiction=row.filing_jurisdiction,
            updated_at=row.updated_at,
            naics=row.naics,
            stages=tuple(sorted(stages[row.order_id], key=lambda stage: (stage.at, _rank(stage.state)))),
        )
        for row in rows
    ]


def _rank(state: str) -> int:
    return STAGES.index(state) if state in STAGES else len(STAGES)
