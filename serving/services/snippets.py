"""Snippets: the part of a provision that holds most of a query's phrases and words, and their positions.

Written to cost a few microseconds: stretches are chosen by looking for the words' beginnings in raw bytes,
and only words found so are stemmed and compared with the query's.
"""

import re
from dataclasses import dataclass

from serving.contract.indexes import joined_words
from serving.services.phrases import Phrase, find_phrases
from serving.services.requests import Snippet, Span
from serving.snapshot.query import LONGEST, REMEMBERED, STOP_WORDS, query_parser
from serving.snapshot.remembering import remember

LENGTH = 300
"""Most bytes of a snippet, without the ellipses; it ends with a sentence if one ends nearby."""
_LEAD = 60
"""Most bytes of a snippet before the first matched word where its sentence does not fit."""
_WINDOW = LENGTH - _LEAD
"""Most bytes from the first word that a snippet is chosen for to the end of the last."""
_PLACES = 12
"""Places of a word that are looked at, in one chunk."""
_SENTENCE_BREAK = re.compile(
    rb"\s(?:(?<=\n)\n*|(?:(?<=[a-z]{3}[.;:]\s)|(?<=[)\]\d][.;]\s))\s*(?=[A-Z(\xe2]))"
)
"""The space between two sentences, items or lines; `Sec. 5` and `Pub. L.` hold none. It begins with the space
itself, which is found quickly."""
_BREAK = 16
"""Most bytes of that space: white space is folded, but for the ends of lines."""
_DIVISION = re.compile(rb" ?(?:[.:\n]|\xe2\x80\x94)(?:[ .:\n-]|\xe2\x80\x94)*")
"""Signs between a heading and the text after it."""
_SEARCHED = 4_096
"""Bytes of a provision that are searched first if no chunk tells where to look."""
_ACRONYM_LENGTH = 8
_LONGEST_WORD = 32
"""Most characters, or bytes, of a word whose stem is remembered."""

