"""Citations of decisions of courts, such as `Roe v. Wade, 410 U.S. 113 (1973)`: found, not read further."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from serving.contract.citations.source import skip

_REPORTERS = Path(__file__).with_name("reporters.toml")

_CITED = re.compile(
    r"(?<![\w.$§-])(?P<volume>\d{1,4}) (?P<reporter>[A-Z][\w.&'’ -]{0,40}?)"
    r"(?P<nominative> \(\d{1,2} [A-Z][a-z]+\.?\))?,?(?P<at> at)? (?P<page>\d{1,9})(?![\w%]|[.:]\d)"
)
_BY_COURT = re.compile(r"(?<![\w-])(?:1[89]|20)\d\d-[A-Z][A-Za-z]{1,9}(?:-[A-Z][A-Za-z]+)?-\d{1,6}(?![\w-])")
"""Citation by the court's own number: `2011-Ohio-2345`, `2005-NMSC-10`."""
_PAGES = re.compile(r"(?:, (?:n\. ?)?\d{1,5}(?:[-–]\d{1,5})?(?! [A-Z][\w.])(?!\w))*")
_ASIDE = re.compile(r"(?: \((?:[^()]|\([^()]*\))*?(?:1[6-9]|20)\d\d\))")
"""The court and the year behind a citation: `(D.C. 2011)`."""
_PARALLEL = re.compile(r",? ")
_WORD = r"(?:[A-Z0-9][\w'’.&/-]*|of|the|and|for|de|ex rel\.|&|et al\.)"
_NAME = re.compile(
    rf"(?:{_WORD},? ){{0,12}}v(?:s?\.|s) (?:{_WORD},? ){{1,14}}(?:No\. [\w-]+, )?\Z"
    rf"|(?:In re|Ex parte|(?:In the )?Matter of) (?:{_WORD},? ){{1,14}}\Z"
)
_SIGNAL = re.compile(
    r"(?:(?:See|But|Cf\.|Compare|Accord|Contra|And|In(?! re | the Matter)|Under|Also|Citing"
    r"|Quoting|The|As|Of|From|Only|By)(?: also)?,? )+"
)
_NAME_WINDOW = 160
_CASE_SIGN = re.compile(r"\bvs?\. [A-Z]|\b(?:In re|Ex parte|Matter of) [A-Z]")
_SENTENCE = re.compile(r"(?<=[a-z]{4})[.;] (?=[A-Z])")
_DROPPED = str.maketrans("", "", " .'’")
_DIGIT = re.compile(r"\d")
_YEAR_DIGITS = 4


class CaseCitation(NamedTuple):
    """Characters [start, end) of a text that cite one decision, with its name and parallel citations."""

    start: int
    end: int


def find_cases(text: str) -> list[CaseCitation]:
    """Return the citations of decisions in a text, in their order.

    A reporter whose abbreviation is a word too (`Day`, `Me.`) counts only beside a case's name or a year.
    """
    found: list[CaseCitation] = []
    if _DIGIT.search(text) is None:
        return found
    floor = 0
    for start, end in sorted([*_in_reporters(text), *(match.span() for match in _BY_COURT.finditer(text))]):
        if found and _PARALLEL.fullmatch(text, found[-1].end, start):
            found[-1] = found[-1]._replace(end=end)
        elif start >= floor:
            found.append(CaseCitation(_name_start(text, start, floor), end))
        floor = end
    return [one._replace(end=_with_aside(text, one.end)) for one in found]


def is_case(text: str) -> bool:
    """Return True for a text that is the citation of one decision, perhaps after a signal such as `See`."""
    found = find_cases(text)
    if len(found) != 1:
        return False
    before, behind = text[: found[0].start].strip(), text[found[0].end :].strip(" .,;)")
    return not behind and (not before or _SIGNAL.fullmatch(f"{before} ") is not None)


def _in_reporters(text: str) -> Iterator[tuple[int, int]]:
    volumes, years = _reporters()
    position = 0
    while match := _CITED.search(text, position):
        position = match.start("reporter")
        name = match.group("reporter").translate(_DROPPED)
        is_year = len(match.group("volume")) == _YEAR_DIGITS
        end = skip(_PAGES, text, match.end())
        if name in (years if is_year else volumes) and (
            _is_sure(match) or _ASIDE.match(text, end) or _is_named(text, match.start())
        ):
            position = end
            yield match.start(), end


def _is_sure(match: re.Match[str]) -> bool:
    """Return True where the abbreviation is no word: `F.3d`, `S. Ct.`, `WL`, or a short form with `at`."""
    name = match.group("reporter")
    return (
        match.group("at") is not None
        or any(letter.isdigit() for letter in name)
        or len(re.findall(r"[A-Z]", name)) > 1
    )


def _is_named(text: str, start: int) -> bool:
    """Return True where the name of a case stands before, in the same sentence."""
    signs = list(_CASE_SIGN.finditer(text, max(0, start - _NAME_WINDOW), start))
    return bool(signs) and _SENTENCE.search(text, signs[-1].end(), start) is None


def _name_start(text: str, start: int, floor: int) -> int:
    """Return the start of the name of the case whose citation begins at `start`."""
    window = max(floor, start - _NAME_WINDOW)
    head = text[window:start]
    for begin in re.finditer(r"(?<![\w.'’&-])(?:[A-Z]|\d+(?=[A-Z]))", head):
        name = _NAME.match(head, begin.start())
        if name is not None:
            signal = _SIGNAL.match(head, begin.start())
            return window + (signal.end() if signal and signal.end() < name.end() else begin.start())
    return start


def _with_aside(text: str, end: int) -> int:
    aside = _ASIDE.match(text, end)
    return aside.end() if aside else end


@cache
def _reporters() -> tuple[frozenset[str], frozenset[str]]:
    """Return the abbreviations without blanks and dots: those with volumes, and those with years."""
    with _REPORTERS.open("rb") as file:
        data = tomllib.load(file)
    volumes, years = (
        frozenset(name.translate(_DROPPED) for name in data[kind]) for kind in ("volumes", "years")
    )
    return volumes, years
