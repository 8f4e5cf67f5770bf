"""`lawctl accounts`, over both engines."""

import io
import os
import pty
import sys

import pytest

from serving.accounts.customers import Customers
from serving.cli import main
from serving.contract.errors import SignInRefusedError
from serving.metering.database import Database

PASSWORD = "an otter swims at dawn"


def sign_in(url: str, email: str, password: str) -> int:
    database = Database(url)
    try:
        return Customers(database).sign_in(email, password, address="127.0.0.1").account.account_id
    finally:
        database.close()


def test_accounts_are_opened_listed_and_shown(lawctl):
    assert lawctl("accounts", "create").out == "Opened account 1.\n"
    opened = lawctl("accounts", "create", "--email", "Ada@Example.org", "--json").json
    assert (opened["id"], opened["email"], opened["tier"], opened["creditsRemaining"]) == (
        *(2, "ada@example.org"),
        *("free", 1000),
    )
    assert opened["researchAllotment"]["remaining"] == 1000
    assert [account["id"] for account in lawctl("accounts", "list", "--json").json] == [1, 2]
    titles, first, second = lawctl("accounts", "list").out.splitlines()
    assert titles.split() == ["ID", "EMAIL", "TIER", "ALLOTMENT", "WALLET", "OPENED"]
    assert first.split()[:3] == ["1", "free", "1,000"]
    assert second.split()[:3] == ["2", "ada@example.org", "free"]
    for name in ("2", "ada@example.org", " ADA@example.ORG"):
        assert lawctl("accounts", "show", name, "--json").json == opened
    shown = lawctl("accounts", "show", "2").out
    assert "account    2  ada@example.org" in shown
    assert "allotment  1,000 of 1,000, renewed 20" in shown


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("show", "7"), "no account 7"),
        (("show", "9" * 30), "neither the id"),
        (("show", "b@example.org"), "no account b@example.org"),
        (("show", "ada"), "neither the id of an account nor an e-mail address"),
        (("create", "--email", "ada"), "'ada' is not an e-mail address"),
        (("create", "--email", ""), "An empty text is not an e-mail address"),
        (("create", "--email", "A@example.org"), "exists already"),
    ],
)
def test_what_is_not_there_is_named(lawctl, words, match):
    lawctl("accounts", "create", "--email", "a@example.org")
    refused = lawctl("accounts", *words, fails=True)
    assert (refused.status, refused.out) == (1, "")
    assert refused.err.startswith("lawctl: ")
    assert match in refused.err


def test_a_password_is_set_from_standard_input(lawctl, url, monkeypatch):
    lawctl("accounts", "create", "--email", "a@example.org")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    done = lawctl("accounts", "set-password", "A@example.org", "--stdin")
    assert "password of account 1 is set" in done.out
    assert PASSWORD not in done.out + done.err
    assert sign_in(url, "a@example.org", PASSWORD) == 1
    with pytest.raises(SignInRefusedError):
        sign_in(url, "a@example.org", f"{PASSWORD}\n")


@pytest.mark.parametrize(("again", "status"), [(PASSWORD, 0), ("something else", 1)])
def test_a_password_is_asked_for_twice_on_a_terminal_and_never_echoed(lawctl, url, again, status):
    lawctl("accounts", "create", "--email", "a@example.org")
    command = [sys.executable, "-m", "serving.cli", "accounts", "set-password", "a@example.org"]
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, [*command, "--database", url])
    shown = b""
    for prompt, typed in ((b"New password: ", PASSWORD), (b"Once more: ", again)):
        while not shown.endswith(prompt):
            shown += os.read(terminal, 1)
        os.write(terminal, f"{typed}\n".encode())
    while chunk := read_or_end(terminal):
        shown += chunk
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == status
    assert PASSWORD.encode() not in shown
    assert (b"is set" if status == 0 else b"two passwords differ") in shown
    if status == 0:
        assert sign_in(url, "a@example.org", PASSWORD) == 1


def read_or_end(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1024)
    except OSError:  # how Linux says that nobody is at the other end
        return b""


@pytest.mark.parametrize("typed", ["short\n", "", "x" * 5_000])
def test_a_password_that_does_not_do_is_refused(lawctl, monkeypatch, typed):
    lawctl("accounts", "create", "--email", "a@example.org")
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert (
        "10 to 256 characters"
        in lawctl("accounts", "set-password", "a@example.org", "--stdin", fails=True).err
    )


def test_a_password_of_nobody_is_not_read(lawctl):
    assert "no account b@example.org" in lawctl("accounts", "set-password", "b@example.org", fails=True).err


def test_a_password_is_not_taken_from_the_command_line(capsys):
    with pytest.raises(SystemExit) as misused:
        main(["accounts", "set-password", "a@example.org", PASSWORD])
    assert misused.value.code == 2
