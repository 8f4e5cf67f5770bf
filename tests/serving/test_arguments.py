"""Unknown words of a command line are told with the nearest known one; shells complete all of it."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from legal_client import arguments as of_client
from legal_client.cli import parser as legal_parser
from pipelines.build import parser as lawbuild_parser
from serving import arguments
from serving.arguments import completion
from serving.cli import parser as lawctl_parser

PARSERS: dict[str, Callable[[], Any]] = {
    "legal": legal_parser,
    "lawctl": lawctl_parser,
    "lawbuild": lawbuild_parser,
}


@pytest.mark.parametrize(
    ("command", "line", "told"),
    [
        ("legal", "serch x", "did you mean search?"),
        ("legal", "search x --mode hybird", "did you mean hybrid?"),
        ("legal", "search x --jurisdction=dc", "did you mean --jurisdiction?"),
        ("legal", "--json search x", "--json stands behind the command"),
        ("lawctl", "acounts list", "did you mean accounts?"),
        ("lawctl", "accounts crate", "did you mean create?"),
        ("lawctl", "accounts create --emial a@example.org", "did you mean --email?"),
        ("lawbuild", "--pubish-rest", "did you mean --publish-rest?"),
    ],
)
def test_the_nearest_known_word_is_named(command, line, told, capsys):
    with pytest.raises(SystemExit) as ended:
        PARSERS[command]().parse_args(line.split())
    assert ended.value.code == 2
    assert capsys.readouterr().err.rstrip().endswith(told)


@pytest.mark.parametrize("line", ["search x --zzz", "qqqq"])
def test_nothing_is_named_where_nothing_is_near(line, capsys):
    with pytest.raises(SystemExit):
        legal_parser().parse_args(line.split())
    assert "did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "typed", "completed"),
    [
        ("legal", ["se"], ["search"]),
        ("legal", ["search", "--mode", "hy"], ["hybrid"]),
        ("legal", ["search", "--fac"], ["--facets"]),
        ("legal", ["search", "se"], []),
        ("legal", ["cite", "17 usc 107", "--form"], ["--format"]),
        ("lawctl", ["snapshot", "ro"], ["rollback"]),
        ("lawctl", ["snapshot", "prune", "--dry"], ["--dry-run"]),
        ("lawctl", ["--ver"], ["--version"]),
        ("lawbuild", ["sample-code", "--publish-w"], ["--publish-worse"]),
    ],
)
def test_bash_completes(command, typed, completed, tmp_path):
    script = tmp_path / "completion.bash"
    script.write_text(completion(PARSERS[command](), "bash"), encoding="utf-8")
    asked = (
        f'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _{command}_completion; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-uc", asked, "bash", str(script), command, *typed],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == completed
    assert not done.stderr


def test_each_command_prints_its_completion(capsys):
    for command, parser in PARSERS.items():
        with pytest.raises(SystemExit) as ended:
            parser().parse_args(["--completion", "zsh"])
        assert ended.value.code == 0
        printed = capsys.readouterr().out
        assert printed.startswith("autoload -U +X bashcompinit")
        assert printed.endswith(f"complete -o default -F _{command}_completion {command}\n")


def test_the_client_has_the_same_parser():
    one, other = Path(of_client.__file__), Path(arguments.__file__)
    assert one != other
    assert one.read_bytes() == other.read_bytes()
