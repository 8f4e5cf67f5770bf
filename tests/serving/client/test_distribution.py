"""The client as a distribution of its own: one top-level package, and httpx is all that it needs."""

import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BASE = ["httpx", "httpcore", "h11", "anyio", "sniffio", "idna", "certifi", "typing_extensions"]
ALONE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top in sys.stdlib_module_names or top in BASE or top == "legal_client":
            return None
        raise ModuleNotFoundError(f"{name} is not in a client's environment", name=name)

BASE = set(sys.argv[2:])
sys.meta_path.insert(0, Absent())
sys.path.insert(0, sys.argv[1])
import legal_client
from legal_client.cli import main
assert legal_client.__file__.startswith(sys.argv[1]), legal_client.__file__
assert main(["coverage", "--base-url", "http://127.0.0.1:1", "--wait", "0"]) == 6
installed = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - BASE
assert {name for name in installed if not name.startswith("_")} == {"legal_client"}, installed
print("alone")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the distribution from a copy of the room, so that nothing is left in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    room = folder / "room"
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "serving/client"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    for name in tracked:
        target = room / Path(name).relative_to("serving/client")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    building = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*building, "--disable-pip-version-check", "--wheel-dir", str(folder), str(room)],
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.e2e
def test_it_brings_one_package_and_asks_for_httpx_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (about,) = (name for name in names if name.endswith("METADATA"))
        metadata = message_from_bytes(archive.read(about))
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"legal_client"}
    assert "legal_client/py.typed" in names
    assert "legal_client/results/search.py" in names
    needed = metadata.get_all("Requires-Dist", [])
    assert [one.split(">")[0] for one in needed if "extra ==" not in one] == ["httpx"]
    assert [one.split(">")[0] for one in needed if "extra ==" in one] == ["cryptography"]


@pytest.mark.e2e
def test_it_works_where_nothing_else_is(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path), *BASE], capture_output=True, text=True, check=False
    )
    assert done.stdout == "alone\n", done.stderr
    assert "not reached" in done.stderr


def test_both_distributions_have_one_version() -> None:
    versions = {
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        for folder in (".", "serving/client")
    }
    assert len(versions) == 1
