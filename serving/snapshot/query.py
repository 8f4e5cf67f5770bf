"""Queries as users type them, parsed into terms and phrases. Any text can be parsed: none is an error."""

import re
from dataclasses import dataclass
from functools import lru_cache

import tantivy

from serving.contract.indexes import joined_words, legal_analyzer
from serving.snapshot.remembering import remember

MAX_GROUPS, _MOST_PINPOINTS = 32, 8
"""Most words of a query, and numbers with their paragraphs, that are used; more only cost time."""

_STOP_WORDS = (
    "a about am an and any are as at be been being but by can could did do does doing for from had "
    "has have having he her hers him his how i if in into is it its itself me my mine no nor not of "
    "on or our ours she should so some such than that the their theirs them then there these they "
    "this those to too under upon us was we were what when where whether which while who whom whose "
    "why will with would you your "
)
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that are dropped from a query, unless no others are left. The index holds them, for phrases."""

_ASKING = (
    "am are can can't could did didn't do does doesn't don't had has have having he how i i'm i've if "
    "is isn't it's me my our she should their they they're was we were what what's when where which "
    "who why will won't would you your cant didnt doesnt dont im isnt ive wont whats "
)
ASKING = frozenset(_ASKING.split())
"""Words of grammar that make a question or a sentence of a query."""

_FILLER = (
    "actually allow allowed already also another any anybody anyone anything ask asked asking away "
    "back because before but came come else even ever every everybody everyone everything find for "
    "get gets getting give gives giving go goes going gone good got gotten guy guys happen happened "
    "happens he's help i'd i'll i'm i've it's just keep keeps kind know let lets like long look lot "
    "lots made make makes making many mean means more much must myself need needs never new now off "
    "ok okay one only other out people person please put really right said say saying says see she's "
    "since somebody someone something sort start started still stuff supposed sure take takes taking "
    "tell that's there's thing things think told took tried try trying up use using very want wanted "
    "wants way well went what's when's where's who's without yes yet can't couldn't didn't doesn't "
    "don't hasn't haven't isn't shouldn't wasn't won't cant couldnt didnt doesnt dont hasnt havent im "
    "isnt ive shouldnt thats theres wasnt whats wont "
)
FILLER = frozenset(_FILLER.split())
"""Words of talk that say nothing of the law: dropped from a sentence, unless no others are left there.
Rare in the law as they are, they would count most."""

CITATION_WORDS = frozenset(("app", "appendix", "art", "code", "dc", "section", "sec", "stat", "titl", "usc"))
"""Tokens of a citation beside its numbers."""

_QUOTED = re.compile(r'["“”„](?<!\w.)((?!\s)[^"“”„]++(?<!\s))["“”„](?!\w)')
"""A phrase: a mark that begins a word to one that ends a word. The inches of `6" high` begin none."""
_SPECIAL = re.compile(r'["“”„\d]')
"""Characters that a query must contain if it holds a phrase or a number."""
_PUNCTUATION = ".,;:!?'()"
REMEMBERED, LONGEST = 1024, 200
"""Queries that are remembered, and characters of the longest of them: few people type more."""
_PINPOINT = re.compile(r"(?<![^\s()])([^\s()\d]*+\d[^\s()]*+)((?:\([^\s()]{1,6}\))+)")
"""A number and its paragraphs. Without giving anything back: 500 digits would take seconds otherwise."""


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query in analysed tokens.

    Attributes:
        groups: runs of tokens that should match: one token for a word, several for a number such as
            `29-801.02`, which is meant as a whole.
        phrases: runs that must match, from quotation marks.
        pinpoints: numbers with their paragraphs, such as `107(a)`, which make a match better.
        numbered: all tokens in the order typed, where a number is among them: perhaps a citation.
        asks: the query is a question or a sentence, by its words of grammar.
    """

    groups: tuple[tuple[str, ...], ...]
    phrases: tuple[tuple[str, ...], ...]
    pinpoints: tuple[tuple[str, ...], ...]
    numbered: tuple[str, ...]
    asks: bool = False

    @property
    def terms(self) -> frozenset[str]:
        """All tokens that a match may hold, as the analyzer writes them, for highlights."""
        parts = (*self.groups, *self.phrases)
        return frozenset(token for part in parts for token in part)


class QueryParser:
    """Turns text into `ParsedQuery`. Safe to share between threads."""

    def __init__(self) -> None:
        self._analyzer: tantivy.TextAnalyzer = legal_analyzer()
        # A search parses its query twice, to find and to highlight; paging repeats it.
        self.parse = remember(entries=REMEMBERED, longest=LONGEST)(self._parse)

    def analyze(self, text: str) -> list[str]:
        """Return the tokens of a text as the index holds them."""
        # A lone surrogate has no UTF-8 form, and the analyser takes nothing else.
        sound = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
        return list(self._analyzer.analyze(joined_words(sound)))

    def _parse(self, text: str) -> ParsedQuery:
        """Return the query that a user's text stands for; one without groups and phrases matches nothing."""
        if _SPECIAL.search(text) is None:
            kept, asks = _content(text.split())
            tokens = self.analyze(" ".join(kept)) or self.analyze(text)
            alone = tuple((token,) for token in dict.fromkeys(tokens))
            return ParsedQuery(alone[:MAX_GROUPS], (), (), (), asks)
        phrases = [tuple(self.analyze(match)) for match in _QUOTED.findall(text)]
        rest = _QUOTED.sub(" ", text)
        pinpoints = dict.fromkeys(
            tuple(self.analyze(number + paragraphs)) for number, paragraphs in _PINPOINT.findall(rest)
        )
        rest = _PINPOINT.sub(r"\1 ", rest)
        words = rest.split()
        kept, asks = _content(words)
        groups = self._groups(kept)
        if any(len(group) > 1 or group[0].isdigit() for group in groups):
            # Beside a number these words are its sign: `D.C. Code` stands in the citation of every section.
            groups = tuple(group for group in groups if group[0] not in CITATION_WORDS)
        if not groups and not any(phrases):
            groups = self._groups(words)
        return ParsedQuery(
            groups=groups,
            phrases=tuple(dict.fromkeys(filter(None, phrases)))[:MAX_GROUPS],
            pinpoints=tuple(pinpoint for pinpoint in pinpoints if len(pinpoint) > 1)[:_MOST_PINPOINTS],
            numbered=tuple(self.analyze(rest))[:MAX_GROUPS] if any(map(str.isdigit, rest)) else (),
            asks=asks,
        )

    def _groups(self, words: list[str]) -> tuple[tuple[str, ...], ...]:
        groups: dict[tuple[str, ...], None] = {}
        for word in words:
            tokens = self.analyze(word)
            if len(tokens) > 1 and any(character.isdigit() for character in word):
                groups[tuple(tokens)] = None
            else:
                groups.update(((token,), None) for token in tokens)
        return tuple(groups)[:MAX_GROUPS]


def _content(words: list[str]) -> tuple[list[str], bool]:
    """Return the words of a query that say what it is about, and whether it is a question or a sentence."""
    plain = [word.strip(_PUNCTUATION).lower().replace("’", "'") for word in words]
    asks = not ASKING.isdisjoint(plain)
    for dropped in (STOP_WORDS | FILLER, STOP_WORDS) if asks else (STOP_WORDS,):
        kept = [word for word, written in zip(words, plain, strict=True) if written not in dropped]
        if kept:
            break
    return kept, asks


@lru_cache(maxsize=1)
def query_parser() -> QueryParser:
    """Return the parser of this process; the analyzer is the same for all snapshots of this format."""
    return QueryParser()
