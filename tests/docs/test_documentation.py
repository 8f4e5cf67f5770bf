"""The documentation says what is true: its commands exist, its settings are the settings, its links lead somewhere."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable

import pytest
import yaml

from assets.settings import BuildSettings
from legal_client.cli import main as legal
from legal_client.cli import parser as legal_parser
from pipelines.build import main as lawbuild
from serving.cli import main as lawctl
from serving.cli import parser
from serving.mcp.toolbox import TOOLS
from serving.payments.events import EVENT_TYPES
from serving.settings.table import TABLE, settings_table
from tests.docs.pages import PAGES, ROOT, blocks, commands

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
LINES = [(page, line) for page, text in PAGES.items() for line in commands(text)]
PROGRAMS = {
    *("make", "export", "curl", "claude", "legal", "docker"),
    *("cp", "df", "journalctl", "kubectl", "systemctl"),
    *(".venv/bin/lawctl", ".venv/bin/lawbuild", ".venv/bin/pip", "pip", "python3.11"),
    *(".venv/bin/python", ".venv/bin/ray"),
}


def test_the_readme_is_short_enough_for_a_newcomer() -> None:
    assert len(PAGES["README.md"].splitlines()) <= 120


def test_make_targets_exist() -> None:
    for page, text in PAGES.items():
        assert set(re.findall(r"`make ([a-z-]+)\b", text)) <= TARGETS, page
        named = {line.split()[1] for line in commands(text) if line.startswith("make ")}
        assert named <= TARGETS, page


def test_help_describes_every_target() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in TARGETS:
        assert re.search(rf"make {target} +\w", shown), target


def test_programs_in_examples_are_known() -> None:
    programs = {
        next(word for word in shlex.split(line) if not re.match(r"[A-Z_]+=", word)) for _, line in LINES
    }
    assert programs <= PROGRAMS


def test_links_lead_to_pages_and_headings() -> None:
    links = 0
    for page, text in PAGES.items():
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)", text):
            path = (ROOT / page).parent / target if target else ROOT / page
            assert path.exists(), f"{page}: {target}"
            if anchor:
                headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
                slugs = {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}
                assert anchor in slugs, f"{page}: {target}#{anchor}"
            links += 1
    assert links > 15


def test_every_page_is_in_the_contents_of_the_guide() -> None:
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    named = re.findall(r"([\w/-]+\.md)$", contents, re.MULTILINE)
    pages = [page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")]
    assert len(pages) > 10
    assert sorted(named) == sorted(pages)


def test_files_that_pages_name_are_there() -> None:
    named = {
        (page, path)
        for page, text in PAGES.items()
        for path in re.findall(r"`((?:assets|datasets|deploy|pipelines|serving|tests)/[\w./]+)`", text)
    }
    assert len(named) > 30
    assert not [
        f"{page}: {path}" for page, path in sorted(named) if "NAME" not in path and not (ROOT / path).exists()
    ]


def test_server_settings_are_all_there() -> None:
    assert settings_table().strip() in PAGES["docs/operate.md"]


def test_build_settings_are_all_there() -> None:
    page = PAGES["docs/data-engineers.md"]
    documented = set(
        re.findall(r"^\| `((?:LAW|ENCODE)_[A-Z]+(?:_[A-Z]+)*)` \| [^|]+ \| [A-Z]", page, re.MULTILINE)
    )
    read = set(re.findall(r"`((?:LAW|ENCODE)_[A-Z]+(?:_[A-Z]+)*)`:", str(BuildSettings.__doc__)))
    assert len(read) == len(BuildSettings.__dataclass_fields__)
    assert documented >= read


def test_paths_are_those_of_the_contract() -> None:
    contract = (ROOT / "serving" / "api" / "openapi.json").read_text(encoding="utf-8")
    paths = re.findall(r"^\| `(/api/v1/[a-z-]+)", PAGES["docs/api.md"], re.MULTILINE)
    assert len(paths) >= 10
    for path in paths:
        assert f'"{path}' in contract


def test_tools_of_the_mcp_server_are_all_there() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| `([\w.]+)` \| (\d)[^|]* \| (.+) \|$", PAGES["docs/mcp.md"], re.MULTILINE
    )
    assert rows == [(tool.name, tool.aliases[0], str(tool.operation.cost), tool.summary) for tool in TOOLS]


def test_clients_of_the_mcp_server_are_configured_with_what_there_is() -> None:
    page = PAGES["docs/mcp.md"]
    http, stdio = (json.loads(block)["mcpServers"]["law"] for block in blocks(page, "json"))
    assert http["url"].endswith("/mcp")
    assert re.search(rf"mcp add --transport http law {http['url']} ", page)
    assert (stdio["command"].split("/")[-1], stdio["args"]) == ("python", ["-m", "serving.mcp"])
    settings = {setting.variable for setting in TABLE} | {"LAW_KEY"}
    assert set(stdio["env"]) <= settings


def test_commands_of_the_operator_are_understood() -> None:
    lines = [line.partition("lawctl ")[2] for _, line in LINES if ".venv/bin/lawctl " in line]
    assert len(lines) > 15
    for line in lines:
        assert parser().parse_args(shlex.split(line)).run


def test_containers_that_are_started_are_there() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    started = [line.partition("docker compose up ")[2].split() for _, line in LINES if "docker " in line]
    assert len(started) >= 2
    assert all(names and set(names) <= set(services) for names in started)


def test_commands_of_clients_are_understood() -> None:
    lines = [line.removeprefix("legal ") for _, line in LINES if line.startswith("legal ")]
    assert len(lines) >= 8
    for line in lines:
        assert legal_parser().parse_args(shlex.split(line)).run


def test_events_that_stripe_has_to_report_are_those_that_are_read() -> None:
    named = set(re.findall(r"`((?:checkout|charge|refund)\.[a-z_.]+)`", PAGES["docs/operate.md"]))
    assert named == set(EVENT_TYPES)


@pytest.mark.parametrize("command", [lawbuild, lawctl, legal])
def test_commands_have_help(command: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        command(["--help"])
    assert stopped.value.code == 0
    assert "usage:" in capsys.readouterr().out
