"""Parser of command lines that tells what was probably meant, and prints completion for a shell.

The client is a distribution of its own, which imports nothing of the server: its module of this name is a
link to this file.
"""

import argparse
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, cast

SHELLS = ("bash", "zsh")
"""Shells whose completion is printed; that of zsh is bash's."""
_LIKENESS = 0.7
_SCRIPT = """\
{opening}{function}() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" at={name} words= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at ${{COMP_WORDS[index]}}" in
      {commands}) at="$at ${{COMP_WORDS[index]}}" ;;
    esac
  done
  case "$at $before" in
    {values}
    *)
      case "$at|$word" in
        {words}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F {function} {name}
"""
_ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


class CommandParser(argparse.ArgumentParser):
    """A parser that names the nearest command, option or value where one is unknown."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._subcommands: argparse.Action | None = None
        super().__init__(*args, **options)

    def add_subparsers(self, **options: Any) -> Any:
        """Return the action to which the parsers of commands are added."""
        self._subcommands = super().add_subparsers(**options)
        return self._subcommands

    @property
    def commands(self) -> Mapping[str, "CommandParser"]:
        """The parsers of the commands, by name."""
        found = self._subcommands.choices if self._subcommands is not None else {}
        return cast("Mapping[str, CommandParser]", found)

    @property
    def options(self) -> Mapping[str, argparse.Action]:
        """The options, by each of their spellings."""
        return {spelling: action for action in self._actions for spelling in action.option_strings}

    def offer_completion(self) -> None:
        """Add the option that prints the completion of the command."""
        self.add_argument(
            "--completion",
            choices=SHELLS,
            action=_PrintCompletion,
            help="print a script that completes this command in a shell, and stop",
        )

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments of this command, where what is like an unknown one is known."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{self._meant(unknown[0])}")
        return found, unknown

    def _meant(self, word: str) -> str:
        spelling = word.partition("=")[0]
        if any(spelling in one.options for _, one in _tree(self, "") if one is not self):
            return f"; {spelling} stands behind the command"
        return suggestion(spelling, self.options)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(one) for one in action.choices]
            told = f"{value!r} is not one of {', '.join(known)}{suggestion(str(value), known)}"
            raise argparse.ArgumentError(action, told)


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of a message that names what is nearest to a word; empty where nothing is near."""
    spelled = {one.lstrip("-"): one for one in known}
    near = get_close_matches(word.lstrip("-"), spelled, n=1, cutoff=_LIKENESS)
    return f"; did you mean {spelled[near[0]]}?" if near else ""


def completion(parser: CommandParser, shell: str) -> str:
    """Return a script that completes commands, options and their values, and else names of files."""
    tree = dict(_tree(parser, parser.prog))
    values = [
        f"{shlex.quote(f'{at} {spelling}')}) words={shlex.quote(' '.join(map(str, action.choices)))} ;;"
        for at, one in tree.items()
        for spelling, action in one.options.items()
        if action.choices
    ]
    words = [
        f"{shlex.quote(f'{at}|')}{start}) words={shlex.quote(' '.join(known))} ;;"
        for at, one in tree.items()
        for start, known in (("-*", one.options), ("*", one.commands))
        if known
    ]
    return _SCRIPT.format(
        opening=_ZSH if shell == "zsh" else "",
        function=f"_{parser.prog}_completion",
        name=parser.prog,
        commands="|".join(shlex.quote(at) for at in tree),
        values="\n    ".join(values),
        words="\n        ".join(words),
    )


class _PrintCompletion(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *given: Any) -> None:
        _, shell, _ = given
        sys.stdout.write(completion(cast("CommandParser", parser), shell))
        parser.exit()


def _tree(parser: CommandParser, at: str) -> Iterator[tuple[str, CommandParser]]:
    """Yield a parser and those of its commands, each with the words that lead to it."""
    yield at, parser
    for name, command in parser.commands.items():
        yield from _tree(command, f"{at} {name}")
