"""`lawctl mirror`: what it prints, and what it says where something is missing."""

import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

from serving.cli import main
from tests.serving.commands.conftest import Ran

WITHOUT = """
import sys
sys.modules["tuf"] = None
from serving.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_without_the_extra_it_says_what_to_install(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, "mirror", "pull", str(tmp_path), "--root", str(tmp_path / "root.json")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "pip install 'legal-research-api[mirror]'" in done.stderr


@pytest.mark.skipif(find_spec("tuf") is None, reason="the extra `mirror` is not installed: NOT tried")
def test_it_tells_programs_what_it_did(snapshots_folder, tmp_path, monkeypatch, capsys):
    def lawctl(*words: str) -> Ran:
        return Ran(main(list(words)), *capsys.readouterr())

    monkeypatch.chdir(tmp_path)
    shutil.copytree(snapshots_folder, "snapshots")
    keys = [lawctl("mirror", "key", name, "--json").json for name in ("root.key", "mirror.key")]
    assert keys[0]["file"] == "root.key"
    assert keys[0]["keyId"] != keys[1]["keyId"]
    publish = ("mirror", "publish", "mirror", "--snapshots", "snapshots", "--json")
    assert "LAW_MIRROR_KEY names no key" in lawctl(*publish).err
    monkeypatch.setenv("LAW_MIRROR_KEY", "mirror.key")
    assert "`lawctl mirror root` begins a mirror" in lawctl(*publish).err
    assert lawctl("mirror", "root", "mirror", "--root-key", "root.key", "--json").json == {"version": 1}
    mirrored = lawctl(*publish).json
    assert mirrored["added"] == mirrored["files"] > 20
    pull = ("mirror", "pull", "mirror", "--root", "mirror/metadata/root.json", "--snapshots", "host")
    first = lawctl(*pull, "--json").json
    assert (first["before"], first["current"], first["removed"]) == (None, mirrored["snapshot"], [])
    assert f"{mirrored['snapshot']} is in service still" in lawctl(*pull).out
    assert lawctl("snapshot", "verify", "--snapshots", "host").status == 0
    assert "root.json" in lawctl(*pull[:3], "--root", "no/root.json").err
