"""Connector `taf` against a publisher's own layout: what it takes, and all that it refuses."""

import json
import random
import tarfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import Root

from assets.connectors.errors import FetchError, PassingError, SignatureRefusedError
from assets.connectors.fetching import connector_of, fetch_newest
from assets.connectors.records import Downloaded
from assets.connectors.release import Connector, Fetched
from assets.connectors.session import Bounds, Session
from assets.registry import ConnectorEntry
from tests.assets.connectors.conftest import Watch
from tests.assets.connectors.taf_publisher import (
    LAW,
    TARGET,
    Authentication,
    GitHost,
    Handler,
    Repository,
    copied,
    git,
    hosting,
)

Change = Callable[[Authentication], None]


class Publisher:
    """The two repositories of a publisher, and where they are."""

    def __init__(self, host: GitHost) -> None:
        self.host = host
        self.law = Repository(host.folder / "law-xml")
        self.law.put("index.xml", b"<code/>\n")
        self.first = self.law.commit()
        self.signed = Authentication(host.folder / "law")
        self.signed.publish(self.first)

    def amend(self) -> str:
        """Commit new law, which is not signed yet."""
        self.law.put("index.xml", f"<code>{self.law.folder.stat().st_mtime_ns}</code>\n".encode())
        return self.law.commit()

    def connector(self, session: Session, *, megabytes: int = 50, **signed_by: Any) -> Connector:
        entry = {
            "kind": "taf",
            "authentication": f"{self.host.address}/law/.git",
            "repository": f"{self.host.address}/law-xml/.git",
            "megabytes": megabytes,
            "signed_by": {"target": TARGET, "root": self.signed.pin, **signed_by},
        }
        return connector_of("toy-code", ConnectorEntry.from_dict(entry), session)


@pytest.fixture
def session(watch: Watch) -> Iterator[Session]:
    """A session that waits for git's own server, which starts a process for each request."""
    with Session(Bounds(silence=60, pause=0), clock=watch.clock, sleep=watch.sleep) as opened:
        yield opened


@pytest.fixture
def publisher(tmp_path: Path) -> Iterator[Publisher]:
    with hosting(tmp_path / "host") as host:
        yield Publisher(host)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "downloads"


def fetch(one: Connector, folder: Path) -> Fetched:
    return fetch_newest(one, folder, lambda _, __: None)


