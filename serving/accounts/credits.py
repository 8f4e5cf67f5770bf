"""Credits that change outside of calls: grants, purchases, reversals, and the check of the ledger.

Each call is one durable transaction.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace

import sqlalchemy as sa

from serving.accounts.reversals import hold, note, reversed_cents
from serving.contract.errors import ValidationError
from serving.metering import schema
from serving.metering.balances import Balance
from serving.metering.database import Database
from serving.metering.ledger import imbalances, load_balance, save_balance
from serving.metering.records import Imbalance, Kind, Purchase, Reversal
from serving.metering.tiers import find_pack, raised

MAX_GRANT = 1_000_000_000


class Credits:
    """Adds credits to wallets and takes back those that were not paid for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def grant(self, account_id: int, amount: int, *, reference: str | None = None) -> int:
        """Add credits to the wallet and return the new balance.

        Raises:
            NotFoundError: there is no such account.
            ValidationError: the amount is not positive, or absurdly large.
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

    def purchase(
        self, account_id: int, pack: str, *, event_id: str, payment_id: str | None = None
    ) -> Purchase:
        """Credit a pack exactly once, however many events announce its payment, and raise the tier.

        Credits whose payment was already refunded or disputed are taken back at once.

        Args:
            account_id: the buyer.
            pack: name of the pack.
            event_id: the event that announced the payment.
            payment_id: id by which refunds and disputes will name the payment; None if there is none, and the
                event's id is used.

        Raises:
            NotFoundError: there is no such account.
            ValidationError: there is no such pack, or the payment or event paid for something else.
        """
        bought = find_pack(pack)
        payment_id = payment_id or event_id
        with self._database.writing() as connection:
            hold(connection, {payment_id, event_id})
            known = _find(connection, payment_id=payment_id, event_id=event_id)
            if known is not None:
                if (known.account_id, known.pack, known.payment_id) != (account_id, pack, payment_id):
                    raise ValidationError("The event paid for another purchase.", parameter="eventId")
                return known
            balance = load_balance(connection, account_id)
            now = self._database.now(connection)
            balance.renew(at=now)
            balance.tier = raised(balance.tier, bought)
            balance.post("purchase", at=now, wallet=bought.credits, request_id=event_id)
            purchase = Purchase(
                payment_id=payment_id,
                event_id=event_id,
                account_id=account_id,
                pack=pack,
                price_cents=bought.price_cents,
                credits=bought.credits,
                at=now,
                reversed=0,
                reversed_at=None,
                taken_back=0,
            )
            asked = _asked_back(connection, purchase)
            purchase = _settle(balance, purchase, asked, at=now, event_id=event_id)
            save_balance(connection, balance)
            connection.execute(sa.insert(schema.purchases).values(asdict(purchase)))
            return purchase

    def reverse(self, reversal: Reversal) -> Purchase | None:
        """Take back a payment's credits in proportion, as far as the wallet still holds them. The tier stays.

        Credits that the wallet no longer held when a reversal came are not claimed later. If a reversal ends
        in our favour, the credits that it took are granted again. A report that is already known, or older
        than the newest one, changes nothing; one that comes before the purchase is kept for it.

        Returns:
            The purchase as changed; None if no purchase is known for that payment.
        """
        with self._database.writing() as connection:
            hold(connection, {reversal.payment_id})
            note(connection, reversal)
            purchase = _find(connection, payment_id=reversal.payment_id)
            if purchase is None:
                return None
            asked = _asked_back(connection, purchase)
            if asked == purchase.reversed:
                return purchase
            balance = load_balance(connection, purchase.account_id)
            now = self._database.now(connection)
            balance.renew(at=now)
            purchase = _settle(balance, purchase, asked, at=now, event_id=reversal.event_id)
            save_balance(connection, balance)
            connection.execute(
                sa.update(schema.purchases)
                .where(schema.purchases.c.payment_id == purchase.payment_id)
                .values(
                    reversed=purchase.reversed,
                    reversed_at=purchase.reversed_at,
                    taken_back=purchase.taken_back,
                )
            )
            return purchase

    def find_purchase(self, payment_id: str) -> Purchase | None:
        """Return the purchase that a payment was for; None if none is known."""
        with self._database.reading(behind=True) as connection:
            return _find(connection, payment_id=payment_id)

    def list_purchases(self, account_id: int) -> Sequence[Purchase]:
        """Return an account's purchases, newest first."""
        columns = schema.purchases.c
        query = (
            sa.select(schema.purchases)
            .where(columns.account_id == account_id)
            .order_by(columns.at.desc(), columns.payment_id)
        )
        with self._database.reading(behind=True) as connection:
            return [Purchase(**row._mapping) for row in connection.execute(query)]

    def check_ledger(self) -> Sequence[Imbalance]:
        """Return every account whose balance is not the sum of its entries; none in a sound store."""
        with self._database.reading() as connection:
            return imbalances(connection)


def _asked_back(connection: sa.Connection, purchase: Purchase) -> int:
    """Return the credits that were not paid for, by the reversals so far; fractions stay the customer's."""
    cents = min(purchase.price_cents, reversed_cents(connection, purchase.payment_id))
    return purchase.credits * cents // purchase.price_cents


def _settle(balance: Balance, purchase: Purchase, asked: int, *, at: int, event_id: str) -> Purchase:
    """Change the credits taken back to the number that is now asked back."""
    if asked == purchase.reversed:
        return purchase
    if asked > purchase.reversed:
        taken = min(asked - purchase.reversed, balance.wallet)
    else:
        taken = min(0, asked - purchase.taken_back)
    if taken:
        kind: Kind = "refund" if taken > 0 else "grant"
        balance.post(kind, at=at, wallet=-taken, request_id=event_id)
    return replace(purchase, reversed=asked, reversed_at=at, taken_back=purchase.taken_back + taken)


def _find(connection: sa.Connection, *, payment_id: str, event_id: str | None = None) -> Purchase | None:
    """Return the purchase with that payment, else the one with that event; None if there is neither."""
    columns = schema.purchases.c
    for column, name in ((columns.payment_id, payment_id), (columns.event_id, event_id)):
        row = connection.execute(sa.select(schema.purchases).where(column == name)).one_or_none()
        if row is not None:
            return Purchase(**row._mapping)
    return None
