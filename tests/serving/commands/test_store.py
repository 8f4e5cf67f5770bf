"""`lawctl store`, over both engines; and what every command does about a store that is new, newer or none."""

import re
import sqlite3

import pytest

from serving.cli import main
from serving.metering.database import Database
from serving.metering.migrations import revisions, upgrade


def relabel(url: str, revision: str) -> None:
    database = Database(url)
    with database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
    database.close()


def test_a_store_says_how_it_stands(lawctl):
    lawctl("accounts", "create")
    found = lawctl("store", "status", "--json").json
    assert (found["state"], found["revision"], found["newestRevision"]) == ("ready", *revisions()[-1:] * 2)
    assert (found["rows"]["accounts"], found["rows"]["keys"]) == (1, 0)
    assert re.search(r"accounts +1\n", lawctl("store", "status").out)


def test_a_store_that_is_up_to_date_is_left(lawctl):
    assert "is up to date" in lawctl("store", "migrate").out
    done = lawctl("store", "migrate", "--json").json
    assert done["before"] == done["revision"] == revisions()[-1]


def test_a_newer_store_is_refused_by_every_command(lawctl, url):
    relabel(url, "9999")
    for words in (
        ("store", "migrate"),
        ("accounts", "list"),
        ("credits", "grant", "1", "5"),
        ("ledger", "check"),
    ):
        assert "at revision 9999, which a newer version" in lawctl(*words, fails=True).err
    found = lawctl("store", "status", fails=True)
    assert "made by a newer version" in found.out


def test_a_backup_goes_back_into_an_empty_store_only(lawctl, new_url, tmp_path, capsys):
    lawctl("accounts", "create", "--email", "a@example.org")
    key = lawctl("keys", "create", "1", "--name", "k", "--scopes", "node").out.strip()
    file = str(tmp_path / "b")
    assert lawctl("store", "backup", file).out == (
        f"Wrote {file}: 1 account, 1 key, 1 ledger entry, 3 rows in all.\n"
    )
    assert "exists already; --force replaces it" in lawctl("store", "backup", file, fails=True).err
    assert lawctl("store", "backup", file, "--force", "--json").json["rows"]["accounts"] == 1
    assert "not empty" in lawctl("store", "restore", file, fails=True).err
    other = new_url()
    assert main(["store", "restore", file, "--database", other]) == 0
    assert capsys.readouterr().out.startswith(f"Restored {file}: 1 account, 1 key,")
    assert main(["keys", "list", "a@example.org", "--database", other]) == 0
    assert key[:12] in capsys.readouterr().out


def test_a_backup_of_what_is_out_of_balance_says_so(lawctl, url, tmp_path):
    lawctl("accounts", "create")
    database = Database(url)
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE accounts SET wallet = 6")
    database.close()
    saved = lawctl("store", "backup", str(tmp_path / "b"))
    assert "balances of accounts 1 are not" in saved.err


def test_a_store_that_is_not_there_is_made_when_something_is_put_in(tmp_path, capsys):
    path = tmp_path / "deep" / "down" / "accounts.sqlite"
    url = f"sqlite:///{path}"
    assert main(["store", "status", "--database", url]) == 1
    assert "`lawctl store migrate` makes it" in capsys.readouterr().out
    assert main(["store", "backup", str(tmp_path / "b"), "--database", url]) == 1
    assert "no store of accounts at" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert main(["accounts", "create", "--database", url]) == 0
    assert path.stat().st_mode & 0o077 == 0


def test_a_new_store_is_made_by_migrating(tmp_path, capsys):
    url = f"sqlite:///{tmp_path / 'new.sqlite'}"
    assert main(["store", "migrate", "--database", url]) == 0
    assert "which is new, is now at revision" in capsys.readouterr().out


def test_a_file_that_is_no_store_is_refused(tmp_path, capsys):
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8" * 5_000)
    url = f"sqlite:///{tmp_path / 'photo.jpg'}"
    for words in (
        ("accounts", "list"),
        ("store", "status"),
        ("store", "migrate"),
        ("store", "backup", str(tmp_path / "b")),
    ):
        assert main([*words, "--database", url]) == 1
        assert "file is not a database" in capsys.readouterr().err


def test_a_store_that_cannot_be_reached_says_why_but_no_password(tmp_path, capsys):
    url = "postgresql://me:s3cret@127.0.0.1:1/law"
    for words in (("accounts", "list"), ("store", "status"), ("store", "backup", str(tmp_path / "b"))):
        assert main([*words, "--database", url]) == 1
        captured = capsys.readouterr()
        assert "connection" in captured.err
        assert "s3cret" not in captured.out + captured.err


def test_a_folder_that_takes_no_file_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    assert main(["accounts", "list", "--database", f"sqlite:///{tmp_path}/file/a.sqlite"]) == 1
    assert "cannot be made" in capsys.readouterr().err
    assert main(["accounts", "list", "--database", f"sqlite:///{tmp_path}"]) == 1
    assert capsys.readouterr().err.startswith("lawctl: ")


def test_a_url_of_another_engine_is_refused(capsys):
    assert main(["accounts", "list", "--database", "mysql://u:s3cret@host/db"]) == 1
    error = capsys.readouterr().err
    assert "LAW_DATABASE_URL is not accepted; accepted is" in error
    assert "s3cret" not in error


def test_an_older_store_is_brought_up_to_date_by_any_command(tmp_path, capsys):
    path = tmp_path / "old.sqlite"
    database = Database(f"sqlite:///{path}")

    with database.writing() as connection:
        upgrade(connection, to="0001")
    database.close()
    assert main(["store", "status", "--database", f"sqlite:///{path}", "--json"]) == 1
    assert '"state": "older"' in capsys.readouterr().out
    assert main(["accounts", "list", "--database", f"sqlite:///{path}"]) == 0
    with sqlite3.connect(path) as stored:
        assert stored.execute("SELECT version_num FROM alembic_version").fetchall() == [(revisions()[-1],)]
    connection.close()


@pytest.mark.parametrize("file", ["none", "text"])
def test_a_backup_that_is_none_is_refused(tmp_path, capsys, file):
    (tmp_path / "text").write_text("hello")
    url = f"sqlite:///{tmp_path / 'new.sqlite'}"
    assert main(["store", "restore", str(tmp_path / file), "--database", url]) == 1
    assert file in capsys.readouterr().err
    assert not (tmp_path / "new.sqlite").exists()