def packed(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as archive:
        files = {member.name: archive.extractfile(member) for member in archive if member.isreg()}
        return {name.partition("/")[2]: file.read() for name, file in files.items() if file is not None}


def kept(folder: Path) -> list[str]:
    """Return what is in the folder, but for what was accepted of signatures."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith(".accepted-"))


def refused(publisher: Publisher, session: Session, folder: Path, match: str) -> None:
    """Refuse what is published now, and leave the folder as it was."""
    before = kept(folder) if folder.exists() else []
    with pytest.raises(SignatureRefusedError, match=match):
        fetch(publisher.connector(session), folder)
    assert kept(folder) == before


# what is good


def test_the_signed_commit_comes_and_says_who_signed_it(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    publisher.amend()  # the branch is ahead of what is signed
    fetched = fetch(publisher.connector(session), folder)
    assert (fetched.release.name, fetched.release.date) == (publisher.first, "2026-06-16")
    assert packed(fetched.path) == {"index.xml": b"<code/>\n"}
    assert kept(folder) == [
        f".toy-code-{publisher.first}.tar.gz.json",
        f"toy-code-{publisher.first}.tar.gz",
    ]
    (done,) = fetched.files
    assert done.signed is not None
    signed = {role.name: role for role in done.signed.roles}
    assert list(signed) == ["root", "law", "snapshot", "targets", "timestamp"]
    ours = publisher.signed
    assert set(signed["root"].keys) == {signer.public_key.keyid for signer in ours.roots[:2]}
    assert signed[LAW].keys == (ours.law.public_key.keyid,)
    assert signed["timestamp"].keys == (ours.online.public_key.keyid,)
    assert done.signed.commit == git(ours.repository.folder, "rev-parse", "HEAD")
    record = json.loads((folder / f".toy-code-{publisher.first}.tar.gz.json").read_bytes())
    assert Downloaded.from_dict(record) == done


def test_what_is_there_is_not_fetched_again_and_an_older_release_goes(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    first = fetch(publisher.connector(session), folder)
    publisher.host.asked.clear()
    assert fetch(publisher.connector(session), folder) == first
    assert not [asked for asked in publisher.host.asked if "law-xml" in asked]
    second = publisher.amend()
    publisher.signed.publish(second)
    assert fetch(publisher.connector(session), folder).release.name == second
    assert kept(folder) == [f".toy-code-{second}.tar.gz.json", f"toy-code-{second}.tar.gz"]


def test_a_root_that_its_predecessor_signed_is_followed(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    fetch(publisher.connector(session), folder)
    pin = publisher.signed.pin
    rotate(publisher.signed, signers=(0, 1))
    second = publisher.amend()
    publisher.signed.publish(second)
    one = publisher.connector(session, root=pin)
    assert fetch(one, folder).release.name == second
    fresh = fetch(one, folder.with_name("elsewhere"))
    assert fresh.files[0].signed is not None
    assert fresh.files[0].signed.roles[0].version == 2


def rotate(signed: Authentication, signers: tuple[int, ...]) -> None:
    """Put a new key in the place of the first, and sign with it and with some of those before."""
    new = CryptoSigner.generate_ed25519()
    signed.root.revoke_key(signed.roots[0].public_key.keyid, Root.type)
    signed.root.add_key(new.public_key, Root.type)
    signed.root.version += 1
    signed.write_root(new, *[signed.roots[index] for index in signers])


# what is refused


def unsigned_law(signed: Authentication) -> None:
    signed.write(law=CryptoSigner.generate_ed25519())


def too_few_roots(signed: Authentication) -> None:
    rotate(signed, signers=(1,))
    signed.write()


def changed_target(signed: Authentication) -> None:
    path = signed.repository.folder / "targets" / TARGET
    path.write_bytes(path.read_bytes().replace(b"publication", b"Publication"))


def changed_snapshot(signed: Authentication) -> None:
    path = signed.repository.folder / "metadata/snapshot.json"
    path.write_bytes(path.read_bytes() + b"\n")


def unlisted(signed: Authentication) -> None:
    signed.listed("toytown/law-html")
    signed.write()


def unnamed(signed: Authentication) -> None:
    del signed.laws.targets[TARGET]
    signed.write()


def no_commit(signed: Authentication) -> None:
    signed.name("main")
    signed.write()


def expired(signed: Authentication) -> None:
    signed.timestamp.expires = (datetime.now(UTC) - timedelta(days=2)).replace(microsecond=0)
    signed.write()


def without(path: str) -> Change:
    return lambda signed: (signed.repository.folder / path).unlink()


def no_metadata(signed: Authentication) -> None:
    signed.repository.put("metadata/timestamp.json", b"<html>")


REFUSED: dict[str, tuple[Change, str]] = {
    "wrong key": (unsigned_law, "too few of the keys .*law was signed by 0/1 keys"),
    "threshold of the root missed": (too_few_roots, "too few of the keys .*root was signed by 1/2 keys"),
    "target changed after signing": (
        changed_target,
        "targets/toytown/law-xml is not the file that was signed",
    ),
    "snapshot changed after signing": (changed_snapshot, "not the one that was signed"),
    "not listed": (unlisted, "repositories.json does not list toytown/law-xml"),
    "not among the targets": (unnamed, "toytown/law-xml is signed by nobody"),
    "no commit": (no_commit, "toytown/law-xml names no commit"),
    "expired": (expired, "has expired metadata.*expired_days.*timestamp"),
    "no timestamp": (without("metadata/timestamp.json"), "lacks a file .*metadata/timestamp.json is missing"),
    "no delegated role": (without("metadata/law.json"), "lacks a file .*metadata/law.json is missing"),
    "no target": (without(f"targets/{TARGET}"), "toytown/law-xml is missing, though it is signed"),
    "no metadata": (no_metadata, "cannot be read"),
}


@pytest.mark.parametrize("accepted_before", [False, True])
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_signed_as_it_should_be_is_refused(
    publisher: Publisher, session: Session, folder: Path, case: str, accepted_before: bool
) -> None:
    change, match = REFUSED[case]
    if accepted_before:
        fetch(publisher.connector(session), folder)
        publisher.signed.publish(publisher.amend())
    change(publisher.signed)
    publisher.signed.repository.commit()
    refused(publisher, session, folder, match)
    with pytest.raises(SignatureRefusedError, match=match):
        publisher.connector(session).releases()


def test_a_root_that_is_not_the_pinned_one_is_refused(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    with pytest.raises(SignatureRefusedError, match="no root in metadata/ has the SHA-256 0000"):
        fetch(publisher.connector(session, root="0" * 64), folder)


def test_a_root_without_the_one_between_is_refused(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    rotate(publisher.signed, signers=(0, 1))
    publisher.signed.publish(publisher.first)
    (publisher.signed.repository.folder / "metadata/2.root.json").unlink()
    publisher.signed.repository.commit()
    refused(publisher, session, folder, "root.json is not root 1, the last of those that sign each other")


def test_an_expired_role_is_taken_where_the_registry_says_for_how_long_and_the_record_names_it(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    expired(publisher.signed)
    publisher.signed.repository.commit()
    with pytest.raises(SignatureRefusedError, match="expired"):
        fetch(publisher.connector(session, expired_days=1), folder)
    (done,) = fetch(publisher.connector(session, expired_days=3), folder).files
    assert done.signed is not None
    assert done.signed.described(done.retrieved_at).endswith("; taken though expired: timestamp")


# what was accepted before


def test_metadata_older_than_those_accepted_are_refused(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    publisher.signed.publish(publisher.amend())
    fetch(publisher.connector(session), folder)
    git(publisher.signed.repository.folder, "reset", "--quiet", "--hard", "HEAD~1")
    refused(publisher, session, folder, "of another version than was accepted before")
    # Who begins anew, with the root alone, cannot know.
    assert fetch(publisher.connector(session), folder.with_name("elsewhere")).release.name == publisher.first


def test_an_older_root_is_refused(publisher: Publisher, session: Session, folder: Path) -> None:
    before = copied(publisher.signed.repository, publisher.host.folder / "before")
    pin = publisher.signed.pin
    rotate(publisher.signed, signers=(0, 1))
    publisher.signed.repository.commit()
    fetch(publisher.connector(session, root=pin), folder)
    publisher.signed.repository.folder.rename(publisher.host.folder / "aside")
    before.folder.rename(publisher.host.folder / "law")
    refused(publisher, session, folder, "root.json is not root 2")


def test_an_accepted_version_with_other_content_is_refused(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    fetch(publisher.connector(session), folder)
    publisher.signed.timestamp.expires += timedelta(days=1)
    publisher.signed.write_timestamp()
    publisher.signed.repository.commit()
    refused(publisher, session, folder, "timestamp.json was accepted in version 2 with other content")


def test_what_was_refused_is_not_remembered(publisher: Publisher, session: Session, folder: Path) -> None:
    fetch(publisher.connector(session), folder)
    good = git(publisher.signed.repository.folder, "rev-parse", "HEAD")
    publisher.signed.name(publisher.amend())
    publisher.signed.write(law=CryptoSigner.generate_ed25519())
    publisher.signed.repository.commit()
    refused(publisher, session, folder, "too few of the keys")
    git(publisher.signed.repository.folder, "reset", "--quiet", "--hard", good)
    assert fetch(publisher.connector(session), folder).release.name == publisher.first


# the bytes of the commit


def test_files_come_as_they_were_committed_whatever_their_attributes_say(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    files = {
        ".gitattributes": b"*.xml export-subst\nhidden.xml export-ignore\nnotes export-ignore\n* text eol=crlf\n",
        "index.xml": b"<code>$Format:%H$</code>\n",
        "hidden.xml": b"<hidden/>\n",
        "notes/1.xml": b"<note/>\r\n",
        "names/§ 1.xml": "<sign>§</sign>\n".encode(),
    }
    for path, content in files.items():
        publisher.law.put(path, content)
    (publisher.law.folder / "link.xml").symlink_to("index.xml")
    git(publisher.law.folder, "-c", "core.autocrlf=false", "add", "--all")
    publisher.signed.publish(publisher.law.commit())
    fetched = fetch(publisher.connector(session), folder)
    committed = git(publisher.law.folder, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")
    blobs = {
        path: git(publisher.law.folder, "rev-parse", f"HEAD:{path}") for path in committed if path in files
    }
    out = packed(fetched.path)
    assert set(out) == set(files)
    for path, content in out.items():
        (publisher.host.folder / "blob").write_bytes(content)
        blob = git(publisher.host.folder, "hash-object", "--no-filters", str(publisher.host.folder / "blob"))
        assert blob == blobs[path], path
    with tarfile.open(fetched.path) as archive:
        links = [member.linkname for member in archive if member.issym()]
    assert links == ["index.xml"]


def of_the_law(handler: Handler, body: bytes) -> bool:
    return "/law-xml/" in handler.path and b"command=fetch" in body


def one_byte_changed(handler: Handler, body: bytes) -> bool:
    if not of_the_law(handler, body):
        return False
    status, headers, content = handler.served(handler.path, body)
    assert b"PACK" in content
    place = content.index(b"PACK") + 20
    changed = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
    handler.reply(status, headers, changed)
    return True


def broken_off(handler: Handler, body: bytes) -> bool:
    if not of_the_law(handler, body):
        return False
    status, headers, content = handler.served(handler.path, body)
    handler.reply(status, headers, content[: len(content) // 2], length=len(content))
    return True


def test_a_changed_byte_is_refused(publisher: Publisher, session: Session, folder: Path) -> None:
    publisher.host.answer = one_byte_changed
    with pytest.raises(FetchError, match=f"does not give commit {publisher.first} as it is"):
        fetch(publisher.connector(session), folder)
    assert kept(folder) == []


def test_a_sound_pack_of_other_law_is_refused(publisher: Publisher, session: Session, folder: Path) -> None:
    forged = copied(publisher.law, publisher.host.folder / "forged")
    forged.put("index.xml", b"<forged/>\n")
    name = forged.commit()

    def other_law(handler: Handler, body: bytes) -> bool:
        if not of_the_law(handler, body):
            return False
        asked = body.replace(publisher.first.encode(), name.encode())
        handler.reply(*handler.served(handler.path.replace("/law-xml/", "/forged/"), asked))
        return True

    publisher.host.answer = other_law
    with pytest.raises(FetchError, match=f"does not give commit {publisher.first} as it is"):
        fetch(publisher.connector(session), folder)
    assert kept(folder) == []


def test_a_signed_commit_that_is_not_there_is_refused(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    publisher.signed.publish("0123456789" * 4)
    with pytest.raises(FetchError, match="does not give commit 0123456789"):
        fetch(publisher.connector(session), folder)
    assert kept(folder) == []


def test_a_broken_connection_is_tried_again_and_leaves_nothing(
    publisher: Publisher, session: Session, folder: Path
) -> None:
    publisher.host.answer = broken_off
    with pytest.raises(PassingError, match="broke off"):
        fetch(publisher.connector(session), folder)
    asked = [path for path in publisher.host.asked if path.startswith("POST /law-xml/")]
    assert len(asked) >= session.patience.attempts
    assert kept(folder) == []
    publisher.host.answer = None
    assert fetch(publisher.connector(session), folder).path.is_file()


def test_a_release_above_its_bound_is_refused(publisher: Publisher, session: Session, folder: Path) -> None:
    publisher.law.put("large.bin", random.Random(7).randbytes(1_100_000))
    publisher.signed.publish(publisher.law.commit())
    with pytest.raises(FetchError, match="at most 1,000,000 are taken"):
        fetch(publisher.connector(session, megabytes=1), folder)
    assert kept(folder) == []
