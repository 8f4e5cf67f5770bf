"""Sentences of a provision's text around a quotation: where they end, and what governs their words."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

_CLOSING = "”’\"')\\]"
_OPENING = "“‘\"'(\\["
_STOP = re.compile(rf"[.?!][{_CLOSING}]*(?=\s|$|—)—?")
_NEW_LINE = re.compile(r"\n")
_BEGINS = re.compile(rf"\s*[{_OPENING}]*(?:[^\W_a-z]|$)")
"""The beginning of a sentence: a capital, a figure or a designator, perhaps behind a mark."""
_ABBREVIATION = re.compile(
    r"(?:(?<![^\W\d_])[^\W\d_]|\b(?:Ann|App|Apr|Art|Aug|Ch|Cl|Co|Cong|Const|Corp|Dec|Dist|Dr|Ed|Feb|Fed|Inc|Jan|Jr|Ltd"
    r"|Mar|Mr|Mrs|Ms|Mun|Nos?|Nov|Oct|Pars?|Pt|Pub|Reg|Res|Rev|Secs?|Sept|Sess|Sr|St|Stat|Subsec|Supp|Tit|vs))$",
    re.IGNORECASE,
)
"""A single letter or a shortened word, whose point ends no sentence."""
_UNFINISHED = re.compile(r"(?:[—–:;,-]|\b(?:and|or))\s*$")
_LOWER = re.compile(r"\s{0,60}[a-z]")
_ONLY_CLOSING = re.compile(rf"[\s.?!—{_CLOSING}]*")
_ONLY_OPENING = re.compile(rf"\s*(?:\([^()\s]{{1,6}}\) ?|[{_OPENING}])*")
_NEAR = 60
_REACH = 3_000
"""Characters before a place in which the beginning of its sentence is sought."""

OutlineEntry = Mapping[str, Any]
"""An entry of an outline, with `start` and `end`."""
Span = tuple[int, int]


def sentence_ends(text: str) -> list[int]:
    """Return where sentences end in a text, each behind its closing marks, and the text itself.

    So does a line without a sign at its end, as that of a heading or of a row of a table, unless the words go
    on in the next.
    """
    stops = [match.end() for match in _STOP.finditer(text) if _is_stop(text, match)]
    lines = [match.start() for match in _NEW_LINE.finditer(text) if _ends_line(text, match.start())]
    return sorted({*stops, *lines, len(text)})


def ends_sentence(text: str, place: int) -> bool:
    """Return True where the sentence that runs up to a place of a text ends there, but for closing marks."""
    first = max(0, place - _NEAR)
    around = text[first : place + _NEAR]
    here = place - first
    ends = sentence_ends(around)
    if place + _NEAR < len(text):
        ends.pop()
    beside = (around[min(end, here) : max(end, here)] for end in ends)
    return any(_ONLY_CLOSING.fullmatch(between) for between in beside) or _is_cell(text, place)


def end_of_sentence(text: str, place: int) -> int:
    """Return where the sentence ends that is under way at a place of a text."""
    if ends_sentence(text, place):
        return place
    rest = text[place : place + _REACH]
    return place + sentence_ends(rest)[0]


def begins_sentence(text: str, place: int) -> bool:
    """Return True where a sentence, or a part with a line of its own, begins at a place of a text."""
    first = max(0, place - _NEAR)
    before = text[first:place]
    line = before.rpartition("\n")[2]
    if (len(line) < len(before) or first == 0) and _ONLY_OPENING.fullmatch(line):
        return True
    return any(
        _ONLY_OPENING.fullmatch(before[end:])
        for end in sentence_ends(text[first : place + _NEAR])
        if end <= len(before)
    )


def governing(text: str, outline: Sequence[OutlineEntry], place: int) -> str:
    """Return the words of a sentence before a place: of its own part, and what leads in to that part.

    `The Board shall not— (1) sell; (2) lease` says `shall not` of both parts, and nothing of the first to the
    second.
    """
    parts = [(part["start"], part["end"]) for part in outline]
    holders = sorted(
        {span for span in parts if span[0] <= place < span[1]}, key=lambda span: (span[0], -span[1])
    )
    pieces: list[str] = []
    chain: list[Span] = [(0, len(text)), *holders]
    for depth, (start, end) in enumerate(chain):
        inside = [one for one in parts if start <= one[0] and one[1] <= end and one not in chain[: depth + 1]]
        lead_end = min((one[0] for one in inside), default=place)
        if depth + 1 < len(chain):
            pieces.append(text[start : min(lead_end, chain[depth + 1][0])])
        elif lead_end < place:
            pieces += [text[start:lead_end], text[max(one[1] for one in inside if one[1] <= place) : place]]
        else:
            pieces.append(text[start:place])
    before = "".join(pieces)[-_REACH:]
    ends = [one for one in sentence_ends(before + text[place : place + _NEAR]) if one <= len(before)]
    return before[ends[-1] :] if ends else before


def _is_stop(text: str, match: re.Match[str]) -> bool:
    """Return True where a sign ends a sentence and is no mark of an abbreviation."""
    behind = text[match.end() : match.end() + _NEAR]
    if match.group().endswith("—") or not behind.strip() or text[match.start()] != ".":
        return True
    shortened = _ABBREVIATION.search(text, max(0, match.start() - 8), match.start())
    return _BEGINS.match(behind) is not None and (shortened is None or behind.startswith("\n"))


def _ends_line(text: str, place: int) -> bool:
    before = text[max(0, place - 8) : place]
    return not _UNFINISHED.search(before) and not _LOWER.match(text, place)


def _is_cell(text: str, place: int) -> bool:
    """Return True where a cell of a table ends at a place."""
    return text[place : place + _NEAR].lstrip().startswith("|")
