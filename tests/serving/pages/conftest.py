"""Real servers over the sample law, and a mail server that keeps what it is given."""

import os
import re
import shutil
import socketserver
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.serving.pages.looking import be_patient
from tests.serving.pages.people import Person
from tests.serving.servers import Server

_visitors = count(1)


def run_server(
    folder: Path, snapshots: Path, database: str, **environment: str
) -> Generator[Server, None, None]:
    """Run a server until the generator goes on."""
    server = Server(snapshots, folder / "server.log", database, environment=environment)
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.kill()


def copied(template: Path, folder: Path) -> str:
    """URL of a store of its own."""
    shutil.copy(template, folder / "accounts.sqlite")
    return f"sqlite:///{folder / 'accounts.sqlite'}"


@pytest.fixture(scope="session")
def server(
    snapshots_folder: Path, sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server that neither mails nor takes payments."""
    folder = tmp_path_factory.mktemp("pages")
    yield from run_server(folder, snapshots_folder, copied(sqlite_template, folder))


class MailServer(socketserver.ThreadingTCPServer):
    """Speaks enough SMTP to take mail, and keeps it."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.mails: list[str] = []
        self.arrived = threading.Semaphore(0)
        self.url = f"smtp://127.0.0.1:{self.server_address[1]}"

    def wait(self) -> str:
        """The next mail, once it came."""
        assert self.arrived.acquire(timeout=30), "no mail came"
        return self.mails[-1]


class _Session(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.wfile.write(b"220 ready\r\n")
        while line := self.rfile.readline():
            verb = line.split()[0].upper() if line.split() else b""
            if verb == b"QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                text = b""
                while not text.endswith(b"\r\n.\r\n"):
                    text += self.rfile.readline()
                # Long lines come folded, by quoted-printable.
                self.server.mails.append(re.sub(r"=\r\n", "", text.decode()).replace("=3D", "="))
                self.server.arrived.release()
            self.wfile.write(b"250 yes\r\n")


@pytest.fixture(scope="session")
def mail_server() -> Iterator[MailServer]:
    """A mail server on this machine."""
    with MailServer() as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


@pytest.fixture(scope="session")
def mailing_server(
    mail_server: MailServer,
    snapshots_folder: Path,
    sqlite_template: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    """A server that mails."""
    folder = tmp_path_factory.mktemp("mailing")
    database = copied(sqlite_template, folder)
    yield from run_server(
        folder, snapshots_folder, database, LAW_SMTP_URL=mail_server.url, LAW_MAIL_FROM="law@example.org"
    )


@pytest.fixture
def visit() -> Iterator[Callable[..., Person]]:
    """Makes visitors of a server, without an account."""
    with ExitStack() as visitors:

        def make(server: Server, **options: Any) -> Person:
            person = Person(server.url, **options)
            visitors.enter_context(person.http)
            return person

        yield make


@pytest.fixture
def person(server: Server, visit: Callable[..., Person]) -> Person:
    """A visitor without an account."""
    return visit(server)


@pytest.fixture
def customer(server: Server, visit: Callable[..., Person]) -> Person:
    """A visitor who has just opened an account."""
    return visit(server).sign_up()


# For one module at a time: while it is open, no other event loop can run in the thread of the tests.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A real browser; skips where none is installed."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium is installed")
    # Run by root, as in a container, Chromium has no sandbox.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page in a browser of its own that comes from an address of its own, and notes what it complains of."""
    with ExitStack() as contexts:

        def make(**options: Any) -> Page:
            context = be_patient(
                chromium.new_context(
                    extra_http_headers={"X-Forwarded-For": f"203.1.0.{next(_visitors)}"}, **options
                )
            )
            contexts.callback(context.close)
            page = context.new_page()
            complaints: list[str] = []
            page.complaints = complaints  # type: ignore[attr-defined]  # for the test that opens the page

            def complain_of_policy(said: ConsoleMessage) -> None:
                if "Content Security" in said.text:
                    complaints.append(said.text)

            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", complain_of_policy)
            return page

        yield make
