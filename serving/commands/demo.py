"""The demo key of a laptop: an account of its own, and a key that is ready when the server is."""

from serving.accounts.accounts import Accounts
from serving.metering.clock import DAY
from serving.metering.database import Database
from serving.metering.keys import SCOPES, MintedKey

NAME = "demo"
"""Of the account, `demo@localhost`, and of its keys."""
DAYS = 30
LIVE_KEYS = 3
"""Demo keys that work at once; with one more the oldest ends."""


def demo_key(database: Database) -> MintedKey:
    """Make a key with every scope for the demo account, which is opened if it is not there."""
    accounts = Accounts(database)
    account = accounts.of_this_machine(NAME)
    with database.reading() as connection:
        now = database.now(connection)
    _, minted = accounts.create_key(
        account.account_id, name=NAME, scopes=SCOPES, expires_at=now + DAYS * DAY, keep=LIVE_KEYS - 1
    )
    return minted
