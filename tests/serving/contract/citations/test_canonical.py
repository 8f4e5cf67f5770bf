"""Canonical citations of real provisions: each reads as itself, and so do ten spellings of each and more."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving.contract.citations import Grammar, parse, read_one

CANONICAL = [
    line
    for line in (Path(__file__).parent / "canonical.txt").read_text(encoding="utf-8").split("\n")
    if line and not line.startswith("#")
]
TITLED = re.compile(r"(?P<title>\d+) U\.S\.C\. § (?P<num>[^ ,]+)")
NUMBERED = re.compile(r"D\.C\. Code § (?P<num>[^ ,]+)")
TITLED_FORMS = (
    "{title} USC {num}",
    "{title} U.S.C. {num}",
    "{title}usc{num}",
    "{title} u.s.c. §{num}",
    "{title}\u00a0U.S.C.\u00a0§\u00a0{num}",
    "{title} U. S. C. sec. {num}",
    "{title} U.S.C.A. § {num}",
    "section {num} of title {title}",
    "title {title} section {num}",
    "title {title}, United States Code, section {num}",
    "Section {num} of Title {title} of the United States Code",
    "Title {title} U.S. Code § {num}",
)
NUMBERED_FORMS = (
    "DC Code {num}",
    "d.c. code § {num}",
    "D.C. Official Code § {num}",
    "D.C. Code Ann. § {num}",
    "D.C. Code, sec. {num}",
    "D. C. Code §{num}",
    "section {num} of the D.C. Code",
    "§ {num}, D.C. Code",
    "D.C.\u00a0Code\u00a0§\u00a0{num}",
    "District of Columbia Official Code section {num}",
)
DASHES = "-‐‑‒–—−"


def spellings() -> Iterator[tuple[str, str]]:
    dashes = itertools.cycle(DASHES)
    for canonical in CANONICAL:
        titled, numbered = TITLED.fullmatch(canonical), NUMBERED.fullmatch(canonical)
        parts = titled or numbered
        if parts is None:
            continue
        for form in TITLED_FORMS if titled else NUMBERED_FORMS:
            yield form.format_map(parts.groupdict()).replace("-", next(dashes)), canonical


def test_the_list_holds_every_kind() -> None:
    assert len(CANONICAL) >= 400
    for kind in (
        "42 U.S.C. §",
        "§§",
        "app. §",
        ", 5 U.S.C. app.",
        "D.C. Code § 28:",
        "(Perm)",
        "Fed. R.",
        "Reorg.",
    ):
        assert any(kind in canonical for canonical in CANONICAL), kind


@pytest.mark.parametrize("canonical", CANONICAL)
def test_a_canonical_citation_reads_as_itself(grammar: Grammar, canonical: str) -> None:
    found = read_one(canonical, grammar)
    assert isinstance(found, tuple)
    assert canonical in {found[0].listing, found[0].target}
    assert len(found) == 1 or found[0].listing == canonical


def test_every_spelling_reads_as_the_canonical_citation(grammar: Grammar) -> None:
    wrong = []
    read = 0
    for spelling, canonical in spellings():
        found = read_one(spelling, grammar)
        read += 1
        if not isinstance(found, tuple) or [citation.canonical for citation in found] != [canonical]:
            wrong.append((spelling, canonical, found))
    assert read > 3_000
    assert wrong == []


def test_every_spelling_is_found_where_it_stands_in_a_sentence(grammar: Grammar) -> None:
    wrong = []
    for spelling, canonical in spellings():
        text = f"It follows from {spelling}, and from nothing else."
        found = [
            (citation.canonical, text[citation.start : citation.end]) for citation in parse(text, grammar)
        ]
        if found != [(canonical, spelling)]:
            wrong.append((text, canonical, found))
    assert wrong == []
