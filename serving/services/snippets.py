"""Excerpts: the stretch of a provision that holds most of the query's words, and where they stand in it.

Written to cost a few microseconds: stretches are chosen by looking for the words' beginnings in raw bytes,
and only words found so are stemmed and compared with the query's.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from serving.contract.indexes import join_acronyms
from serving.services.requests import Snippet
from serving.snapshot.query import ParsedQuery, query_parser

LENGTH = 300
"""Characters of a snippet, about: it ends with a sentence if one ends near."""
_LEAD = 60
"""Bytes before the first matched word that a snippet may begin with."""
_SEARCHED = 32_768
"""Bytes of a provision that are looked through where no chunk says where to look."""
_OCCURRENCES = 4
"""Places of one word that are weighed: its first ones."""
_MAX_HIGHLIGHTS = 32
_ACRONYM_LENGTH = 8

_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W_]+(?:['’][^\W\d_]+)?")
_ACCENTED = re.compile("[À-ɏ]")
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
_SENTENCE_END = re.compile(r"[.;:!?]['\")\]”]?(?=\s)")


@dataclass(frozen=True, slots=True)
class Terms:
    """A query's words, prepared for finding them in many texts.

    Attributes:
        stems: the tokens that a word must have to be a match.
        beginnings: what such words begin with, in lower case.
        raw: `beginnings` as UTF-8.
    """

    stems: frozenset[str]
    beginnings: tuple[str, ...]
    raw: tuple[bytes, ...]


def query_terms(query: str, parsed: ParsedQuery) -> Terms:
    """Return the terms to highlight for a query and its parsed form."""
    stems = parsed.terms
    beginnings: dict[str, None] = {}
    for word in _WORD.findall(query):
        token = _stem(word)
        if token not in stems:
            continue
        lowered = join_acronyms(word).lower()
        # The stemmer writes `polici` for policy and policies alike: what comes before the i is common.
        shared = _shared_beginning(lowered, token).rstrip("i")
        beginnings[shared if len(shared) > 1 else lowered] = None
        if len(lowered) < _ACRONYM_LENGTH and ("." in word or (word.isupper() and word.isalpha())):
            beginnings[".".join(lowered) + "."] = None  # `USC` and `U.S.C.` find each other
    return Terms(stems, tuple(beginnings), tuple(part.encode() for part in beginnings))


def make_snippet(text: memoryview, terms: Terms, *, span: tuple[int, int] | None) -> Snippet:
    """Cut the best stretch out of a provision's text.

    Args:
        text: UTF-8.
        terms: what to look for.
        span: bytes of the chunk that matched best; None to look through the text.
    """
    first, last = span or (0, min(len(text), _SEARCHED))
    raw = bytes(text[first:last])
    start = _sentence_start(raw, _best_place(raw.lower(), terms.raw))
    cut = _cut(str(raw[start : start + 4 * LENGTH], "utf-8", "ignore"))
    whole_end = first + start + 4 * LENGTH >= len(text)
    excerpt = " ".join(cut.split())
    ends = whole_end and len(raw) - start <= len(cut.encode())
    shown = ("" if first + start == 0 else "… ") + excerpt + ("" if ends or not excerpt else " …")
    return Snippet(shown, highlight(shown, terms))


def highlight(text: str, terms: Terms) -> tuple[tuple[int, int], ...]:
    """Return where words of the query stand in a text, in characters, in order and without overlap."""
    if _ACCENTED.search(text):
        found = {
            match.start(): match.end()
            for match in _WORD.finditer(text)
            if _stem(match.group()) in terms.stems
        }
    else:
        found = _find_words(text, terms)
    return tuple(sorted(found.items())[:_MAX_HIGHLIGHTS])


def _find_words(text: str, terms: Terms) -> dict[int, int]:
    lowered = text.lower()
    found: dict[int, int] = {}
    for beginning in terms.beginnings:
        place = lowered.find(beginning)
        while place >= 0:
            end = place + len(beginning)
            if place == 0 or not lowered[place - 1].isalnum():
                match = _WORD.match(text, place)
                if match is not None and _stem(match.group()) in terms.stems:
                    end = found[place] = match.end()
            place = lowered.find(beginning, end)
    return found


def _shared_beginning(word: str, stem: str) -> str:
    for length, (left, right) in enumerate(zip(word, stem, strict=False)):
        if left != right:
            return word[:length]
    return word[: len(stem)]


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    tokens = query_parser().analyze(word)
    return tokens[0] if tokens else ""


def _best_place(lowered: bytes, beginnings: tuple[bytes, ...]) -> int:
    """Return the byte at which the stretch with most of the words begins; 0 where there is none."""
    places = sorted(
        (place, term)
        for term, beginning in enumerate(beginnings)
        for place in _word_places(lowered, beginning)
    )
    within = [0] * len(beginnings)
    best = most = held = first = 0
    for place, term in places:
        held += not within[term]
        within[term] += 1
        while place - places[first][0] > LENGTH:
            left = places[first][1]
            within[left] -= 1
            held -= not within[left]
            first += 1
        if held > most:
            best, most = places[first][0], held
    return best


def _word_places(lowered: bytes, beginning: bytes) -> list[int]:
    """Return where the first few words begin so."""
    places: list[int] = []
    place = lowered.find(beginning)
    while place >= 0:
        if place == 0 or lowered[place - 1] not in _WORD_BYTES:
            places.append(place)
            if len(places) == _OCCURRENCES:
                break
        place = lowered.find(beginning, place + 1)
    return places


def _sentence_start(raw: bytes, place: int) -> int:
    """Return a good first byte for a snippet whose matter is at `place`: a sentence's start or a word's."""
    low = max(0, place - _LEAD)
    if low == 0:
        return 0
    before = raw[low:place]
    for mark in (b"\n", b". ", b"; "):
        found = before.rfind(mark)
        if found >= 0:
            return low + found + len(mark)
    return low + before.find(b" ") + 1 if b" " in before else place


def _cut(text: str) -> str:
    """Return the beginning of a text, ended at a sentence if one ends in its last third, else at a word."""
    if len(text) <= LENGTH:
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text, LENGTH * 2 // 3, LENGTH + 1)]
    if ends:
        return text[: ends[-1]]
    space = max(text.rfind(" ", 0, LENGTH + 1), text.rfind("\n", 0, LENGTH + 1))
    return text[:space] if space > 0 else text[:LENGTH]
