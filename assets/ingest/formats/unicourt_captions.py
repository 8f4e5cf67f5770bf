"""Captions of containers and sections in UniCourt's headings: level, number and heading."""

import re
from dataclasses import dataclass
from functools import lru_cache

from assets.ingest.formats.law_xml_names import Caption, plain_number
from assets.registry import CodeBody, Markup
from serving.contract.citations.scheme import SECTION_NUMBER

_CONTAINER_NUMBER = (
    r"(?:\d+[A-Za-z]{0,2}(?:[.:–-]\d+[A-Za-z]{0,2})*(?:\.[A-Z](?=\s))?|[IVXLC]+(?:-[A-Z0-9]+)?"
    r"|(?P<letter>[A-Z])(?P=letter)?)(?!\w)"
)
"""Of letters one, or one twice, as `AA` after `Z`: `DIVISION OF AVIATION` has no number."""
_LAST_CONTAINER = (
    r"(?(several)(?:\s*(?P<join>,|;|&|\band\b|\bto\b|\bthrough\b|[—–-])\s*"
    r"(?P<last>\d+[A-Za-z]{0,2}(?:\.\d+[A-Za-z]{0,2})*|[IVXLC]+)(?!\w))?)"
)
"""The last of several containers that one heading is of: `Chapters 6 — 8 [Reserved]`."""
_APPENDIX = re.compile(r"(?:APPENDIX|Appendix|App\.)(?:[\s.:—–]+|$)")
"""Makes a title another one than that of its number: `TITLE 24 APPENDIX Municipal Charters`."""
_AFTER_NUMBER = r"(?:\s*[.:](?!\d)\s*|\s*[—–]\s*|\s+-+\s+|\s+|$)"
_BETWEEN = r"\.?\s*(?P<{}>,|;|&|\band\b|\bto\b|\bthrough\b|\bthru\b|[—–]|\s-\s)\s*(?:and\s+)?(?:§+\s*)?"
_JOINS = re.compile(_BETWEEN.format("join"))
_RANGES = frozenset({"to", "through", "thru", "—", "–", "-"})
_BARE = re.compile(
    r"(?P<first>\d+(?P<point>\.\d+)?[A-Za-z]{0,2})[—–-](?P<last>\d+(?(point)\.\d+)[A-Za-z]{0,2})", re.ASCII
)
"""Two numbers of one shape, or the two parts of one: `28-30`, `2-101`, `6.05-6.07`."""
_DIGITS = re.compile(r"\d+", re.ASCII)
_PLURAL = re.compile(r"§\s*§|secs\.?|sections", re.IGNORECASE)
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
        self._restart = "title" in body.citing
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
        number = plain_number(match["num"])
        if match["last"]:
            number += ("-" if match["join"] in _RANGES else ",") + match["last"]
        level, heading = match["level"].lower(), match["heading"].strip()
        appendix = _APPENDIX.match(heading) if level == "title" else None
        if appendix is not None:
            number, heading = f"{number}App", heading[appendix.end() :]
        return Caption(level, number, heading)

    def section(self, words: str) -> SectionCaption | None:
        """Return the caption of a section; None where the heading begins with no number of one."""
        match = self._section.match(words)
        if match is None:
            return None
        if not match["mark"] and match["nums"].isalnum() and not match["end"].strip():
            return None  # `1919 Acts` counts no section
        number = _several(match["nums"], match["mark"], restart=self._restart)
        return SectionCaption(number, match["heading"].strip())


@lru_cache(maxsize=64)
def _levels(markup: Markup) -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, markup.levels), key=len, reverse=True))
    return re.compile(
        rf"\W*(?P<level>(?i:{words}))(?P<several>(?i:s))?\.?\s+(?P<num>{_CONTAINER_NUMBER}){_LAST_CONTAINER}"
        rf"{_AFTER_NUMBER}(?P<heading>.*)",
        re.DOTALL,
    )


def _several(numbers: str, mark: str, *, restart: bool) -> str:
    """Return numbers in one spelling: `2-5-108 — 2-5-150` is `2-5-108 to 2-5-150`.

    Of bare numbers the sign tells what a dash between them means: `§ 2—101` is one section, and `§§ 28-30`
    are three where numbers restart in every title.
    """
    bare = _BARE.fullmatch(numbers)
    if bare is not None and mark == "§" and not bare["point"]:
        return f"{bare['first']}-{bare['last']}"
    if (
        bare is not None
        and restart
        and _PLURAL.fullmatch(mark)
        and _counts(bare["first"]) < _counts(bare["last"])
    ):
        return f"{bare['first']} to {bare['last']}"
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


def _counts(number: str) -> list[int]:
    """Return what a number counts, without its letters: 6 and 5 of `6.05a`."""
    return [int(digits) for digits in _DIGITS.findall(number)]
