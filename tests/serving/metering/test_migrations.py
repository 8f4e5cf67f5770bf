"""The schema of a migrated database is the schema that the code describes."""

import threading
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from serving.accounts.accounts import Accounts
from serving.accounts.authorizations.authorizations import Authorizations
from serving.accounts.authorizations.codes import Consent
from serving.accounts.customers import Customers
from serving.accounts.passwords import hash_password
from serving.accounts.sessions import Sessions
from serving.contract.errors import StoreUnavailableError
from serving.metering import migrations
from serving.metering.database import Database
from serving.metering.keys import digest
from serving.metering.migrations import migrate, revision, upgrade
from serving.metering.schema import accounts, attempts, keys, metadata, password_resets, sessions
from serving.metering.store import store_opener

PASSWORD, OTHER = "seven stones in a river", "nine herons by the water"
NEWEST = max(path.name[1:5] for path in Path(migrations.__file__).parent.glob("versions/r*.py"))


def test_a_migrated_database_is_as_described(meter):
    with meter.database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_tables_are_strict_on_sqlite(tmp_path):
    url = f"sqlite:///{tmp_path / 'law.db'}"
    migrate(url)
    database = Database(url)
    with database.reading() as connection:
        tables = connection.execute(
            sa.text("SELECT name, strict, wr FROM pragma_table_list WHERE schema = 'main'")
        )
        found = {row.name: (row.strict, row.wr) for row in tables}
    database.close()
    assert {name for name in metadata.tables if found[name][0] != 1} == set()
    assert {name for name in metadata.tables if found[name][1]} == {"ledger", "marks", "order_stages"}


def test_migrating_again_keeps_everything(meter):
    account, _ = meter.key(wallet=3)
    migrate(meter.url)
    assert meter.accounts.get(account).wallet == 3
    assert revision(meter.url) == NEWEST


def test_processes_may_migrate_at_once(tmp_path):
    url = f"sqlite:///{tmp_path / 'law.db'}"
    threads = [threading.Thread(target=migrate, args=(url,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert revision(url) == NEWEST


def test_a_store_that_is_not_there_is_unavailable(tmp_path: Path):
    with pytest.raises(StoreUnavailableError):
        store_opener(f"sqlite:///{tmp_path / 'none.db'}")()
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(StoreUnavailableError):
        store_opener("postgresql://nobody@127.0.0.1:1/none")()


def test_a_store_in_memory_is_refused():
    with pytest.raises(ValueError, match="file"):
        Database("sqlite://")


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_store_of_before_devices_opens_with_all_that_was_in_it(request, tmp_path, engine):
    """Accounts, sessions and resets of revision 0004 go on; what it counted of sign-ins shuts nobody out."""
    url = _empty(request, tmp_path, engine)
    database = Database(url)
    with database.writing() as connection:
        upgrade(connection, to="0004")
        account = {"account_id": 1, "email": "ada@example.org", "password_hash": hash_password(PASSWORD)}
        account |= {"tier": "free", "allotment_limit": 1000, "allotment": 0, "allotment_month": 0}
        account |= {"wallet": 0, "entry_no": 0, "created_at": 0}
        session = {"session_hash": digest("a session"), "account_id": 1, "created_at": 0, "expires_at": 2**60}
        reset = {"account_id": 1, "token_hash": digest("a link"), "expires_at": 2**60}
        for table, row in ((accounts, account), (sessions, session), (password_resets, reset)):
            connection.execute(sa.insert(table).values(row))
        for number in range(10):
            row = {"attempt_id": f"{number}", "limit_name": "sign_ins_of_account", "expires_at": 2**60}
            row["subject_hash"] = digest("sign_ins_of_account:ada@example.org")
            connection.execute(sa.insert(attempts).values(row))
    migrate(url)
    assert revision(url) == NEWEST
    customers = Customers(database)
    session_kept = Sessions(database).find("a session")
    assert session_kept is not None
    assert session_kept.account_id == 1
    entered = customers.sign_in("ada@example.org", PASSWORD, address="192.0.2.1")
    assert customers.change_password("a session", PASSWORD, OTHER).account == entered.account
    database.close()


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_store_of_before_agents_opens_with_its_keys(request, tmp_path, engine):
    """Keys of revision 0005 go on, and agents are connected beside them."""
    url = _empty(request, tmp_path, engine)
    database = Database(url)
    with database.writing() as connection:
        upgrade(connection, to="0005")
        account = {"account_id": 1, "tier": "free", "allotment_limit": 1000, "allotment": 0}
        account |= {"allotment_month": 0, "wallet": 0, "entry_no": 0, "created_at": 0}
        key = {"account_id": 1, "key_hash": digest("a key"), "prefix": "lr_live_abcd", "name": "k"}
        key |= {"scopes": "search,node", "created_at": 0}
        connection.execute(sa.insert(accounts).values(account))
        connection.execute(sa.insert(keys).values(key))
    migrate(url)
    assert revision(url) == NEWEST
    (found,) = Accounts(database).list_keys(1)
    assert (found.scopes, found.is_of_agent) == (("search", "node"), False)
    authorizations = Authorizations(database)
    client = authorizations.register(name="Agent", redirect_uris=["https://a.example/"], address="192.0.2.1")
    consent = Consent(1, client.client_id, "https://a.example/", "https://law.example", ("node",), "x")
    code = authorizations.allow(consent)
    with authorizations.exchanging() as exchange:
        presented = exchange.code(code.text)
        assert presented is not None
        assert exchange.redeem(client, presented) is not None
    assert [one.client_id for one in authorizations.live_connections(1)] == [client.client_id]
    database.close()


def _empty(request: pytest.FixtureRequest, folder: Path, engine: str) -> str:
    if engine == "sqlite":
        return f"sqlite:///{folder / 'before.db'}"
    server: str = request.getfixturevalue("postgres")
    with psycopg.connect(server, autocommit=True) as connection:
        name = f"law_before_{folder.name}"
        connection.execute(f'CREATE DATABASE "{name}" WITH TEMPLATE template0')
    return server.replace("/postgres?", f"/{name}?")
