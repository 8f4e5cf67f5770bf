"""Archives of publications: taken by the commit that has them, and refused where a source has something else."""

import hashlib
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.publications.__main__ import main
from tests.publications.archives import load_archives

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
TEXT = b"<law>\r\n\xff not UTF-8, and a carriage return that must stay\r\n</law>\n"
MAIN = "refs/heads/main"


class Publisher:
    """A public repository and a site, in folders."""

    def __init__(self, folder: Path) -> None:
        self.repository = folder / "law"
        self.site = folder / "site"
        self.repository.mkdir()
        self.site.mkdir()
        self.git("init", "--quiet", f"--initial-branch={MAIN.rpartition('/')[2]}")
        for setting in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
            self.git("config", setting, "true")

    @property
    def address(self) -> str:
        return self.repository.as_uri()

    def git(self, *arguments: str) -> str:
        # The publisher's own settings are of no account: neither this machine's nor the user's are read.
        environment = {
            "PATH": "/usr/bin:/bin",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_SYSTEM": "/dev/null",
        }
        for role in ("AUTHOR", "COMMITTER"):
            environment |= {f"GIT_{role}_NAME": "Publisher", f"GIT_{role}_EMAIL": "p@example.org"}
        command = ["git", "-C", str(self.repository), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def publish(self, files: dict[str, bytes]) -> str:
        for name, content in files.items():
            path = self.repository / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=An edition")
        return self.git("rev-parse", "HEAD")

    def id_of(self, path: str, commit: str = "HEAD") -> str:
        return self.git("rev-parse", f"{commit}:{path}")

    def offer(self, title: str, content: bytes) -> str:
        with zipfile.ZipFile(self.site / f"xml_{title}@1.zip", "w") as file:
            file.writestr(f"{title}.xml", content)
        return hashlib.sha256(content).hexdigest()


@pytest.fixture
def publisher(tmp_path: Path) -> Publisher:
    return Publisher(tmp_path)


def write_archives(folder: Path, *entries: str) -> Path:
    path = folder / "archives.toml"
    path.write_text("\n".join(entries))
    return path


def of_repository(address: str, objects: dict[str, str], name: str = "city-code") -> str:
    lines = [f'[[archive]]\nname = "{name}"\nwhat = "A code"\nlicence = "CC0"', "[[archive.repository]]"]
    lines += [f'address = "{address}"\nfolder = "city"']
    return "\n".join([*lines, *(f'objects."{path}" = "{wanted}"' for path, wanted in objects.items())])


def of_site(publisher: Publisher, files: dict[str, str]) -> str:
    address = f"{publisher.site.as_uri()}/xml_{{title}}@1.zip"
    lines = ['[[archive]]\nname = "titles"\nwhat = "Titles"\nlicence = "CC0"\n[archive.site]']
    lines += [f'address = "{address}"\nfolder = "titles/usc"']
    return "\n".join([*lines, *(f'files.{title} = "{sha256}"' for title, sha256 in files.items())])


def contents(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as file:
        return {member.name: file.extractfile(member).read() for member in file}  # type: ignore[union-attr]  # files alone


def test_an_older_edition_is_taken_byte_by_byte_and_its_commit_is_named(publisher, tmp_path, capsys):
    publisher.publish({"code/1.xml": b"first", "README.md": b"read me"})
    wanted = {"code/1.xml": TEXT, "code/deep/§ 2.xml": b"", ".gitattributes": b"*.xml text eol=lf\n"}
    for setting in ("core.autocrlf", "core.safecrlf"):
        publisher.git("config", setting, "false")
    (publisher.repository / ".git/info").mkdir(exist_ok=True)
    (publisher.repository / ".git/info/attributes").write_text("*.xml -text\n")
    commit = publisher.publish(wanted)
    objects = {"code": publisher.id_of("code"), "README.md": publisher.id_of("README.md")}
    publisher.publish({"code/1.xml": b"third"})
    archives = write_archives(tmp_path, of_repository(publisher.address, objects))
    assert main([str(tmp_path / "data"), "--archives", str(archives)]) == 0
    assert contents(tmp_path / "data/city-code.tar.xz") == {
        "city/code/1.xml": TEXT,
        "city/code/deep/§ 2.xml": b"",
        "city/README.md": b"read me",
    }
    assert f"city-code: code of {publisher.address} at {commit}" in capsys.readouterr().out


def test_an_edition_on_another_branch_is_found(publisher, tmp_path):
    publisher.publish({"code/1.xml": b"first"})
    publisher.git("switch", "--quiet", "--create", "publication/2026-01-01")
    publisher.publish({"code/1.xml": b"second"})
    objects = {"code": publisher.id_of("code")}
    publisher.git("switch", "--quiet", "main")
    archives = write_archives(tmp_path, of_repository(publisher.address, objects))
    assert main([str(tmp_path / "data"), "--archives", str(archives)]) == 0
    assert contents(tmp_path / "data/city-code.tar.xz") == {"city/code/1.xml": b"second"}


def test_what_no_commit_has_is_refused_and_the_other_archives_are_taken(publisher, tmp_path, capsys):
    publisher.publish({"code/1.xml": b"first", "other/1.xml": b"other"})
    never = publisher.id_of("other")
    archives = write_archives(
        tmp_path,
        of_repository(publisher.address, {"code": never}, "wrong"),
        of_repository((tmp_path / "nowhere").as_uri(), {"code": never}, "gone"),
        of_site(publisher, {"usc01": publisher.offer("usc01", TEXT)}),
    )
    folder = tmp_path / "data"
    assert main([str(folder), "--archives", str(archives)]) == 1
    said = capsys.readouterr().err
    assert f"wrong: none of 1 commits has code as the tests were written from ({never})" in said
    assert "gone: git clone" in said
    assert [path.name for path in folder.iterdir()] == ["titles.tar.xz"]
    assert contents(folder / "titles.tar.xz") == {"titles/usc/usc01.xml": TEXT}


def test_a_file_of_a_site_that_is_another_one_is_refused(publisher, tmp_path, capsys):
    right = publisher.offer("usc01", TEXT)
    publisher.offer("usc02", b"amended since")
    archives = write_archives(tmp_path, of_site(publisher, {"usc01": right, "usc02": right}))
    assert main([str(tmp_path / "data"), "--archives", str(archives)]) == 1
    assert "xml_usc02@1.zip is not the file that the tests were written from" in capsys.readouterr().err
    assert list((tmp_path / "data").iterdir()) == []


def test_a_file_that_a_site_lacks_is_refused(publisher, tmp_path, capsys):
    archives = write_archives(tmp_path, of_site(publisher, {"usc01": "0" * 64}))
    assert main([str(tmp_path / "data"), "--archives", str(archives)]) == 1
    assert "titles: file://" in capsys.readouterr().err


def test_an_archive_that_is_there_is_left_alone(publisher, tmp_path, capsys):
    archives = write_archives(tmp_path, of_site(publisher, {"usc01": "0" * 64}))
    there = tmp_path / "data" / "titles.tar.xz"
    there.parent.mkdir()
    there.write_bytes(b"as it was")
    assert main([str(there.parent), "--archives", str(archives)]) == 0
    assert (there.read_bytes(), capsys.readouterr().out) == (b"as it was", "titles: is there\n")


def test_a_name_that_is_no_archive_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--only", "us-usc"])
    assert "no archive us-usc; there are dc-code-2024-10-20, " in capsys.readouterr().err


def test_every_archive_says_what_it_is_and_where_it_is_from():
    for archive in load_archives(HERE / "archives.toml"):
        assert archive.what
        assert archive.licence
        addresses = [source.address for source in (*archive.repository, archive.site) if source is not None]
        assert addresses
        assert all(address.startswith("https://") for address in addresses)


def test_the_command_runs_by_itself():
    command = [sys.executable, "-m", "tests.publications", "--help"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert "--only NAME" in done.stdout
