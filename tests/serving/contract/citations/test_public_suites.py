"""The statutory examples of public citation test suites: known here, or with the reason why not beside them."""

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from serving.contract.citations import Citation, Grammar, Unparsed, parse, read_one

_OURS = re.compile(r"U\.? ?S\.? ?C|United States Code|U\.S\. Code|D\.C\. Code|Fed\. R\.")


class Example(NamedTuple):
    """An example of a suite; `miss`: the reason why it is not read as a known law, empty where it is."""

    suite: str
    where: str
    text: str
    read: str
    miss: str


EXAMPLES = [
    Example(*(field.replace("\\n", "\n").replace("\\\\", "\\") for field in line.split("\t")))
    for line in (Path(__file__).parent / "public_suites.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("# ") and not line.startswith("#   ")
]


def _is_known(citation: Citation) -> bool:
    return citation.kind not in ("unknown_code", "unread")


def _reads(grammar: Grammar, example: Example) -> bool:
    if example.where == "typed":
        read = read_one(example.text, grammar)
        return not isinstance(read, Unparsed) and all(
            _is_known(one) or one.scheme is not None for one in read
        )
    start = example.text.index(example.read)
    end = start + len(example.read)
    return any(_is_known(one) and one.start < end and start < one.end for one in parse(example.text, grammar))


def test_the_suites_are_whole() -> None:
    assert Counter(example.suite for example in EXAMPLES) == {
        "reporters-db": 391,
        "citation": 131,
        "eyecite": 10,
    }


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.read)
def test_an_example_is_read_unless_it_says_why_not(grammar: Grammar, example: Example) -> None:
    assert _reads(grammar, example) is not bool(example.miss)


def test_no_example_of_another_law_is_read_as_one_that_is_held(grammar: Grammar) -> None:
    held = {"us-usc", "dc-code", "ca-san-mateo-code"}
    astray = [
        (example.text, citation.canonical)
        for example in EXAMPLES
        if example.suite == "reporters-db" and not _OURS.search(example.text)
        for citation in parse(example.text, grammar)
        if citation.code in held and citation.kind != "unread"
    ]
    assert astray == []
