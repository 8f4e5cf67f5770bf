"""Districts that texts set out: `The Open Space (OS) district is established`, and lists of districts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assets.zoning.codes import (
    CODE,
    DISTRICT,
    END,
    START,
    abbreviates,
    is_bare_letter,
    is_distinct,
)

_DISTRICT = re.compile(rf"\b{DISTRICT}")
_QUALIFIERS = r"(?:[A-Za-z-]+\s+){0,5}?"
_MADE = (
    r"(?:(?:is|are|was|were)\s+(?:hereby\s+)?(?:intended|designed|designated|meant|adopted|established|created)"
    r"|shall\s+be\s+(?:established|created))\b"
)
_PLAIN = re.compile(
    rf"{START}[\"“]?(?P<code>{CODE})[\"”]?{END}\s+(?P<name>{_QUALIFIERS}){DISTRICT}\s+{_MADE}"
)
_PURPOSE = re.compile(
    rf"(?i:(?:purpose|intent|intention)s?\s+of\s+(?:the|this|an?)\s+)[\"“]?(?P<code>{CODE})[\"”]?{END}\s+"
    rf"(?P<name>{_QUALIFIERS}){DISTRICT}\s+(?:is|are)\b"
)
_BRACKETED = re.compile(
    rf"(?P<name>(?:[A-Za-z][\w'’/-]*,?\s+){{1,8}})\([\"“]?(?P<code>{CODE})[\"”]?\)\s*"
    rf"(?P<district>{_QUALIFIERS}{DISTRICT}\s+)?{_MADE}"
)
_ESTABLISHES = re.compile(
    r"(?i:(?:divided|classified|separated)\s+into\b[^.]{0,120}?(?:districts|zones)"
    r"|(?<!\bin\sthe\s)(?<!\bwithin\sthe\s)following\s+(?:[\w-]+\s+){0,4}(?:districts|zones)"
    r"|(?:districts|zones)[^.]{0,80}?(?:are|is)\s+(?:hereby\s+)?(?:established|created|designated))"
)
_ITEM = re.compile(
    rf"(?:^|[\n;:,.—]|\(\w{{1,3}}\)|\d\.)\s*[\"“]?(?P<code>{CODE})[\"”]?{END}"
    rf"(?:\s*[,:—–-]\s*|\s+)(?P<name>[A-Z][\w'’/-]*(?: [A-Za-z][\w'’/-]*){{0,7}})"
)
_ITEM_BRACKETED = re.compile(
    rf"(?P<name>[A-Z][\w'’/-]*(?: [A-Za-z][\w'’/-]*){{0,7}})\s+(?:{DISTRICT}\s+)?"
    rf"\([\"“]?(?P<code>{CODE})[\"”]?\)(?:\s+{DISTRICT})?"
)
_BESIDE = re.compile(
    r"(?i:\b(?:in|within|into|inside|outside|near|from|abut\w*|adjoin\w*|adjacent\s+to|next\s+to|border\w*|no)"
    rf"\s+)(?i:(?:a|an|the|any|each|every|said)\s+)?(?:{CODE}\s*(?:,|(?i:and|or))+\s*)*$"
)
"""Words before a district that something else lies in or beside: `signs within a C-1 district are`."""
_REACH = 80
_STOP = frozenset(
    {"the", "a", "an", "this", "that", "such", "any", "each", "all", "every", "following"}
    | {"of", "in", "for", "to", "by", "and", "or", "within"}
)


@dataclass(frozen=True, slots=True)
class DefinedDistrict:
    """A district that a text sets out.

    Attributes:
        name: what the text calls it beside the code; "" where it does not.
        quote: the words that show it.
        says_district: the words call it a district or zone; else a heading must.
        listed: it is one of a list of districts.
    """

    code: str
    name: str
    quote: str
    says_district: bool = True
    listed: bool = False


def districts_defined(text: str) -> Iterator[DefinedDistrict]:
    """Yield the districts that a provision's text defines, one by one or as a list."""
    for pattern in (_PLAIN, _PURPOSE):
        for match in pattern.finditer(text):
            if _is_code(match["code"], match, text) and not _is_place(match, text):
                yield DefinedDistrict(match["code"], match["name"].strip(), _quote(match))
    for match in _BRACKETED.finditer(text):
        name = _name(match["name"])
        if name and _is_named(match["code"], name):
            says = bool(match["district"]) or bool(re.search(DISTRICT, match["name"]))
            yield DefinedDistrict(match["code"], " ".join(name), _quote(match), says_district=says)
    listing = _ESTABLISHES.search(text)
    if listing is not None:
        yield from _items(text, listing)


def _items(text: str, listing: re.Match[str]) -> Iterator[DefinedDistrict]:
    """Yield what a list of districts names: codes with a name beside them, after or before."""
    for pattern in (_ITEM, _ITEM_BRACKETED):
        for match in pattern.finditer(text, listing.start()):
            words = re.findall(r"[\w'’]+", match["name"])
            code = match["code"]
            if is_bare_letter(code) and not _DISTRICT.search(match.group()):
                continue
            if is_distinct(code) or (abbreviates(code, words) and not match["name"].isupper()):
                yield DefinedDistrict(code, match["name"], _quote(match), listed=True)


def _is_code(code: str, match: re.Match[str], text: str) -> bool:
    """Tell a code from a word: an article, or a word of a sentence that is all in capitals."""
    if is_distinct(code):
        return True
    if code in {"A", "I"}:
        before = text[max(match.start() - 5, 0) : match.start("code")].lower()
        return before.rstrip('"“').rstrip().endswith("the") or '"' in match.group()[:2]
    sentence = text[max(match.start() - 30, 0) : match.end() + 30]
    return not (sentence.isupper())


def _is_place(match: re.Match[str], text: str) -> bool:
    """Tell a district that something lies in, or beside, from one that is set out."""
    return _BESIDE.search(text[max(match.start() - _REACH, 0) : match.start()]) is not None


def _is_named(code: str, name: list[str]) -> bool:
    return is_distinct(code) or abbreviates(code, name)


def _name(words: str) -> list[str]:
    """Return the name that stands before a bracket: its words back to one that begins no name."""
    name: list[str] = []
    for word in reversed(re.findall(r"[\w'’/-]+", words)):
        if word.lower() in {"district", "districts", "zone", "zones"} and not name:
            continue
        if word.lower() in _STOP and not (name and word.lower() in {"and", "of"} and name[0][0].isupper()):
            break
        name.insert(0, word)
    while name and name[0].lower() in _STOP:
        name.pop(0)
    return name


def _quote(match: re.Match[str]) -> str:
    return " ".join(match.group().split()).strip(" ,;:.—")
