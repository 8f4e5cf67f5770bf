"""A backup keeps everything, on either engine and between them; a file that is not sound changes nothing."""

import gzip
import hashlib
import json
import random
import stat
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from serving.accounts import backup_file
from serving.accounts.accounts import Accounts
from serving.accounts.audit import audit
from serving.accounts.backup_file import BackupError
from serving.accounts.credits import Credits
from serving.accounts.orders import Orders
from serving.accounts.transfer import backup, restore
from serving.metering.database import Database
from serving.metering.migrations import StoreRevisionError, revision, revisions, upgrade
from serving.metering.records import Charge, KeyRefused, Reversal, Settled
from serving.metering.schema import metadata
from serving.metering.store import store_opener


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of either engine that nothing was ever done to."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'new' / 'accounts.sqlite'}"
        return
    server: str = request.getfixturevalue("postgres")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE law_restored")
    yield server.replace("/postgres?", "/law_restored?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP DATABASE law_restored WITH (FORCE)")


def contents(url: str, *, behind: bool = False) -> dict[str, list[tuple[object, ...]]]:
    database = Database(url)
    with database.reading(behind=behind) as connection:
        found = {
            table.name: [
                tuple(row) for row in connection.execute(sa.select(table).order_by(*table.primary_key))
            ]
            for table in metadata.sorted_tables
        }
    database.close()
    return found


@pytest.fixture
def lived_in(meter) -> dict[str, str]:
    """A store with something in every table; gives the texts of a live and of a revoked key."""
    account = meter.accounts.create(email="zoë@example.org", password_hash="$argon2id$x").account_id
    meter.accounts.create()
    live = meter.accounts.create_key(account, name="live ✓", scopes=["node", "gis"])[1]
    revoked, ended = meter.accounts.create_key(account, name="old", scopes=["node"], expires_at=2**53)
    meter.charge(ended.digest, cost=7)
    meter.accounts.revoke_key(account, revoked.key_id)
    meter.credits.purchase(account, "pro", event_id="evt_1")
    meter.credits.purchase(account, "starter", event_id="evt_2")
    meter.credits.reverse(Reversal("ch_1", "refunds", "evt_2", 500, meter.clock.instant, "evt_3"))
    meter.credits.grant(account, 250, reference="welcome")
    for seconds in range(25):
        meter.clock.instant += seconds
        meter.charge(live.digest, times=1 + seconds % 3)
    meter.refund(meter.charge(live.digest)[0].receipt)
    order = meter.orders.create(account, entity_name="Zoë LLC", entity_type="llc", filing_jurisdiction="dc")
    for _ in range(5):
        meter.orders.advance(order.order.order_id)
    with meter.database.writing() as connection:
        for table in metadata.sorted_tables:
            if connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0:
                connection.execute(sa.insert(table).values(_made_up(table, account)))
    return {
        "live": live.text,
        "live_digest": live.digest,
        "revoked_digest": ended.digest,
        "order": order.order.order_id,
        "token": order.token,
    }


def _made_up(table: sa.Table, account: int) -> dict[str, object]:
    """A row for a table that others fill: sessions, attempts."""
    return {
        column.name: f"some {column.name}" if _is_text(column) else account if column.foreign_keys else 5
        for column in table.columns
    }


def _is_text(column: sa.Column[object]) -> bool:
    return isinstance(column.type, sa.Text)


def test_a_store_moves_whole_to_either_engine(meter, lived_in, empty_url, tmp_path):
    before = contents(meter.url)
    assert all(before.values())
    written = backup(meter.url, tmp_path / "all.backup")
    assert written.row_count == sum(map(len, before.values()))
    assert restore(tmp_path / "all.backup", empty_url) == written
    assert contents(empty_url) == before
    assert revision(empty_url) == revisions()[-1]


def test_everything_goes_on_where_it_stood(meter, lived_in, empty_url, tmp_path):
    backup(meter.url, tmp_path / "all.backup")
    restore(tmp_path / "all.backup", empty_url)
    work = [
        Charge(lived_in["live_digest"], 3, "node", "r1"),
        Charge(lived_in["revoked_digest"], 1, "node", "r2"),
    ]
    store, database = store_opener(empty_url, clock=meter.clock)(), Database(empty_url, clock=meter.clock)
    # The same balances, and the same counts in the same windows, as where the store came from.
    assert store.settle(work) == meter.store.settle(work)
    assert [type(outcome) for outcome in store.settle(work)] == [Settled, KeyRefused]
    order = Orders(database).find(lived_in["order"], lived_in["token"])
    assert order is not None
    assert order.state == "filed"
    # The purchase's event is known there too, and new rows get numbers of their own.
    account = Accounts(database).list()[0]
    Credits(database).purchase(account.account_id, "pro", event_id="evt_1")
    assert Accounts(database).get(account.account_id).wallet == account.wallet
    assert Accounts(database).create().account_id == 3
    assert Accounts(database).create_key(3, name="new", scopes=["node"])[0].key_id == 3
    with database.reading() as connection:
        assert audit(connection).is_clean
    store.close()
    database.close()


