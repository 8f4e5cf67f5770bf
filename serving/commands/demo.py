"""The demo key: made when a server starts on a laptop, for an account of its own."""

from serving.accounts.accounts import Accounts
from serving.metering.clock import DAY
from serving.metering.database import Database
from serving.metering.keys import SCOPES, MintedKey

NAME = "demo"
"""Name of the account, `demo@localhost`, and of its keys."""
DAYS = 30
LIVE_KEYS = 3
"""Number of demo keys that work at once; when one more is made, the oldest is revoked."""


def demo_key(database: Database) -> MintedKey:
    """Make a key with every scope for the demo account, and open that account if it does not exist."""
    accounts = Accounts(database)
    account = accounts.of_this_machine(NAME)
    with database.reading(behind=True) as connection:
        now = database.now(connection)
    _, minted = accounts.create_key(
        account.account_id, name=NAME, scopes=SCOPES, expires_at=now + DAYS * DAY, keep=LIVE_KEYS - 1
    )
    return minted
