"""Another jurisdiction's law is never read as one that is held: cases written before the rules that read them.

`other_laws.tsv` was at hand while the rules were made, `other_laws_held_back.tsv` was not run before they were done.
A row has the way of asking, the text, and what must be read in it, in order: `ours` with the canonical citation,
`known` with the scheme's key, `unknown` with the name of the code, or `refused`, where nothing of ours may be read.
"""

from pathlib import Path

import pytest

from serving.contract.citations import Citation, Grammar, Unparsed, parse, read_one

_HELD = ("us-usc", "dc-code", "ca-san-mateo-code")
_FOLDER = Path(__file__).parent


def _rows(name: str) -> list[tuple[str, str, str]]:
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    rows = [tuple(line.split("\t")) for line in lines]
    return [(mode, text.replace("\\n", "\n"), expected) for mode, text, expected in rows]


ROWS = [*_rows("other_laws.tsv"), *_rows("other_laws_held_back.tsv")]


def _said(citation: Citation) -> str:
    if citation.kind == "unknown_code":
        return f"unknown {citation.code_name}"
    return f"ours {citation.canonical}" if citation.code in _HELD else f"known {citation.scheme}"


def test_there_are_seventy_different_ones() -> None:
    assert len({text for _, text, _ in ROWS}) == len(ROWS) >= 70


@pytest.mark.parametrize(("mode", "text", "expected"), ROWS)
def test_what_is_read(grammar: Grammar, mode: str, text: str, expected: str) -> None:
    if mode == "typed":
        read = read_one(text, grammar)
        found = [] if isinstance(read, Unparsed) else list(read)
    else:
        found = parse(text, grammar)
    # Of a code that is not held it need not be understood what is cited there.
    said = [
        _said(citation)
        for citation in found
        if citation.kind != "unread" or citation.code not in (None, *_HELD)
    ]
    if expected == "refused":
        assert not [one for one in said if one.startswith("ours")]
    else:
        assert said == expected.split("; ")
