"""No citation is found where there is none: 300 texts that look like one."""

from pathlib import Path

import pytest

from serving.contract.citations import Grammar, parse

NEAR_MISSES = [
    line
    for line in (Path(__file__).parent / "near_misses.txt").read_text(encoding="utf-8").split("\n")
    if line and not line.startswith("# ")
]


def test_there_are_three_hundred_different_ones() -> None:
    assert len(set(NEAR_MISSES)) == len(NEAR_MISSES) >= 300


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_no_citation_is_found(grammar: Grammar, text: str) -> None:
    assert parse(text, grammar) == []


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_no_citation_is_found_within_a_sentence(grammar: Grammar, text: str) -> None:
    assert parse(f"He spoke of {text}, and then of nothing else.", grammar) == []


def test_all_of_them_together_hold_none(grammar: Grammar) -> None:
    assert parse(".\n".join(NEAR_MISSES), grammar) == []
