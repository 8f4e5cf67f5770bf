"""Credits that come and go outside of calls: grants, purchases, their refunds, and the check of the ledger.

Each call is one durable transaction.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from serving.contract.errors import NotFoundError, ValidationError
from serving.metering import schema
from serving.metering.database import Database
from serving.metering.ledger import imbalances, load_balance, save_balance
from serving.metering.records import Imbalance, Purchase
from serving.metering.tiers import find_pack, raised

MAX_GRANT = 1_000_000_000


class Credits:
    """Moves credits into wallets and takes back what was not paid for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def grant(self, account_id: int, amount: int, *, reference: str | None = None) -> int:
        """Put credits into the wallet and give the new balance.

        Raises:
            NotFoundError: there is no such account.
            ValidationError: the amount is not positive, or absurd.
        """
        if not 0 < amount <= MAX_GRANT:
            raise ValidationError(f"Grant between 1 and {MAX_GRANT:,} credits.", parameter="amount")
        with self._database.writing() as connection:
            balance = load_balance(connection, account_id)
            now = self._database.now(connection)
            balance.renew(at=now)
            balance.post("grant", at=now, wallet=amount, request_id=reference)
            save_balance(connection, balance)
            return balance.total

    def purchase(self, account_id: int, pack: str, *, event_id: str) -> Purchase:
        """Credit a pack once and only once, however often the payment's event arrives, and raise the tier.

        Raises:
            NotFoundError: there is no such account.
            ValidationError: there is no such pack, or the event paid for something else.
        """
        bought = find_pack(pack)
        with self._database.writing() as connection:
            # The account's lock comes first: of two deliveries at once the second finds the first's row.
            balance = load_balance(connection, account_id)
            known = _find_purchase(connection, event_id)
            if known is not None:
                if (known.account_id, known.pack) != (account_id, pack):
                    raise ValidationError("The event paid for another purchase.", parameter="eventId")
                return known
            now = self._database.now(connection)
            balance.renew(at=now)
            balance.tier = raised(balance.tier, bought)
            balance.post("purchase", at=now, wallet=bought.credits, request_id=event_id)
            save_balance(connection, balance)
            row = connection.execute(
                sa.insert(schema.purchases)
                .values(event_id=event_id, account_id=account_id, pack=pack, credits=bought.credits, at=now)
                .returning(schema.purchases)
            ).one()
            return _purchase_of(row)

    def refund_purchase(self, event_id: str) -> Purchase:
        """Take a purchase's credits back, as far as the wallet still holds them; once. The tier stays.

        Raises:
            NotFoundError: no purchase has that event.
        """
        with self._database.writing() as connection:
            known = _find_purchase(connection, event_id, lock=True)
            if known is None:
                raise NotFoundError(f"There is no purchase {event_id}.", kind="purchase")
            if known.refunded_at is not None:
                return known
            balance = load_balance(connection, known.account_id)
            now = self._database.now(connection)
            balance.renew(at=now)
            taken = min(known.credits, balance.wallet)
            balance.post("refund", at=now, wallet=-taken, request_id=event_id)
            save_balance(connection, balance)
            row = connection.execute(
                sa.update(schema.purchases)
                .where(schema.purchases.c.event_id == event_id)
                .values(refunded_at=now, taken_back=taken)
                .returning(schema.purchases)
            ).one()
            return _purchase_of(row)

    def check_ledger(self) -> Sequence[Imbalance]:
        """Give every account whose balance is not the sum of its entries; none in a sound store."""
        with self._database.reading() as connection:
            return imbalances(connection)


def _find_purchase(connection: sa.Connection, event_id: str, *, lock: bool = False) -> Purchase | None:
    query = sa.select(schema.purchases).where(schema.purchases.c.event_id == event_id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return None if row is None else _purchase_of(row)


def _purchase_of(row: sa.Row[Any]) -> Purchase:
    return Purchase(
        event_id=row.event_id,
        account_id=row.account_id,
        pack=row.pack,
        credits=row.credits,
        at=row.at,
        refunded_at=row.refunded_at,
        taken_back=row.taken_back,
    )
