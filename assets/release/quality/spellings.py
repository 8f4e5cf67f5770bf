"""Spellings of a canonical citation as people write them, made from its scheme's own data."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from serving.contract.citations import Citation, CitationScheme, Grammar, parse
from serving.contract.citations.citation import CONTAINER
from serving.contract.citations.grammar import name_spellings

_NBSP = "\u00a0"
_DASHES = "–‑"
_MARK = re.compile(r"§§? ?")
_WANTED = 10


class Spelling(NamedTuple):
    """One way to write a citation: what was done to it, and the text."""

    form: str
    text: str


def spell(
    citation: str, grammar: Grammar, *, part: str | None = None, wanted: int = _WANTED
) -> list[Spelling]:
    """Return up to `wanted` different spellings of a canonical citation, none of them its own.

    What each scheme allows is tried in one order, so that every provision is written in as many forms as it
    has. Names in other spellings come from the scheme; a citation that the grammar cannot read has none.

    Args:
        citation: the citation.
        grammar: the grammar of its scheme.
        part: label of a part that the provision has, such as `(a)(1)`; None where it has none.
        wanted: most spellings.
    """
    read = parse(citation, grammar)
    code = grammar.code(read[0].scheme) if read and read[0].scheme else None
    if code is None:
        return []
    found: dict[str, Spelling] = {}
    for form, text in _forms(citation, read[0], code.scheme, part, single=len(read) == 1):
        if text != citation:
            found.setdefault(text, Spelling(form, text))
    return list(found.values())[:wanted]


def _forms(
    canonical: str, read: Citation, scheme: CitationScheme, part: str | None, *, single: bool
) -> Iterator[tuple[str, str]]:
    plain = single and read.act is None and read.through is None and read.kind != CONTAINER
    if plain and part is not None:
        yield "pin cite", f"{canonical}{part}"
    yield "lower case", canonical.lower()
    yield "no-break spaces", canonical.replace(" ", _NBSP)
    if "-" in canonical:
        yield "en dash", canonical.replace("-", _DASHES[0])
        yield "non-breaking hyphen", canonical.replace("-", _DASHES[1])
    if "§" in canonical:
        # Without a sign nothing says that `24 U.S.C. 1, 2` cites two sections, or an act's name a section.
        if "§§" not in canonical and read.act is None:
            yield "no sign", _MARK.sub("", canonical, count=1)
        yield "sign without space", canonical.replace("§ ", "§")
        yield "sec.", _MARK.sub("secs. " if "§§" in canonical else "sec. ", canonical, count=1)
    if read.act is None:
        yield from _named(canonical, read, scheme)
    if plain:
        yield from _in_words(read, scheme)
    yield "in a sentence's spaces", f"  {canonical.replace(' ', '  ')} "
    yield "upper case", canonical.upper()
    if read.act is None and read.kind != CONTAINER:
        yield "et seq.", f"{canonical} et seq."
    yield "full stop", f"{canonical}."


def _named(canonical: str, read: Citation, scheme: CitationScheme) -> Iterator[tuple[str, str]]:
    """Yield the citation under the scheme's other names, with and without dots."""
    head = next((name for name in scheme.names if name in canonical), None)
    if head is None:
        return
    bare = head.replace(". ", ".").replace(".", "")
    yield "no dots", canonical.replace(head, bare)
    if scheme.has_title and scheme.template.startswith("{title}") and not read.appendix:
        number = _MARK.sub("", canonical.split(head, 1)[1]).strip()
        if "," not in number and " to " not in number:
            yield "glued", f"{read.title}{bare.lower()}{number}"
    for name in scheme.names:
        for spelling in name_spellings(name):
            if spelling != head:
                yield "another name", canonical.replace(head, spelling)


def _in_words(read: Citation, scheme: CitationScheme) -> Iterator[tuple[str, str]]:
    """Yield `section N of title T` and `title T section N`, with the name where a title says nothing."""
    word = "Rule" if scheme.kind == "rule" else "section"
    longest = max((spelling for name in scheme.names for spelling in name_spellings(name)), key=len)
    if read.appendix or not (read.num or "")[:1].isdigit() or " " in (read.num or ""):
        return
    if not scheme.has_title:
        yield "in words", f"{word} {read.num} of the {longest}"
        yield "name and word", f"{longest} {word} {read.num}"
        return
    if scheme.cites_articles:
        yield "article in words", f"{longest}, Article {read.title}, {word} {read.num}"
        return
    of = "" if scheme.bare_title else f", {longest}"
    yield "in words", f"{word} {read.num} of title {read.title}{of}"
    yield "title first", f"title {read.title}{of} {word} {read.num}"
    yield "title in words", f"Title {read.title} {longest}, {word} {read.num}"
