"""Credits that come and go outside of calls: grants, purchases, their reversal, and the check of the ledger.

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

    def purchase(
        self, account_id: int, pack: str, *, event_id: str, payment_id: str | None = None
    ) -> Purchase:
        """Credit a pack once and only once, however many events announce its payment, and raise the tier.

        What was refunded or disputed before is taken back at once.

        Args:
            account_id: who bought.
            pack: what.
            event_id: the event that announced the payment.
            payment_id: what refunds and disputes will name the payment by; the event where nothing does.

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
        """Take a payment's credits back in proportion, as far as the wallet still holds them. The tier stays.

        What was not left when a reversal came is not claimed later. Where a reversal ends in our favour,
        what it took comes back as a grant. A report that is known, or older than what is known, changes
        nothing; one that comes before the purchase is kept for it.

        Returns:
            The purchase after it; None if none is known by that payment.
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
        """Give the purchase that the payment was for; None if none is known."""
        with self._database.reading() as connection:
            return _find(connection, payment_id=payment_id)

    def list_purchases(self, account_id: int) -> Sequence[Purchase]:
        """Give what an account bought, the newest first."""
        columns = schema.purchases.c
        query = (
            sa.select(schema.purchases)
            .where(columns.account_id == account_id)
            .order_by(columns.at.desc(), columns.payment_id)
        )
        with self._database.reading() as connection:
            return [Purchase(**row._mapping) for row in connection.execute(query)]

    def check_ledger(self) -> Sequence[Imbalance]:
        """Give every account whose balance is not the sum of its entries; none in a sound store."""
        with self._database.reading() as connection:
            return imbalances(connection)


def _asked_back(connection: sa.Connection, purchase: Purchase) -> int:
    """Credits for which, as the reversals stand, nothing was paid; fractions are the customer's."""
    cents = min(purchase.price_cents, reversed_cents(connection, purchase.payment_id))
    return purchase.credits * cents // purchase.price_cents


def _settle(balance: Balance, purchase: Purchase, asked: int, *, at: int, event_id: str) -> Purchase:
    """Bring what was taken back to what is asked back."""
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
    """Give the purchase of that payment, else the one that the event was for."""
    columns = schema.purchases.c
    for column, name in ((columns.payment_id, payment_id), (columns.event_id, event_id)):
        row = connection.execute(sa.select(schema.purchases).where(column == name)).one_or_none()
        if row is not None:
            return Purchase(**row._mapping)
    return None
