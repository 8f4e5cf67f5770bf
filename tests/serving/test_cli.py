"""`lawctl`: clear messages, output for people and for programs, and exit statuses that scripts can trust."""

import json
import re
import shutil
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from serving.cli import main

SNAPSHOT = "2026.11.21-1"


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch, snapshots_folder, tmp_path):
    monkeypatch.setenv("LAW_SNAPSHOTS", str(snapshots_folder))
    monkeypatch.setenv("LAW_DATABASE_URL", f"sqlite:///{tmp_path / 'accounts.sqlite'}")


@pytest.fixture
def damaged(snapshots_folder, tmp_path):
    folder = tmp_path / "snapshots"
    shutil.copytree(snapshots_folder, folder)
    return folder


def test_list_marks_the_snapshot_in_service(capsys):
    assert main(["snapshot", "list"]) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"* {SNAPSHOT}  2026-11-21T00:00:00Z")
    assert "us-sample" in line


def test_list_as_json(capsys):
    assert main(["snapshot", "list", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["id"], entry["current"]) == (SNAPSHOT, True)


def test_list_of_an_empty_folder_is_no_error(capsys, tmp_path):
    assert main(["snapshot", "list", "--snapshots", str(tmp_path)]) == 0
    assert "No snapshot" in capsys.readouterr().out
    assert main(["snapshot", "list", "--json", "--snapshots", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_show_says_what_it_holds(capsys):
    assert main(["snapshot", "show"]) == 0
    out = capsys.readouterr().out
    assert f"{SNAPSHOT} (in service)" in out
    assert "all-MiniLM-L6-v2" in out
    assert "3 zones  linked, map of 2024-05-01, law through 2026-10-31" in out
    assert "2 zones  pending, not the newest, map of 2024-05-01, law through no date" in out
    assert main(["snapshot", "show", SNAPSHOT, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == SNAPSHOT


@pytest.mark.parametrize("verb", ["show", "verify"])
def test_unknown_snapshot_names_those_that_are_there(capsys, verb):
    assert main(["snapshot", verb, "2020.01.01-1"]) == 1
    assert SNAPSHOT in capsys.readouterr().err


def test_verify_passes_a_sound_snapshot(capsys):
    assert main(["snapshot", "verify"]) == 0
    assert "as they were published" in capsys.readouterr().out


def test_verify_names_every_file_that_differs(capsys, damaged):
    folder = damaged / SNAPSHOT
    nodes = bytearray((folder / "nodes.arrow").read_bytes())
    nodes[len(nodes) // 2] ^= 1
    (folder / "nodes.arrow").write_bytes(nodes)
    (folder / "static" / "coverage.json").unlink()
    (folder / "stray.txt").write_text("?", encoding="utf-8")
    with (folder / "browse.arrow").open("ab") as file:
        file.write(b"x")
    assert main(["snapshot", "verify", "--json", "--snapshots", str(damaged)]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    named = sorted(problem.partition(":")[0] for problem in problems)
    assert named == ["browse.arrow", "nodes.arrow", "static/coverage.json", "stray.txt"]


def test_list_and_show_tell_damage_until_it_is_mended(capsys, damaged):
    folder = ["--snapshots", str(damaged)]
    path = damaged / SNAPSHOT / "nodes.arrow"
    sound = path.read_bytes()
    path.write_bytes(sound[:-1])
    assert main(["snapshot", "verify", *folder]) == 1
    capsys.readouterr()
    assert main(["snapshot", "list", *folder]) == 0
    assert "damaged: nodes.arrow: has" in capsys.readouterr().out
    assert main(["snapshot", "show", *folder]) == 0
    out = capsys.readouterr().out
    assert "(out of service)" in out
    assert re.search(r"inspected  \S+Z  damaged: nodes\.arrow: has", out)
    path.write_bytes(sound)
    assert main(["snapshot", "verify", *folder]) == 0
    assert main(["snapshot", "show", *folder]) == 0
    out = capsys.readouterr().out
    assert "(in service)" in out
    assert "every file as it was published" in out
    (damaged / SNAPSHOT / "manifest.json").write_text("{")
    assert main(["snapshot", "list", "--json", *folder]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert entry["damage"].startswith("manifest.json: is not JSON")


def test_verify_notices_a_changed_manifest(capsys, damaged):
    path = damaged / SNAPSHOT / "manifest.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"rooted": true', '"rooted": false', 1), encoding="utf-8"
    )
    assert main(["snapshot", "verify", "--snapshots", str(damaged)]) == 1
    assert capsys.readouterr().out


def test_serve_without_a_snapshot_says_what_to_do(capsys, tmp_path):
    assert main(["serve", "--snapshots", str(tmp_path)]) == 1
    assert "make snapshot" in capsys.readouterr().err


def test_serve_on_a_port_in_use_says_so(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    error = capsys.readouterr().err
    assert str(port) in error
    assert "in use" in error


@pytest.mark.parametrize(
    "arguments", [["serve", "--port", "0"], ["serve", "--workers", "-1"], ["serve", "--host", "a b"]]
)
def test_bad_option_is_refused_like_the_setting(capsys, arguments):
    assert main(arguments) == 1
    assert "accepted is" in capsys.readouterr().err


def test_bad_setting_is_refused(capsys, monkeypatch):
    monkeypatch.setenv("LAW_POLL_SECONDS", "soon")
    assert main(["snapshot", "list"]) == 1
    assert "LAW_POLL_SECONDS" in capsys.readouterr().err


COMMANDS = {
    "serve": [],
    "snapshot": ["list", "show", "verify"],
    "accounts": ["create", "list", "show", "set-password"],
    "keys": ["create", "list", "revoke"],
    "credits": ["grant", "purchases", "packs"],
    "orders": ["create", "advance", "cancel", "show", "list"],
    "reports": ["list", "show", "close"],
    "ledger": ["show", "check"],
    "store": ["migrate", "status", "backup", "restore"],
}


@pytest.mark.parametrize(
    "command",
    [
        [],
        *([noun] for noun in COMMANDS),
        *([noun, verb] for noun, verbs in COMMANDS.items() for verb in verbs),
    ],
    ids=" ".join,
)
def test_every_command_has_help(capsys, command):
    with pytest.raises(SystemExit) as caught:
        main([*command, "--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: {' '.join(['lawctl', *command])}")
    assert ". " in text or ".\n" in text
    assert ("--json" in text) == (len(command) == 2)


def test_commands_are_named_in_the_help(capsys):
    for noun, verbs in {"": list(COMMANDS), **COMMANDS}.items():
        if verbs:
            with pytest.raises(SystemExit):
                main([*filter(None, [noun]), "--help"])
            text = capsys.readouterr().out
            assert [verb for verb in verbs if not re.search(rf"\n    {verb}\s", text)] == []


def test_the_command_itself_runs(tmp_path):
    """Installed, in a process of its own, from any folder."""
    lawctl = Path(sys.executable).with_name("lawctl")
    done = subprocess.run(
        [lawctl, "accounts", "list"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("ID  EMAIL")
    assert (tmp_path / "accounts.sqlite").exists()
    done = subprocess.run(
        [lawctl, "accounts", "show", "9"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "lawctl: There is no account 9.\n")


def test_a_reader_that_leaves_early_is_no_crash(tmp_path):
    lawctl = Path(sys.executable).with_name("lawctl")
    shell = f"{lawctl} credits packs --json | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1)
    assert done.stderr == ""


@pytest.mark.parametrize("command", [[], ["fly"], ["snapshot"], ["snapshot", "drop"]])
def test_misuse_is_status_2(capsys, command):
    with pytest.raises(SystemExit) as caught:
        main(command)
    assert caught.value.code == 2
    assert "usage: lawctl" in capsys.readouterr().err


def test_snapshots_are_promoted_rolled_back_pinned_and_removed(capsys, damaged):
    older = "2026.11.20-1"
    shutil.copytree(damaged / SNAPSHOT, damaged / older)
    folder = ["--snapshots", str(damaged)]

    def run(*arguments: str) -> tuple[int, str]:
        status = main(["snapshot", *arguments, *folder])
        return status, capsys.readouterr().out

    assert run("rollback") == (0, f"{older} is in service; before: {SNAPSHOT}.\n")
    assert json.loads(run("promote", SNAPSHOT, "--json")[1]) == {"before": older, "current": SNAPSHOT}
    assert run("pin", older, "--reason", "cited in a brief")[0] == 0
    assert f"  {older}" in run("list")[1]
    assert json.loads(run("list", "--json")[1])[0]["pinned"] == "cited in a brief"
    assert run("prune", "--keep", "1") == (0, "Nothing to remove.\n")
    assert run("unpin", older) == (0, f"{older} is no longer pinned.\n")
    assert run("prune", "--keep", "1", "--dry-run") == (0, f"Would remove {older}.\n")
    assert json.loads(run("prune", "--keep", "1", "--json")[1]) == {"removed": [older], "dryRun": False}
    assert not (damaged / older).exists()


def test_rollback_without_an_older_snapshot_says_so(capsys):
    assert main(["snapshot", "rollback"]) == 1
    assert f"No retained snapshot is older than {SNAPSHOT}." in capsys.readouterr().err


def test_show_has_the_numbers_of_the_changes_though_the_snapshot_before_is_gone(
    capsys, changed_folder, tmp_path
):
    shutil.copytree(changed_folder, tmp_path / "kept")
    shutil.rmtree(tmp_path / "kept" / "2026.11.21-1")
    folder = ["--snapshots", str(tmp_path / "kept")]
    assert main(["snapshot", "show", *folder]) == 0
    assert capsys.readouterr().out.splitlines()[-4:] == [
        "changes    from 2026.11.21-1",
        "  Sample State Code: nothing changed",
        "    Title 3 is kept from an earlier edition: nothing is known of its changes",
        "  Sample Federal Code: 1 status, 1 amended",
    ]
    assert main(["snapshot", "show", "2026.11.20-1", *folder]) == 0
    assert capsys.readouterr().out.endswith("changes    none are known: first_snapshot\n")
    assert main(["snapshot", "show", "--json", *folder]) == 0
    assert json.loads(capsys.readouterr().out)["changes"]["from"]["id"] == "2026.11.21-1"


def test_retention_by_any_age_is_understood(capsys):
    assert main(["snapshot", "prune", "--keep", "1", "--days", "999999999999", "--dry-run"]) == 0
    assert capsys.readouterr().out == "Nothing to remove.\n"


def test_diff_says_what_changed(capsys, changed_folder):
    folder = ["--snapshots", str(changed_folder)]
    assert main(["snapshot", "diff", "2026.11.20-1", "2026.11.22-1", *folder]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "Sample State Code: 1 added",
        "  Title 3 is kept from an earlier edition: nothing is known of its changes",
        "  added       all of it, 1 provisions",
        "Sample Federal Code: 1 status, 1 amended",
        "  amended     1 S.F.C. § 1 Dues (text, sourceCredit)",
        "  status      1 S.F.C. § 2 Lights (heading, text, status)",
    ]
    only = ["--code-body", "us-sample", "--kind", "amended", "--json"]
    assert main(["snapshot", "diff", "2026.11.20-1", "2026.11.22-1", *only, *folder]) == 0
    (body,) = json.loads(capsys.readouterr().out)["codeBodies"]
    assert (body["counts"], body["total"]) == ({"status": 1, "amended": 1}, 1)
    unknown = ["--code-body", "us-sampel"]
    assert main(["snapshot", "diff", "2026.11.20-1", "2026.11.22-1", *unknown, *folder]) == 1
    assert "Neither snapshot has us-sampel; they have sample-code, us-sample." in capsys.readouterr().err
    assert main(["snapshot", "diff", "2026.11.01-1", "2026.11.22-1", *folder]) == 1
    assert "2026.11.20-1" in capsys.readouterr().err


def test_version_is_told(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"lawctl {version('legal-research-api')}\n")
