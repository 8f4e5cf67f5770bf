"""The README says what is true: its commands exist, its settings are the settings, its requests are answered."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.settings import BuildSettings
from legal_client.cli import main as legal
from legal_client.cli import parser as legal_parser
from pipelines.build import main as lawbuild
from serving.cli import main as lawctl
from serving.cli import parser
from serving.mcp.toolbox import TOOLS
from serving.payments.events import EVENT_TYPES
from serving.settings import TABLE, settings_table

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)\b", README)) - {"an"}
    assert {"run", "test", "snapshot", "serve", "dev", "bench", "help"} <= named
    assert named <= targets


def test_help_describes_every_target() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in ("run", "test", "snapshot", "serve", "dev", "bench", "lint"):
        assert re.search(rf"make {target} +\w", shown), target


def test_server_settings_are_all_there() -> None:
    assert settings_table().strip() in README


def test_build_settings_are_all_there() -> None:
    documented = set(re.findall(r"^\| `(LAW_[A-Z]+)` \| `\w+` \| Folder", README, re.MULTILINE))
    assert documented >= {f"LAW_{name.upper()}" for name in BuildSettings.__dataclass_fields__}


def test_paths_are_those_of_the_contract() -> None:
    contract = (ROOT / "serving" / "http" / "openapi.json").read_text(encoding="utf-8")
    for path in re.findall(r"^\| `(/api/v1/[a-z-]+)", README, re.MULTILINE):
        assert f'"{path}' in contract


def test_tools_of_the_mcp_server_are_all_there() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([\w.]+)` \| (\d)[^|]* \| (.+) \|$", README, re.MULTILINE)
    assert rows == [(tool.name, tool.aliases[0], str(tool.operation.cost), tool.summary) for tool in TOOLS]


def test_clients_of_the_mcp_server_are_configured_with_what_there_is() -> None:
    http, stdio = (
        json.loads(block)["mcpServers"]["law"]
        for block in re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    )
    assert http["url"].endswith("/mcp")
    assert re.search(rf"mcp add --transport http law {http['url']} ", README)
    assert (stdio["command"].split("/")[-1], stdio["args"]) == ("python", ["-m", "serving.mcp"])
    settings = {setting.variable for setting in TABLE} | {"LAW_KEY"}
    assert set(stdio["env"]) <= settings


def test_commands_of_the_operator_are_understood() -> None:
    lines = re.findall(r"^ *\.venv/bin/lawctl (.+)$", README, re.MULTILINE)
    assert len(lines) > 15
    for line in lines:
        assert parser().parse_args(shlex.split(line)).run


def test_commands_of_clients_are_understood() -> None:
    lines = re.findall(r"^legal (.+)$", README, re.MULTILINE)
    assert len(lines) >= 8
    for line in lines:
        assert legal_parser().parse_args(shlex.split(line)).run


def test_events_that_stripe_has_to_report_are_those_that_are_read() -> None:
    named = set(re.findall(r"`((?:checkout|charge|refund)\.[a-z_.]+)`", README))
    assert named == set(EVENT_TYPES)


@pytest.mark.parametrize("command", [lawbuild, lawctl, legal])
def test_commands_have_help(command: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        command(["--help"])
    assert stopped.value.code == 0
    assert "usage:" in capsys.readouterr().out
