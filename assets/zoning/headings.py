"""Districts that headings name: `R1 DISTRICTS—ONE FAMILY DWELLINGS`, `Open Space (OS) District`, `Zone C`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from assets.zoning.codes import (
    CODE,
    DISTRICT,
    END,
    START,
    abbreviates,
    is_bare_letter,
    is_distinct,
)

_LIST = rf"{CODE}{END}(?:(?:\s*,\s*|\s+(?i:and|or|&)\s+|\s*,\s*(?i:and|or)\s+){CODE}{END})*"
_HEAD = re.compile(rf"^(?:(?i:the)\s+)?(?P<codes>{_LIST})(?P<rest>.*)$")
_GENERAL = (
    r"(?:additional|allowed|and|base|basic|development|dimensional|district|general|intent|land|of|permitted"
    r"|principal|property|purposes?|site|special|specific|statement|uses?|zoning)"
)
"""Words of a district's general regulations, not of one matter in it: `Sign regulations in C-1 districts`."""
_REGULATIONS = (
    rf"(?i:(?:{_GENERAL}\s+){{0,3}}"
    r"(?:regulations|provisions|requirements|standards|purposes?|intent|establishment|uses)"
    r"\s+(?:for|of|in)\s+(?:the\s+)?)"
)
_FOR = re.compile(rf"^{_REGULATIONS}(?P<codes>{_LIST})\s+(?:[\w-]+\s+){{0,4}}{DISTRICT}")
_REVERSED = re.compile(rf"^(?P<name>(?:[\w-]+\s+){{0,6}}?){DISTRICT}\s*[-—–:,]?\s*[\"“]?(?P<codes>{_LIST})")
_BRACKETED = re.compile(rf"^(?P<name>[^()]*?\w[^()]*?)\s+\((?P<codes>{_LIST})\)(?P<rest>.*)$")
_NAMED = re.compile(rf"^(?P<name>(?:[\w-]+[,—–:]?\s+){{1,5}}?|.*[—–:]\s*)(?P<codes>{_LIST})\s+{DISTRICT}\W*$")
_PLACES = frozenset(
    ["in", "of", "for", "to", "near", "from", "within", "abutting", "adjacent", "by", "or", "and"]
)
_LOCATED = frozenset(["abutting", "adjacent", "from", "in", "near", "outside", "within"])
_WORDS = frozenset(
    {"ALL", "AN", "AND", "ANY", "AS", "AT", "BY", "EACH", "EVERY", "FOR", "FROM", "IF", "IN", "IS", "NO"}
    | {
        "NOT",
        "OF",
        "ON",
        "OR",
        "OTHER",
        "SUCH",
        "THAT",
        "THE",
        "THESE",
        "THIS",
        "TO",
        "WHEN",
        "WHERE",
        "WITH",
    }
)
"""Words that begin a heading in capitals as a sentence: they are a code where `DISTRICT—` follows."""
_OWN_NUMBER = re.compile(
    r"^(?:(?i:article|chapter|section|sec\.|division|part|subchapter|subdivision)|§)\s*[\w.-]*\d[\w.-]*[.:—–-]*\s+"
    r"|^(?i:article|chapter|division|part)\s+[IVXLC]+[.:—–-][.:—–\s-]*"
)
_ADJACENT = re.compile(rf"^\s*(?:(?i:zoning|overlay|use|combining|base)\s+){{0,2}}{DISTRICT}(?P<after>.*)$")
_SEPARATOR = re.compile(r"^\s*[-—–:,]|^\s+\(")
_ANY_DISTRICT = re.compile(rf"\b{DISTRICT}")
_CODE = re.compile(rf"{START}(?!(?i:and|or)\b){CODE}{END}")


_NO_QUOTES = str.maketrans("", "", '"“”')


@dataclass(frozen=True, slots=True)
class NamedDistrict:
    """A district that a heading names.

    Attributes:
        alone: the heading names no other.
        says_district: the heading itself says `district` or `zone`; else one above it does.
        leads: no other matter is named before it, as fences are in `Fences: R-1 districts`.
    """

    code: str
    alone: bool
    says_district: bool
    leads: bool = True


