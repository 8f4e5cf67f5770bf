"""Captions of containers and sections in UniCourt's headings: level, number and heading."""

import re
from dataclasses import dataclass
from functools import lru_cache

from assets.ingest.formats.law_xml_names import Caption, plain_number
from assets.registry import CodeBody, Markup
from serving.contract.citations.scheme import SECTION_NUMBER

_CONTAINER_NUMBER = (
    r"(?:\d+[A-Za-z]{0,2}(?:[.:–-]\d+[A-Za-z]{0,2})*|[IVXLC]+(?:-[A-Z0-9]+)?"
    r"|(?P<letter>[A-Z])(?P=letter)?)(?!\w)"
)
"""Of letters one, or one twice, as `AA` after `Z`: `DIVISION OF AVIATION` has no number."""
_AFTER_NUMBER = r"(?:\s*[.:](?!\d)\s*|\s*[—–]\s*|\s+-+\s+|\s+|$)"
_BETWEEN = r"\.?\s*(?P<{}>,|;|&|\band\b|\bto\b|\bthrough\b|\bthru\b|[—–]|\s-\s)\s*(?:and\s+)?(?:§+\s*)?"
_JOINS = re.compile(_BETWEEN.format("join"))
_RANGES = frozenset({"to", "through", "thru", "—", "–", "-"})
_ANY_NUMBER = r"\d\w*(?:[.:-]\w+)+"


@dataclass(frozen=True, slots=True)
class SectionCaption:
    """The number and heading of a section.

    Attributes:
        num: `47-18-104`; of several `1-1 to 1-9` or `1-1, 1-2`.
        heading: what follows it, `` where nothing does.
    """

    num: str
    heading: str


class Captions:
    """Reads the headings of one code body."""

    def __init__(self, body: CodeBody) -> None:
        """Compile what its entry says of levels and numbers."""
        number = body.citing.get("number", SECTION_NUMBER)
        self._levels = _levels(body.markup)
        # What has parts, and is shaped like no number of the entry, stays a number: the checks then name it.
        one = rf"(?:(?:{number})(?![\w:]|[.-]\w)|{_ANY_NUMBER})"
        between = _BETWEEN.replace("(?P<{}>", "(?:")
        self._section = re.compile(
            rf"\[?(?P<mark>{body.markup.section_mark.pattern})\s*"
            rf"(?P<nums>{one}(?:{between}{one})*)(?P<end>\s*[.:\]]+(?=\s|$|\W)|(?=\s|$|[—–\[(]))\s*(?P<heading>.*)",
            re.IGNORECASE | re.DOTALL | re.ASCII,
        )

    def container(self, words: str) -> Caption:
        """Return the caption of a container; without a level of its own it is a subheading."""
        match = self._levels.match(words)
        if match is None:
            return Caption("subheading", None, words)
        return Caption(match["level"].lower(), plain_number(match["num"]), match["heading"].strip())

    def section(self, words: str) -> SectionCaption | None:
        """Return the caption of a section; None where the heading begins with no number of one."""
        match = self._section.match(words)
        if match is None:
            return None
        if not match["mark"] and match["nums"].isalnum() and not match["end"].strip():
            return None  # `1919 Acts` counts no section
        return SectionCaption(_several(match["nums"]), match["heading"].strip())


@lru_cache(maxsize=64)
def _levels(markup: Markup) -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, markup.levels), key=len, reverse=True))
    return re.compile(
        rf"\W*(?P<level>(?i:{words}))(?i:s)?\.?\s+(?P<num>{_CONTAINER_NUMBER}){_AFTER_NUMBER}(?P<heading>.*)",
        re.DOTALL,
    )


def _several(numbers: str) -> str:
    """Return numbers in one spelling: `2-5-108 — 2-5-150` is `2-5-108 to 2-5-150`."""
    parts: list[str] = []
    at = 0
    for join in _JOINS.finditer(numbers):
        parts += [plain_number(numbers[at : join.start()]), join["join"].strip().lower()]
        at = join.end()
    parts.append(plain_number(numbers[at:]).rstrip(".:"))
    said = parts[0]
    for join_word, number in zip(parts[1::2], parts[2::2], strict=True):
        said += f" to {number}" if join_word in _RANGES else f", {number}"
    return said