def test_an_empty_store_moves_too(url, empty_url, tmp_path):
    assert backup(url, tmp_path / "none.backup").row_count == 0
    restore(tmp_path / "none.backup", empty_url)
    database = Database(empty_url)
    assert Accounts(database).create().account_id == 1
    database.close()


def test_a_backup_holds_one_instant_of_a_store_in_use(live_meter, empty_url, tmp_path):
    """Charges go on all the while; whatever the backup holds of them adds up."""
    digests = [live_meter.key(wallet=50_000, tier="bulk")[1] for _ in range(3)]
    done, charged = threading.Event(), []

    def use(key_hash: str) -> None:
        store = store_opener(live_meter.url)()
        while not done.is_set():
            charged.extend(store.settle([Charge(key_hash, 2, "node", f"r{n}") for n in range(4)]))
        store.close()

    threads = [threading.Thread(target=use, args=(digest,)) for digest in digests]
    for thread in threads:
        thread.start()
    files = [tmp_path / f"{number}.backup" for number in range(4)]
    written = [backup(live_meter.url, file) for file in files]
    done.set()
    for thread in threads:
        thread.join()
    counts = [header.row_count for header in written]
    assert counts == sorted(counts)
    restore(files[-1], empty_url)
    # A batch that was settled as the backup began waits in it to be posted, which adds entries.
    assert sum(map(len, contents(empty_url, behind=True).values())) == counts[-1]
    database = Database(empty_url)
    with database.reading() as connection:
        assert audit(connection).is_clean
    database.close()


def test_many_rows_move(meter, empty_url, tmp_path):
    """More than are read or inserted at once."""
    meter.key(wallet=5)
    with meter.database.writing() as connection:
        connection.execute(
            sa.insert(metadata.tables["marks"]),
            [{"key_id": 1, "at": at, "ordinal": at} for at in range(2_501)],
        )
    backup(meter.url, tmp_path / "many.backup")
    restore(tmp_path / "many.backup", empty_url)
    assert contents(empty_url) == contents(meter.url)


