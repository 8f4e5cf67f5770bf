"""Captions of the eCFR's divisions: what a heading gives of number and heading, and the status it tells."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from serving.contract.records import IN_FORCE

TITLE, PART, SECTION, APPENDIX = "title", "part", "section", "appendix"

LEVELS = {
    "TITLE": TITLE,
    "SUBTITLE": "subtitle",
    "CHAPTER": "chapter",
    "SUBCHAP": "subchapter",
    "PART": PART,
    "SUBPART": "subpart",
    "SUBJGRP": "subject group",
    "SECTION": SECTION,
    "APPENDIX": APPENDIX,
}
"""Words that people use for the types of divisions."""

DASHES = str.maketrans(dict.fromkeys("‐‑‒–−", "-"))
"""Every dash within a number becomes the hyphen that lawyers type; the em dash sets off its heading."""


class Attached(NamedTuple):
    """A kind of what is attached to a part: its abbreviation in citations and its letters in identifiers."""

    cited: str
    segment: str


_ATTACHED = {
    "appendi": Attached("app.", "app"),
    "supplement": Attached("supp.", "supp"),
    "exhibit": Attached("ex.", "ex"),
    "table": Attached("tbl.", "tbl"),
    "schedule": Attached("sched.", "sched"),
    "attachment": Attached("attach.", "attach"),
    "figure": Attached("fig.", "fig"),
    "annex": Attached("annex", "annex"),
    "addend": Attached("add.", "add"),
}
"""By the beginnings of the words, singular and plural."""

_NUMBERED = frozenset({"title", "subtitle", "chapter", "subchapter", "part", "subpart"})
_WORDS = "|".join(sorted(_NUMBERED, key=len, reverse=True))
_NUMBER = r"[0-9A-Z][0-9A-Za-z.]*"
_ONE = rf"{_NUMBER}(?:-(?:\d[0-9A-Za-z.]*|[A-Z]{{1,2}}(?![A-Za-z])))*"
_MORE = r"(?:\d[0-9A-Za-z.]*|[A-Z]{1,7}[a-z]?(?![A-Za-z]))"
_SEVERAL = rf"{_NUMBER}(?:\s*(?:(?:[-—,&]|(?i:and|through|to)\b)\s*)+{_MORE})*"
_AFTER = r"\s*(?:(?:[—:.]|-+)\s*|(?=\[)|$|\s)"
_CONTAINER = re.compile(
    rf"\W*(?P<word>(?i:{_WORDS}))(?:(?P<many>(?i:s))\s+(?P<nums>{_SEVERAL})|\s+(?P<num>{_ONE})){_AFTER}(?P<heading>.*)",
    re.DOTALL,
)
_VOLUME = re.compile(r"\s*(?:-+|—)\s*Volume\s+\w+$", re.IGNORECASE)
_CONTINUED = re.compile(r"\s*[(\[]\s*continued\s*[)\]]\s*$", re.IGNORECASE)
_NOT_A_NUMBER = re.compile(r"0?")
_IN_BRACKETS = re.compile(r"\s*\[[^\]]*\]\s*$")

_MARK = re.compile(r"\W*?(?:(?P<signs>§+)\s*|(?P<word>sec(?:tion)?s?)\b\.?\s*(?=\d))", re.IGNORECASE)
_SECTION_NUMBER = re.compile(r"\d[0-9A-Za-z]*(?:[.-][0-9A-Za-z]+|\([0-9A-Za-z]{1,4}\)(?=[-(]))*")
_RANGE = re.compile(
    rf"(?P<first>{_SECTION_NUMBER.pattern})\s*(?P<join>-|—|,|&|and\b|to\b|through\b|thru\b)\s*(?:§+\s*)?"
    rf"(?P<last>{_SECTION_NUMBER.pattern})"
)
_MARKS_OF_ONE = frozenset({"§", "sec", "section"})
_LISTS = frozenset({",", "&", "and"})

_APPENDED = re.compile(
    r"\W*(?P<word>appendi(?=x|c)|supplement|exhibit|table|schedule|attachment|figure|annex|addend(?=um|a))"
    rf"(?P<many>[a-z]*)\b(?:\s+(?:no\.?\s*)?(?-i:(?P<num>{_ONE}(?:\s*(?:[-—,&]|and\b|through\b)+\s*{_MORE})*)))?(?=\W|$)",
    re.IGNORECASE,
)
_MANY = frozenset({"xes", "ces", "s", "es", "a"})
_TARGET = re.compile(
    r"\s*,?\s*\(?\s*(?:to|of|for|in|under)\s+(?P<target>(?:(?:(?:the|and|of|to|in|\d+\s+cfr)\s+|§+\s*)*"
    rf"(?:(?:(?:subchapter|subtitle|chapter|subpart|part)s?\s+(?-i:{_ONE}))|(?:(?<=§)|(?<=§\s)|(?:section|sec\.)\s+)"
    rf"{_SECTION_NUMBER.pattern})[\s,]*)+)\)?",
    re.IGNORECASE,
)
_SUBPART_OF = re.compile(rf"subparts?\s+(?-i:({_ONE}))", re.IGNORECASE)
_SECTION_OF = re.compile(rf"(?:§\s*|(?:section|sec\.)\s+)({_SECTION_NUMBER.pattern})", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s*(?:[—:.]|-+)*\s*")

_STATUSES = (
    ("repealed", r"removed|repealed|rescinded|revoked|withdrawn|deleted|superseded|vacated"),
    ("renumbered", r"redesignated|renumbered|recodified"),
    ("transferred", r"transferred"),
    ("expired", r"expired"),
    ("omitted", r"omitted"),
    ("reserved", r"reserved"),
)
_STATUS = "|".join(f"(?P<{status}>{words})" for status, words in _STATUSES)
_GONE = re.compile(
    rf"(?:^|.*\s)[\[(]\s*(?:removed and )?(?:{_STATUS})\b[^\[]*[\])]?\.?$"
    rf"|^(?:{_STATUS.replace('?P<', '?P<_')})\.?$",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Caption:
    """The number and heading of a container.

    Attributes:
        num: None where it has none; `23 to 49` of several.
        continued: it goes on from one of the same number in the volume before.
    """

    num: str | None
    heading: str
    continued: bool = False


@dataclass(frozen=True, slots=True)
class AppendixCaption:
    """The heading of an appendix, taken apart.

    Attributes:
        kind: None where it is nothing that is cited by a word and a number.
        subpart: number of the subpart that it belongs to; None where none is named.
        section: the same of a section.
        belongs: the heading says what it belongs to.
    """

    kind: Attached | None
    num: str | None
    heading: str
    subpart: str | None = None
    section: str | None = None
    belongs: bool = False


def container_caption(level: str, heading: str, number: str) -> Caption:
    """Return the caption of a container: `PART 25 - UNIVERSAL IDENTIFIER`, `Subparts E-H [Reserved]`.

    Args:
        level: of the container; a heading that begins with another word has no number.
        heading: as printed, white space folded.
        number: that the markup states, which counts where the heading has none.
    """
    plain = _VOLUME.sub("", heading.translate(DASHES))
    continued = _CONTINUED.search(plain) is not None
    plain = _CONTINUED.sub("", plain)
    match = _CONTAINER.match(plain)
    if match is None or match["word"].lower() != level:
        num = _stated(number) if level in _NUMBERED else None
        return Caption(num, heading[: len(plain)].strip(), continued)
    num = _several(match["nums"]) if match["nums"] else match["num"].rstrip(".")
    # What was cut off stood at the end, and dashes are single characters: the places are those of `heading`.
    start = match.start("heading")
    return Caption(num, heading[start : len(plain)].strip(), continued)


def _stated(number: str) -> str | None:
    """Return the number of an attribute such as `Subtitle A`, `B [Reserved]` or `0`, which is none."""
    plain = _IN_BRACKETS.sub("", number.translate(DASHES)).strip()
    word, _, rest = plain.rpartition(" ")
    plain = rest if word.lower() in LEVELS.values() else plain
    if _NOT_A_NUMBER.fullmatch(plain) or not re.fullmatch(_ONE, plain):
        return None
    return plain


def _several(numbers: str) -> str:
    """Return numbers in one spelling: `23-49` is `23 to 49`, `A, B and C` is `A, B, C`."""
    plain = numbers.rstrip(".,- ")
    if re.search(r",|&|\band\b", plain, re.IGNORECASE):
        return ", ".join(re.findall(_ONE, re.sub(r"\band\b|&", ",", plain, flags=re.IGNORECASE)))
    ends = re.split(r"\s*(?:—|\bthrough\b|\bto\b)\s*", plain, flags=re.IGNORECASE)
    if len(ends) == 2:
        return f"{ends[0]} to {ends[1]}"
    parts = plain.split("-")
    half = len(parts) // 2
    if len(parts) < 2 or len(parts) % 2:
        return plain
    return f"{'-'.join(parts[:half]).strip()} to {'-'.join(parts[half:]).strip()}"


def section_caption(heading: str, number: str) -> Caption:
    """Return the caption of a section: `§ 1.100   Purpose.`, `§§ 457.104-457.109 [Reserved]`.

    Args:
        heading: as printed, white space folded.
        number: that the markup states, which counts where the heading has none.
    """
    plain = heading.translate(DASHES)
    mark = _MARK.match(plain)
    start = mark.end() if mark else 0
    several = mark is not None and (mark["signs"] or mark["word"] or "").lower() not in {
        "§",
        "sec",
        "section",
    }
    match = (_RANGE.match(plain, start) if several else None) or _SECTION_NUMBER.match(plain, start)
    stated = _IN_BRACKETS.sub("", number.translate(DASHES)).strip(" §.")
    if match is None or (not mark and not match.group().startswith(stated)):
        return Caption(_numbers(stated) if "§§" in number else stated or None, heading)
    rest = heading[match.end() :].lstrip(" .:—-–") if match.end() < len(heading) else ""
    return Caption(_numbers(match.group()) if several else match.group(), rest)


def _numbers(text: str) -> str:
    """Return several numbers in one spelling. A hyphen that joins two stands between numbers of one part."""
    match = _RANGE.fullmatch(text)
    if match is not None and match["join"] != "-":
        join = ", " if match["join"].lower() in _LISTS else " to "
        return f"{match['first']}{join}{match['last']}"
    for hyphen in re.finditer("-", text):
        first, last = text[: hyphen.start()].rstrip(), text[hyphen.end() :].lstrip()
        part, dot, _ = first.partition(".")
        if dot and last.startswith(f"{part}."):
            return f"{first} to {last}"
    first, _, last = text.rpartition("-")
    part, dot, begin = first.partition(".")
    if dot and begin.isdigit() and last.isdigit() and int(last) > int(begin):
        return f"{first} to {part}.{last}"
    return text


def appendix_caption(heading: str) -> AppendixCaption:
    """Return what a heading such as `Appendix A to Subpart D of Part 910 - Patent Provisions` says."""
    plain = heading.translate(DASHES)
    match = _APPENDED.match(plain)
    if match is None:
        return AppendixCaption(None, None, heading)
    target = _TARGET.match(plain, match.end())
    end = target.end() if target else match.end()
    said = target["target"] if target else ""
    subpart, section = _SUBPART_OF.search(said), _SECTION_OF.search(said)
    separator = _SEPARATOR.match(plain, end)
    rest = heading[separator.end() if separator else end :]
    num = match["num"]
    return AppendixCaption(
        _ATTACHED[match["word"].lower()] if num or target else None,
        _several(num) if num and match["many"].lower() in _MANY else num,
        rest.strip(),
        subpart[1] if subpart else None,
        section[1] if section else None,
        target is not None,
    )


def status_of(heading: str, *, has_text: bool) -> str:
    """Return the status that a heading tells: `[Reserved]`, `Subpart J [Removed and Reserved]`.

    Where law is printed a heading such as `Effluent limitations [Reserved]` tells nothing.
    """
    match = None if has_text else _GONE.match(heading)
    return IN_FORCE if match is None else (match.lastgroup or IN_FORCE).lstrip("_")


def compact(number: str) -> str:
    """Return a number as identifiers carry it: `23 to 49` is `23...49`."""
    return number.replace(" to ", "...").replace(", ", ",").replace(" ", "")


def first_register_page(credit: str) -> str | None:
    """Return the first page of the Federal Register that a source note names, as a slug: `37-fr-23603`."""
    match = re.search(r"\b(\d{1,3}) F\.?R\.? (\d{1,6})\b", credit)
    return f"{match[1]}-fr-{match[2]}" if match else None