def districts_named(heading: str, *, is_zoning: bool) -> Iterator[NamedDistrict]:
    """Yield the districts that a heading names as its subject.

    Args:
        heading: in one line.
        is_zoning: it, or one above it, speaks of zoning or districts.
    """
    if not is_zoning:
        return
    text = _OWN_NUMBER.sub("", heading.strip()).rstrip(".").translate(_NO_QUOTES)
    for match in (_FOR.match(text), _REVERSED.match(text)):
        if match is not None and not _is_running(text, match):
            yield from _listed(match["codes"])
            return
    bracketed = _BRACKETED.match(text)
    if bracketed is not None:
        codes = _CODE.findall(bracketed["codes"])
        if all(_is_bracketed(code, bracketed) for code in codes):
            says = bool(_ANY_DISTRICT.search(text))
            yield from (NamedDistrict(code, alone=len(codes) == 1, says_district=says) for code in codes)
            return
    found = list(_at_head(text))
    named = _NAMED.match(text)
    if not found and named is not None and _is_name(named):
        found = [replace(one, leads=False) for one in _listed(named["codes"])]
    yield from found


def _at_head(text: str) -> Iterator[NamedDistrict]:
    head = _HEAD.match(text)
    codes = _CODE.findall(head["codes"]) if head is not None else []
    for code in codes:
        if head is not None and _is_subject(code, head["rest"], text):
            yield NamedDistrict(code, alone=len(codes) == 1, says_district=bool(_ANY_DISTRICT.search(text)))


def _listed(codes: str) -> Iterator[NamedDistrict]:
    found = _CODE.findall(codes)
    for code in found:
        yield NamedDistrict(code, alone=len(found) == 1, says_district=True)


def _is_running(text: str, match: re.Match[str]) -> bool:
    """Tell whether what follows `district` is a word in capitals, no code: `OVERLAY DISTRICT MIXED USE`."""
    codes = _CODE.findall(match["codes"])
    capitals = text.isupper()
    return any((not is_distinct(code) and capitals and len(code) > 1) or code in {"A", "I"} for code in codes)


def _is_name(match: re.Match[str]) -> bool:
    """Tell a name before a code from a sentence: `Residence R-1 District`, `Signs in R-1 Districts`."""
    words = {word.lower() for word in re.findall(r"\w+", match["name"])}
    return not words & _PLACES and all(is_distinct(code) for code in _CODE.findall(match["codes"]))


def _is_bracketed(code: str, match: re.Match[str]) -> bool:
    near = f"{match['name'][-40:]} {match['rest'][:40]}"
    if is_distinct(code):
        return True
    fits = abbreviates(code, re.findall(r"\w+", match["name"]))
    return fits and (not is_bare_letter(code) or bool(_ANY_DISTRICT.search(near)))


def _is_subject(code: str, rest: str, text: str) -> bool:
    """Tell whether the token that a heading begins with is a code, and not a word or an article."""
    adjacent = _ADJACENT.match(rest)
    if is_bare_letter(code):
        return _is_letter_subject(code, rest, adjacent)
    if _lies_in_district(rest):
        return False
    if text.isupper() and code in _WORDS:
        return adjacent is not None and bool(_SEPARATOR.match(adjacent["after"]))
    if is_distinct(code) or abbreviates(code, re.findall(r"\w+", rest)):
        return True
    if text.isupper():
        return adjacent is not None or (bool(_SEPARATOR.match(rest)) and bool(_ANY_DISTRICT.search(text)))
    return bool(_ANY_DISTRICT.search(text)) or bool(_SEPARATOR.match(rest))


def _lies_in_district(rest: str) -> bool:
    """Tell what lies in or beside districts from a district: `RV parking in R-1 districts`."""
    found = _ANY_DISTRICT.search(rest)
    if found is None or _SEPARATOR.match(rest):
        return False
    return bool(_LOCATED & set(re.findall(r"[a-z]+", rest[: found.start()].lower())))


def _is_letter_subject(code: str, rest: str, adjacent: re.Match[str] | None) -> bool:
    if adjacent is not None:
        plural = re.match(r"^\s*(?:\w+\s+)?(?i:districts|zones)\b", rest)
        return code not in {"A", "I"} or bool(plural) or bool(_SEPARATOR.match(adjacent["after"]))
    words = re.findall(r"\w+", rest)
    return bool(words) and bool(_ANY_DISTRICT.search(rest)) and words[0][0].upper() == code
