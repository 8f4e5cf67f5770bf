"""Excerpts: the stretch of a provision that holds most of the query's words, and where they stand in it.

Written to cost a few microseconds: stretches are chosen by looking for the words' beginnings in raw bytes,
and only words found so are stemmed and compared with the query's.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from serving.contract.indexes import join_acronyms
from serving.services.requests import Snippet
from serving.snapshot.query import query_parser

LENGTH = 300
"""Bytes of a snippet at most, but for the ellipses: it ends with a sentence if one ends near."""
_LEAD = 60
"""Bytes before the first matched word that a snippet may begin with."""
_SEARCHED = 4_096
"""Bytes of a provision that are looked through where no chunk says where to look."""
_ACRONYM_LENGTH = 8

_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W_]+(?:['’][^\W\d_]+)?")
_WORD_OF_BYTES = re.compile(rb"(?:[A-Za-z]\.){2,}|[A-Za-z0-9]+(?:(?:'|\xe2\x80\x99)[A-Za-z]+)?")
_ACCENTED = re.compile("[À-ɏ]")
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_PLAIN_ENDS = frozenset(b' .,;:)(]"-/\n')
"""What ends a word for sure; an apostrophe, or what is not ASCII, may not."""


@dataclass(frozen=True, slots=True)
class Terms:
    """A query's words, prepared for finding them in many texts.

    Attributes:
        stems: the tokens that a word must have to be a match.
        raw: what such words begin with, in lower case and UTF-8.
        whole: for each, whether it is a match as it stands.
    """

    stems: frozenset[str]
    raw: tuple[bytes, ...]
    whole: tuple[bool, ...]


@lru_cache(maxsize=4_096)
def query_terms(query: str) -> Terms:
    """Return the terms to highlight for a query."""
    stems = query_parser().parse(query).terms
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
    return Terms(
        stems,
        tuple(part.encode() for part in beginnings),
        tuple(_stem(part) in stems for part in beginnings),
    )


def make_snippet(text: memoryview, terms: Terms, *, span: tuple[int, int] | None) -> Snippet:
    """Cut the best stretch out of a provision's text.

    Args:
        text: UTF-8, white space folded but for line ends, as provisions have it.
        terms: what to look for.
        span: bytes of the chunk that matched best; None to look through the text.
    """
    first, last = span or (0, min(len(text), _SEARCHED))
    raw = bytes(text[first:last])
    place = _best_place(raw, terms.raw)
    if place < 0:  # words are mostly in lower case as it is; only where none is found are capitals put down
        place = _best_place(raw.lower(), terms.raw)
    start = _sentence_start(raw, place)
    if start == 0 < first and text[first - 1] in _WORD_BYTES and raw[:1].isalnum():
        start = raw.find(b" ", 0, _LEAD) + 1  # the chunk begins within a word
    end = start + LENGTH
    end = len(raw) if end >= len(raw) else _good_end(raw, start, end)
    part = raw[start:end].strip()
    shown = str(part, "utf-8", "ignore").replace("\n", " ")
    spans = _highlight(part, shown, terms)
    if shown and first + start > 0:
        shown = "… " + shown
        spans = [(begin + 2, finish + 2) for begin, finish in spans]
    if shown and first + end < len(text):
        shown += " …"
    return Snippet(shown, tuple(spans))


def _highlight(part: bytes, shown: str, terms: Terms) -> list[tuple[int, int]]:
    """Return where words of the query stand in `shown`, in characters, in order and without overlap.

    Args:
        part: `shown` as UTF-8, where places are looked for: it is searched and put in lower case faster.
        shown: the same as characters.
        terms: what to look for.
    """
    if len(part) == len(shown):
        return _disjoint(_find_words(part, terms))
    if _ACCENTED.search(shown):
        return [match.span() for match in _WORD.finditer(shown) if _stem(match.group()) in terms.stems]
    return [
        (len(str(part[:start], "utf-8")), len(str(part[:end], "utf-8")))
        for start, end in _disjoint(_find_words(part, terms))
    ]


def _disjoint(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if len(found) < 2:
        return found
    found.sort()
    spans, last = [], 0
    for span in found:
        if span[0] >= last:
            spans.append(span)
            last = span[1]
    return spans


def _find_words(part: bytes, terms: Terms) -> list[tuple[int, int]]:
    """Return the bytes over which words of the query stand."""
    lowered = part.lower()
    found = []
    find, length, stems = lowered.find, len(lowered), terms.stems
    for beginning, whole in zip(terms.raw, terms.whole, strict=True):
        place = find(beginning)
        while place >= 0:
            end = place + len(beginning)
            if place == 0 or lowered[place - 1] not in _WORD_BYTES:
                if end == length or lowered[end] in _PLAIN_ENDS:
                    if whole:
                        found.append((place, end))
                elif (match := _WORD_OF_BYTES.match(part, place)) and _stem_of_bytes(match.group()) in stems:
                    end = match.end()
                    found.append((place, end))
            place = find(beginning, end)
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


@lru_cache(maxsize=65_536)
def _stem_of_bytes(word: bytes) -> str:
    return _stem(str(word, "utf-8"))


def _best_place(raw: bytes, beginnings: tuple[bytes, ...]) -> int:
    """Return where the stretch begins that holds the first places of most words; -1 where there is none."""
    places = []
    for beginning in beginnings:
        place = raw.find(beginning)
        while place > 0 and raw[place - 1] in _WORD_BYTES:  # within a word, not its beginning
            place = raw.find(beginning, place + 1)
        if place >= 0:
            places.append(place)
    if len(places) < 2:
        return places[0] if places else -1
    places.sort()
    if places[-1] - places[0] < LENGTH:
        return places[0]
    best, most, first = places[0], 0, 0
    for last, place in enumerate(places):
        while place - places[first] >= LENGTH:
            first += 1
        if last - first >= most:  # the last of equals: it holds the word that comes latest, a rare one
            best, most = places[first], last - first
    return best


def _sentence_start(raw: bytes, place: int) -> int:
    """Return a good first byte for a snippet whose matter is at `place`: a sentence's start or a word's."""
    low = place - _LEAD
    if low <= 0:
        return 0
    start = max(raw.rfind(b"\n", low, place) + 1, raw.rfind(b". ", low, place) + 2)
    if start > low:
        return start
    return raw.find(b" ", low, place) + 1 or place


def _good_end(raw: bytes, start: int, end: int) -> int:
    """Return a good end for a snippet: that of a sentence or line in its last third, else that of a word."""
    low = end - LENGTH // 3
    found = max(raw.rfind(b". ", low, end) + 1, raw.rfind(b"\n", low, end))
    if found > low:
        return found
    space = raw.rfind(b" ", start + 1, end)
    return space if space > 0 else end