def test_only_its_owner_reads_a_backup(url, tmp_path):
    backup(url, tmp_path / "b")
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_a_restored_file_is_its_owners(url, tmp_path):
    backup(url, tmp_path / "b")
    restore(tmp_path / "b", f"sqlite:///{tmp_path / 'new' / 'a.sqlite'}")
    assert stat.S_IMODE((tmp_path / "new" / "a.sqlite").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_a_file_is_replaced_only_on_demand(meter, tmp_path):
    file = tmp_path / "b"
    file.write_bytes(b"precious")
    with pytest.raises(BackupError, match="exists already; --force"):
        backup(meter.url, file)
    assert file.read_bytes() == b"precious"
    backup(meter.url, file, force=True)
    with backup_file.reading(file) as found:
        assert list(found.rows()) == []


def test_a_file_that_appears_meanwhile_is_kept(tmp_path):
    file = tmp_path / "b"

    def rows() -> Iterator[backup_file.Row]:
        file.write_bytes(b"precious")
        yield from ()

    with pytest.raises(BackupError, match="file exists"):
        backup_file.write(file, backup_file.Header("0001", 0, ()), rows())
    assert file.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [file]


def test_a_backup_that_fails_leaves_nothing(tmp_path):
    def rows() -> Iterator[backup_file.Row]:
        yield "t", [1]
        raise KeyboardInterrupt

    header = backup_file.Header("0001", 0, (backup_file.TableShape("t", ("a",), 2),))
    with pytest.raises(KeyboardInterrupt):
        backup_file.write(tmp_path / "b", header, rows())
    with pytest.raises(BackupError, match="rows more than"):
        backup_file.write(tmp_path / "b", header, [("t", [1])] * 3)
    with pytest.raises(BackupError, match="no such file"):
        backup_file.write(tmp_path / "none" / "b", header, [])
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_is_none_has_no_backup(tmp_path, empty_url):
    if empty_url.startswith("sqlite"):
        with pytest.raises(BackupError, match="no store of accounts at"):
            backup(empty_url, tmp_path / "b")
    else:
        with pytest.raises(BackupError, match="holds no store"):
            backup(empty_url, tmp_path / "b")
    assert list(tmp_path.iterdir()) == []


def test_a_store_with_rows_takes_no_backup(meter, new_url, tmp_path):
    meter.key()
    backup(meter.url, tmp_path / "b")
    target = new_url()
    database = Database(target)
    Accounts(database).create(email="first@example.org")
    database.close()
    before = contents(target)
    with pytest.raises(BackupError, match="not empty: table accounts"):
        restore(tmp_path / "b", target)
    assert contents(target) == before


def test_a_database_of_something_else_is_left_alone(url, empty_url, tmp_path):
    backup(url, tmp_path / "b")
    Path(tmp_path / "new").mkdir()
    database = Database(empty_url)
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE songs (title text)")
    with pytest.raises(BackupError, match="something else"):
        restore(tmp_path / "b", empty_url)
    with database.reading() as connection:
        assert sa.inspect(connection).get_table_names() == ["songs"]
    database.close()


def test_an_older_backup_is_brought_to_the_newest_revision(tmp_path, empty_url):
    old = f"sqlite:///{tmp_path / 'old.sqlite'}"
    database = Database(old)
    with database.writing() as connection:
        upgrade(connection, to="0001")
        connection.exec_driver_sql("INSERT INTO accounts VALUES (7, 'a@b.c', NULL, 'free', 1, 0, 0, 0, 0, 0)")
    database.close()
    assert backup(old, tmp_path / "b").revision == "0001"
    restore(tmp_path / "b", empty_url)
    assert revision(empty_url) == revisions()[-1]
    assert contents(empty_url)["accounts"][0][:2] == (7, "a@b.c")


def test_an_older_backup_does_not_fit_a_newer_store(tmp_path, url):
    old = f"sqlite:///{tmp_path / 'old.sqlite'}"
    database = Database(old)
    with database.writing() as connection:
        upgrade(connection, to="0001")
    database.close()
    backup(old, tmp_path / "b")
    with pytest.raises(StoreRevisionError, match="past 0001"):
        restore(tmp_path / "b", url)


def rewritten(path: Path, change: Callable[[list[bytes]], list[bytes]], *, sign: bool = True) -> Path:
    """A copy with other lines, with a checksum that fits them or the old one."""
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    lines = change(lines[:-1]) + lines[-1:]
    if sign:
        checksum = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
        lines[-1] = json.dumps({"sha256": checksum}).encode() + b"\n"
    other = path.with_name("other.backup")
    other.write_bytes(gzip.compress(b"".join(lines)))
    return other


def altered(text: str, into: str) -> Callable[[list[bytes]], list[bytes]]:
    def change(lines: list[bytes]) -> list[bytes]:
        joined = b"".join(lines)
        assert text.encode() in joined
        return joined.replace(text.encode(), into.encode(), 1).splitlines(keepends=True)

    return change


@pytest.fixture
def sound(meter, lived_in, tmp_path: Path) -> Path:
    backup(meter.url, tmp_path / "sound.backup")
    return tmp_path / "sound.backup"


@pytest.fixture
def target(tmp_path) -> Iterator[str]:
    """A store that is not there yet, and must not be afterwards."""
    yield f"sqlite:///{tmp_path / 'target' / 'accounts.sqlite'}"
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize(
    ("change", "sign", "match"),
    [
        (altered("welcome", "wellcome"), False, r"line \d+: does not hold the checksum"),
        (lambda lines: lines[:-1], True, r"line \d+: is not a row of table"),
        (lambda lines: [*lines, lines[-1]], True, r"line \d+: does not hold the checksum"),
        (lambda lines: [*lines[:4], b"[1,\n", *lines[5:]], True, r"line 5: of table \w+ is damaged"),
        (lambda lines: [*lines[:4], b"[" * 100_000 + b"\n", *lines[5:]], True, r"line 5: of table \w+ is"),
        (lambda lines: [*lines[:4], b" " * (1 << 21) + b"\n", *lines[5:]], True, "line 5: .*cut off"),
        (altered('["accounts",1,', '["accounts",1.5,'), True, "line 2: is not a row of table accounts"),
        (altered('["accounts",1,', '["accounts",true,'), True, "line 2: is not a row of table accounts"),
        (altered('["accounts",1,', '["accounts",'), True, "line 2: is not a row of table accounts"),
        (altered('"law-accounts-backup"', '"holiday-photos"'), True, "line 1: is not the header of a backup"),
        (altered('"version":1', '"version":2'), True, "line 1: names a format other than version 1"),
        (altered('"rows":', '"row":'), True, "line 1: is not a whole header"),
        (altered('"rows":2', '"rows":-2'), True, "line 1: is not a whole header"),
        (altered('"revision":"0', '"revision":"9'), True, "is of revision 9"),
    ],
)
def test_an_altered_file_is_refused(sound, target, change, sign, match):
    with pytest.raises(BackupError, match=match):
        restore(rewritten(sound, change, sign=sign), target)


def test_a_file_cut_off_anywhere_is_refused(sound, target):
    whole = sound.read_bytes()
    for length in [0, 1, 9, 10, *range(11, len(whole), 97), len(whole) - 1]:
        sound.write_bytes(whole[:length])
        with pytest.raises(BackupError, match=r"sound\.backup, line \d+: "):
            restore(sound, target)


def says_the_same(damaged: bytes, whole: bytes) -> bool:
    """Return whether the damage is in the last bits before gzip's checksum, which fill a byte and say nothing."""
    try:
        return gzip.decompress(damaged) == gzip.decompress(whole)
    except (EOFError, OSError, zlib.error):
        return False


def test_a_file_with_a_damaged_byte_is_refused(sound, target):
    whole, chance = sound.read_bytes(), random.Random(7)
    # The first ten bytes are gzip's own header, with fields that say nothing.
    for place in chance.sample(range(10, len(whole)), 60):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << chance.randrange(8)
        if says_the_same(bytes(damaged), whole):
            continue
        sound.write_bytes(damaged)
        with pytest.raises(BackupError, match=r"sound\.backup, line \d+: "):
            restore(sound, target)


def test_what_follows_the_end_is_refused(sound, target):
    sound.write_bytes(sound.read_bytes() + gzip.compress(b"more\n"))
    with pytest.raises(BackupError, match="follows the checksum"):
        restore(sound, target)


def test_a_file_that_is_none_is_refused(tmp_path, target):
    (tmp_path / "text").write_text("hello\n")
    with pytest.raises(BackupError, match="text, line 1: cannot be unpacked"):
        restore(tmp_path / "text", target)
    with pytest.raises(BackupError, match="no such file"):
        restore(tmp_path / "none", target)
    with pytest.raises(BackupError, match="is a directory"):
        restore(tmp_path, target)


@pytest.mark.parametrize(
    ("text", "into", "match"),
    [
        ('["accounts",2,', '["accounts",1,', "does not fit the store"),
        ('["keys",1,1,', '["keys",1,99,', "does not fit the store"),
        ('"grant",0,250', '"grant",0,249', "balances of accounts 1 are not"),
        ('"columns":["account_id","email"', '"columns":["account_id","mail"', "other tables than revision"),
    ],
)
def test_rows_that_contradict_each_other_change_nothing(sound, empty_url, text, into, match):
    """Files whose checksum holds, made by nobody who means well: the database itself has to refuse them."""
    with pytest.raises(BackupError, match=match):
        restore(rewritten(sound, altered(text, into)), empty_url)
    database = Database(empty_url)
    with database.reading() as connection:
        assert sa.inspect(connection).get_table_names() == []
    database.close()
    restore(sound, empty_url)


def test_a_store_out_of_balance_can_be_saved_and_says_so(meter, empty_url, tmp_path):
    account, _ = meter.key(wallet=5)
    with meter.database.writing() as connection:
        connection.exec_driver_sql("UPDATE accounts SET wallet = 6")
    assert backup(meter.url, tmp_path / "b").imbalanced == (account,)
    restore(tmp_path / "b", empty_url)
    assert contents(empty_url) == contents(meter.url)


def test_the_audit_names_what_is_wrong(meter):
    account, key = meter.key(wallet=5)
    meter.charge(key, times=2)
    with meter.database.reading() as connection:
        clean = audit(connection)
    assert (clean.accounts, clean.entries, clean.is_clean) == (1, 4, True)
    with meter.database.writing() as connection:
        connection.exec_driver_sql(
            "INSERT INTO ledger (account_id, entry_no, at, kind, allotment, wallet, balance_after) "
            f"VALUES ({account}, 5, 0, 'grant', 0, 9, 1)"
        )
    with meter.database.reading() as connection:
        found = audit(connection)
    assert not found.is_clean
    assert [(wrong.account_id, wrong.wallet, wrong.wallet_entries) for wrong in found.imbalances] == [
        (account, 5, 14)
    ]
    assert [(wrong.entry_no, wrong.balance_after, wrong.entries_so_far) for wrong in found.wrong_entries] == [
        (5, 1, 1012)
    ]