_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W_]+(?:['’][^\W\d_]+)?")
_WORD_OF_BYTES = re.compile(rb"(?:[A-Za-z]\.){2,}|[A-Za-z0-9]+(?:(?:'|\xe2\x80\x99)[A-Za-z]+)?")
_BEHIND_WORD = re.compile(rb"[\s\xe2]")
"""The end of a word and of the signs behind it: white space or a dash."""
_ASCII = bytes(range(128))
_ACCENTED = frozenset("".join(map(chr, range(0xC0, 0x250))).encode()) - frozenset(range(0x80, 0xC0))
"""First bytes of accented Latin letters in UTF-8; dashes, quotes and section signs begin with others."""
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_PLAIN_ENDS = frozenset(b' .,;:)(]"-/\n')
"""Bytes that certainly end a word; an apostrophe, or a byte that is not ASCII, may not."""


@dataclass(frozen=True, slots=True)
class Terms:
    """A query's words, prepared for finding them in many texts.

    Attributes:
        stems: the tokens that a word must have to be a match.
        raw: the beginnings of such words, in lower case and UTF-8, each with its length in bytes and whether
            it is a match as it stands.
        phrases: tokens of its phrases in quotation marks. Their little words, as `of`, match in them alone.
    """

    stems: frozenset[str]
    raw: tuple[tuple[bytes, int, bool], ...]
    phrases: tuple[Phrase, ...] = ()


# Terms are larger than what the parser remembers of a query: half as many take as much room.
@remember(entries=REMEMBERED // 2, longest=LONGEST)
def query_terms(query: str) -> Terms:
    """Return the terms to highlight for a query."""
    parsed = query_parser().parse(query)
    stems = parsed.terms - _little_words(query) if parsed.phrases else parsed.terms
    beginnings: dict[str, None] = {}
    for word in _WORD.findall(query):
        token = _stem(word)
        if token not in stems:
            continue
        lowered = joined_words(word).lower()
        # The stemmer writes `polici` for policy and policies alike: what comes before the i is common.
        shared = _shared_beginning(lowered, token).rstrip("i")
        beginnings[shared if len(shared) > 1 else lowered] = None
        if len(lowered) < _ACRONYM_LENGTH and ("." in word or (word.isupper() and word.isalpha())):
            beginnings[".".join(lowered) + "."] = None  # `USC` and `U.S.C.` find each other
    raw = [(part.encode(), _stem(part) in stems) for part in beginnings]
    return Terms(stems, tuple((part, len(part), whole) for part, whole in raw), parsed.phrases)


def _little_words(query: str) -> set[str]:
    return {_stem(word) for word in _WORD.findall(query) if word.lower() in STOP_WORDS}


def make_snippet(
    text: memoryview, terms: Terms, *, span: tuple[int, int] | None, heading: str = ""
) -> Snippet:
    """Return the best snippet of a provision's text: whole sentences, as far as they fit.

    Args:
        text: UTF-8, white space folded but for line ends, as provisions have it.
        terms: words of the query.
        span: bytes of the chunk that matched best; None to look through the text.
        heading: of the provision, which is shown beside the snippet and not again where the text repeats it.
    """
    first, last = span or (0, min(len(text), _SEARCHED))
    raw = bytes(text[first:last])
    if terms.phrases and not any(find_phrases(raw, terms.phrases)):
        first, raw = _around_phrase(bytes(text), terms) or (first, raw)
    elif span is None and last < len(text) and _best_window(raw.lower(), terms) is None:
        raw = bytes(text)
    repeated = 0 if first else _repeated(raw, heading)
    raw, first = raw[repeated:], first + repeated
    # Words are mostly in lower case as it is; only where none is found are capitals put down.
    place, last = _best_window(raw, terms) or _best_window(raw.lower(), terms) or (0, 0)
    if last and len(raw) > LENGTH:
        last = _end_of_word(raw, last)
    start = _good_start(raw, place, last) if place > 0 else 0
    if start == 0 < first and text[first - 1] in _WORD_BYTES and raw[:1].isalnum():
        start = raw.find(b" ", 0, _LEAD) + 1  # the chunk begins within a word
    end = start + LENGTH
    end = len(raw) if end >= len(raw) else _good_end(raw, start, end, last)
    part = raw[start:end].strip()
    shown = str(part, "utf-8", "ignore").replace("\n", " ")
    if not shown:
        return Snippet("", ())
    before = "… " if first + start > repeated else ""
    after = " …" if first + end < len(text) else ""
    spans = _highlight(part, shown, terms, len(before))
    return Snippet(f"{before}{shown}{after}", tuple(map(Span._make, spans)))


def _around_phrase(raw: bytes, terms: Terms) -> tuple[int, bytes] | None:
    """Return the place and the bytes of a stretch of a text that holds a phrase; None where none is there.

    What was found by its phrase need not have it in the chunk that is nearest in meaning.
    """
    place = min((start for start, _, _ in find_phrases(raw, terms.phrases)), default=None)
    if place is None:
        return None
    first = raw.find(b" ", max(0, place - LENGTH), place) + 1 if place > LENGTH else 0
    return first, raw[first : place + _SEARCHED]


def _repeated(raw: bytes, heading: str) -> int:
    """Return the bytes at the beginning that repeat the heading, with what divides them from the rest."""
    stated = heading.strip().rstrip(".").encode()
    if not stated or raw[: len(stated)].lower() != stated.lower():
        return 0
    divided = _DIVISION.match(raw, len(stated))
    return divided.end() if divided and divided.end() < len(raw) else 0


def _highlight(part: bytes, shown: str, terms: Terms, shift: int) -> list[tuple[int, int]]:
    """Return the positions of the query's words in `shown`, in characters, in order and without overlap.

    Args:
        part: `shown` as UTF-8, which is faster to search and to put in lower case.
        shown: the same as characters.
        terms: words of the query.
        shift: characters that will stand before `shown`, added to each position.
    """
    if len(part) == len(shown):
        return _disjoint(_find_phrases(part, terms, shift) + _find_words(part, terms, shift))
    phrases = _find_phrases(part, terms, 0)
    if not _ACCENTED.isdisjoint(part.translate(None, _ASCII)):
        words = [match.span() for match in _WORD.finditer(shown) if _stem(match.group()) in terms.stems]
        spans = _disjoint(_of_characters(part, _disjoint(phrases)) + words)
    else:
        spans = _of_characters(part, _disjoint(phrases + _find_words(part, terms, 0)))
    return [(start + shift, end + shift) for start, end in spans]


def _of_characters(part: bytes, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans of bytes, in order and without overlap, as spans of the characters that these encode."""
    of_characters, last, count = [], 0, 0
    for start, end in spans:
        begin = count + len(part[last:start].decode())
        last, count = end, begin + len(part[start:end].decode())
        of_characters.append((begin, count))
    return of_characters


def _disjoint(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, of those that overlap the first, and of those with one start the longest."""
    if len(found) < 2:
        return found
    found.sort(key=_longest_first)
    spans, last = [], 0
    for span in found:
        if span[0] >= last:
            spans.append(span)
            last = span[1]
    return spans


def _longest_first(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], -span[1]


def _find_phrases(part: bytes, terms: Terms, shift: int) -> list[tuple[int, int]]:
    return [(start + shift, end + shift) for start, end, _ in find_phrases(part, terms.phrases)]


def _find_words(part: bytes, terms: Terms, shift: int) -> list[tuple[int, int]]:
    """Return the spans of the query's words in bytes, counted from `shift` bytes before the part."""
    lowered = part.lower()
    found = []
    find, length, stems = lowered.find, len(lowered), terms.stems
    for beginning, size, whole in terms.raw:
        place = find(beginning)
        while place >= 0:
            end = place + size
            if place == 0 or lowered[place - 1] not in _WORD_BYTES:
                if end == length or lowered[end] in _PLAIN_ENDS:
                    if whole:
                        found.append((place + shift, end + shift))
                else:
                    space = find(b" ", end)
                    stem, size_of_word = _first_word(lowered[place : space if space > 0 else length])
                    if stem in stems:
                        end = place + size_of_word
                        found.append((place + shift, end + shift))
            place = find(beginning, end)
    return found


def _shared_beginning(word: str, stem: str) -> str:
    for length, (left, right) in enumerate(zip(word, stem, strict=False)):
        if left != right:
            return word[:length]
    return word[: len(stem)]


@remember(entries=65_536, longest=_LONGEST_WORD)
def _stem(word: str) -> str:
    tokens = query_parser().analyze(word)
    return tokens[0] if tokens else ""


@remember(entries=65_536, longest=_LONGEST_WORD)
def _first_word(run: bytes) -> tuple[str, int]:
    """Return the stem and the length of the first word before a space; ("", 0) if there is none."""
    match = _WORD_OF_BYTES.match(run)
    return (_stem(str(match[0], "utf-8")), match.end()) if match else ("", 0)


def _best_window(raw: bytes, terms: Terms) -> tuple[int, int] | None:
    """Return the start and the end of the stretch that holds most of the query's words; None if none does.

    One that holds a phrase comes before all that have its words apart. It is as long as a snippet at most,
    begins and ends with a phrase or a word, and is the first of equals.
    """
    words = len(terms.raw)
    places = [
        (start, min(end, start + _WINDOW), words + number)
        for start, end, number in find_phrases(raw, terms.phrases)
    ]
    for term, (beginning, size, _) in enumerate(terms.raw):
        place = raw.find(beginning)
        for _ in range(_PLACES):
            while place > 0 and raw[place - 1] in _WORD_BYTES:  # within a word, not its beginning
                place = raw.find(beginning, place + 1)
            if place < 0:
                break
            places.append((place, place + size, term))
            place = raw.find(beginning, place + size)
    places.sort()
    best, most = None, 0
    for number, (start, _, _) in enumerate(places):
        held: set[int] = set()
        last, weight = start, 0
        for _, end, term in places[number:]:
            if end - start > _WINDOW:
                break
            if term not in held:
                held.add(term)
                last = max(last, end)
                weight += 1 if term < words else words + 1
        if weight > most:
            best, most = (start, last), weight
    return best


def _last_start(raw: bytes, low: int, high: int) -> int | None:
    """Return the last beginning of a sentence from `low` to `high`, but the first of all; None without."""
    found = None
    # What stands between two sentences is a few bytes, and the letter behind it is needed too.
    for match in _SENTENCE_BREAK.finditer(raw, max(0, low - _BREAK), high + 1):
        if low <= match.end() <= high:
            found = match.end()
    return found


def _good_start(raw: bytes, place: int, last: int) -> int:
    """Return where a snippet of the stretch from `place` to `last` begins: with its sentence if it can."""
    if last <= LENGTH // 2:
        return 0
    low = max(0, last - LENGTH)
    start = _last_start(raw, low, place)
    if start is not None or low == 0:
        return start or 0
    return raw.find(b" ", max(low, place - _LEAD), place) + 1 or place


def _good_end(raw: bytes, start: int, end: int, last: int) -> int:
    """Return a good end for a snippet: that of a sentence in its second half, else that of a word.

    It does not lie before `last`, the end of the stretch that the snippet was chosen for.
    """
    whole = _last_start(raw, max(start + LENGTH // 2 + 1, last), end)
    if whole is not None:
        return whole
    space = raw.rfind(b" ", max(start + 1, last), end + 1)
    if space > 0:
        return space
    return last if last > start else end


def _end_of_word(raw: bytes, place: int) -> int:
    """Return where the word that a place lies in ends, with the signs behind it."""
    most = min(place + _LONGEST_WORD, len(raw))
    found = _BEHIND_WORD.search(raw, place, most)
    return found.start() if found else most
