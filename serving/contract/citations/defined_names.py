"""Names of laws that a text defines for itself: `the Ohio Arbitration Act (the “Arbitration Act”)`.

From its definition on such a name means what the text says, whatever else is known by it. Right or silent:
where the law that it is defined for is not known, or is another's, the name is none of ours.
"""

import re
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile
from typing import NamedTuple

from serving.contract.citations.acts_of_codes import jurisdiction_of
from serving.contract.citations.acts_of_places import end_of_place, is_of_place_before, year_behind
from serving.contract.citations.grammar import ActName, CodeName, Grammar, folded_name_key, name_key
from serving.contract.citations.known_names import Anchor
from serving.contract.citations.law_names import begins_name, is_named_longer
from serving.contract.citations.quoted_words import is_quoted
from serving.contract.citations.scheme import FEDERAL
from serving.contract.citations.source import SourceText, fold, skip

_ASIDE = re.compile(
    r"\((?P<round>[^()]{2,200})\)|\[(?P<square>[^\[\]]{2,200})\]"
    r"|,\s(?P<open>(?:herein(?:after)?|hereafter)\b[^()\[\]“”\"]{0,40}(?:“[^“”]{2,80}”|\"[^\"]{2,80}\"))"
)
"""Brackets that may define a name, or the same without them: `, hereinafter the “Arbitration Act”`."""
_FURTHER = re.compile(r";.*", re.DOTALL)
"""Words behind a definition, in the same brackets: `(the “Arbitration Act”; see Appendix A)`."""
_QUOTED = re.compile(r"“(?P<a>[^“”]{2,80})”|\"(?P<b>[^\"]{2,80})\"|‘(?P<c>[^‘’]{2,80})’|'(?P<d>[^']{2,80})'")
_AROUND = re.compile(
    r"(?:\b(?:herein(?:after)?|hereafter|collectively|together|individually|jointly|each|also|sometimes"
    r"|referred|to|called|known|cited|defined|as|in|short|for|by|the|an?|this|and|or)\b|[\s,;:])*",
    re.IGNORECASE,
)
"""Words around the names in a definition: `(hereinafter referred to as the “FAA” or the “Act”)`."""
_NAME = re.compile(r"(?:(?:the|this)\s+)?(?P<name>.*?)[\s,.]*", re.IGNORECASE | re.DOTALL)
_INITIALS = re.compile(r"(?:the )?(?P<name>[A-Z](?:\.?[A-Z&]){1,9}\.?)")
_RUN = re.compile(
    r"(?:(?:[A-Z][\w’'.-]*|of|the|and|for|in|with|on|to|by|against|&|(?:1[789]|20)\d\d),?\s+){0,15}"
    r"(?:[A-Z][\w’'.-]*|(?:1[789]|20)\d\d),?\s*\Z"
)
"""Words in capitals before a bracket, whose initials may stand in it."""
_WORD = re.compile(r"\w[\w’']*")
_YEAR = re.compile(r"(?:,| of) \d{4}\Z")
_CITED = (
    r"(?:\d{1,2} ?U\.? ?S\.? ?C\.?(?: ?A\.)?|D\. ?C\. (?:Official )?Code)(?: (?:ch|app)\. ?\w+)?"
    r"(?: ?§{1,2} ?\d[\w().:–-]*(?:(?:, | and | to | & )\d[\w().:–-]*){0,4})?(?: et seq\.)?"
)
_PUBLIC_LAW = r"Pub\. ?L\.(?: No\.)? ?\d+[-–]\d+"
_BETWEEN = re.compile(
    rf"(?: (?:Act|Law|Statute|Code))?(?:,? §{{1,2}} ?\d[\w().–-]*)?"
    rf"(?:,? ?\(?(?:as amended|codified|at|in|{_CITED}|{_PUBLIC_LAW}"
    rf"|\d+ Stat\. \d+|ch\. \d+|\d{{4}})\)?)*,?\s*"
)
"""Words between an act and the definition of its name: its year, and the place where it is found."""
_NAME_OF_LAW = re.compile(
    r"(?:[A-Z][\w’'.&-]*[ ](?:of[ ])?){0,6}(?:Act|Code|Statute|Law|Ordinance)|[A-Z]{3,8}"
)
"""A name that a text may define for a law though nothing else has it: `the “Act”`, `the “Municipal Code”`."""
_OF_SEVERAL = re.compile(r"\b(?:collectively|together|jointly|each|individually)\b", re.IGNORECASE)
_NOT_ALONE = re.compile(r"(?:\b(?:amended\s+by|and|or|as\s+well\s+as)|&)\s+(?:the\s+)?\Z")
"""Words before a law by which a name may be that of more: `the Copyright Act and the Lanham Act`."""
_YEAR_BEFORE = re.compile(r"\b\d{4}\s+\Z")
_THE_VERY = re.compile(r"\b(?:[Tt]hat|[Tt]hose|[Ss]uch|[Ss]aid|[Aa]n?|[Aa]nother|[Oo]ther)\s+\Z")
"""Words before a name by which it is that of another law, or of any: `section 5 of that Act`."""
_BLANK = re.compile(r",?\s*")
_BEFORE_PLACE = re.compile(r",? {1,2}\(?(?:codified at )?")
_BLANKS = re.compile(r"\s*")
_TITLED = r"[Tt]itle (?P<title>\d{1,2})(?: of the|,) (?:United States|U\. ?S\.) Code"
_PLACE_OF_LAW = re.compile(rf"(?P<place>{_CITED}|{_PUBLIC_LAW}|{_TITLED})")
_PLACE_BEHIND = re.compile(rf",? {{0,2}}(?P<place>{_CITED}|{_PUBLIC_LAW}|{_TITLED})")
_NUMBER = re.compile(r"\s*(?:§.*|(?:ch|app)\..*|et seq.*|No\.\s*)", re.DOTALL)
_FEDERAL = re.compile(
    r"\b(?:[Tt]he|[Aa]) (?:federal|United States|U\. ?S\.)(?: [a-z-]+){0,4} (?:statute|act|law|code)s?,?\s*\Z"
)
"""Words for a law that leave its name what it is: `the federal copyright statute (the “Copyright Act”)`."""
_FEDERAL_NAME = re.compile(r"\b(?:[Ff]ederal|United\sStates|U\. ?S\.|American)\s+\Z")
_BEFORE = 240
_LONGEST_WORD = 20


class _Defining(NamedTuple):
    """A name over [start, end) of a text, and the characters [first, last) that define it."""

    start: int
    end: int
    first: int
    last: int


class Definition(NamedTuple):
    """Definition of a name in characters [start, end) of a text.

    Attributes:
        meanings: what it means from there on; empty where that is not known.
        law: name of what it is defined for, by which that is told from the known law of the name.
    """

    start: int
    end: int
    meanings: tuple[CodeName | ActName, ...]
    law: str


class DefinedNames:
    """The names of laws that a text defines, each with its definitions in their order."""

    def __init__(self, source: SourceText, grammar: Grammar) -> None:
        """Read the definitions in a text."""
        self._source = source
        self._text = source.original
        self._by_key: defaultdict[str, list[Definition]] = defaultdict(list)
        own: defaultdict[str, list[Definition]] = defaultdict(list)
        reader: _Reader | None = None
        for defining in _defining(source.original):
            start, end = defining.start, defining.end
            is_known = grammar.names.is_name(source.folded, start, end)
            if not is_known and _NAME_OF_LAW.fullmatch(source.original, start, end) is None:
                continue
            reader = reader or _Reader(source, grammar)
            name = source.folded[start:end]
            meant = reader.meanings(name, defining) if is_known else reader.meanings_of_own(defining)
            if meant is not None:
                one = Definition(start, end, tuple(meant), reader.law(defining))
                (self._by_key[folded_name_key(name)] if is_known else own[source.original[start:end]]).append(
                    one
                )
        self._own = deque(self._places_of_own(own))

    def own_name(self, position: int) -> Anchor | None:
        """Return the first name from a position on that nothing but the text has for a law.

        Positions must rise from call to call.
        """
        while self._own and self._own[0].start < position:
            self._own.popleft()
        return self._own[0] if self._own else None

    def _places_of_own(self, own: Mapping[str, Sequence[Definition]]) -> Iterator[Anchor]:
        """Yield the places behind their definitions of names that mean one law in all of the text."""
        sure = {name: each for name, each in own.items() if each[0].meanings and _is_one_law(each)}
        if not sure:
            return
        self._by_key.update((name_key(name), [*each]) for name, each in sure.items())
        names = "|".join(re.escape(name) for name in sorted(sure, key=len, reverse=True))
        for match in re.finditer(rf"(?<![\w.’'-])(?:{names})(?![\w’'-])", self._text):
            start, end = match.span()
            if start >= sure[match.group()][0].end and not self._is_of_another(start, end):
                yield Anchor(start, end, self._source.folded[start:end])

    def _is_of_another(self, start: int, end: int) -> bool:
        """Return True where a name is that of another law, by the words beside it or as another's words."""
        window = max(0, start - _LONGEST_WORD)
        return (
            is_named_longer(self._source, start, end)
            or is_of_place_before(self._text, start)
            or _YEAR_BEFORE.search(self._text, window, start) is not None
            or _THE_VERY.search(self._text, window, start) is not None
            or is_quoted(self._text, start)
        )

    def at(self, anchor: Anchor) -> Definition | None:
        """Return the definition by which a name is to be read where it stands; None where it has none.

        `The United States Copyright Act` is not the one that a text calls so for short.
        """
        defined = self._by_key.get(folded_name_key(anchor.name), ())
        place = bisect_right(defined, anchor.start, key=lambda one: one.start)
        if place == 0:
            return None
        window = max(0, anchor.start - _LONGEST_WORD)
        federal = _FEDERAL_NAME.search(self._text, window, anchor.start)
        return None if federal and not defined[place - 1].meanings else defined[place - 1]


def end_of_definition(text: str, position: int) -> int | None:
    """Return the end of what defines a name right behind a position, such as `(the “Act”)`; else None."""
    aside = _ASIDE.match(text, skip(_BLANKS, text, position)) or _ASIDE.match(text, position)
    return aside.end() if aside is not None and any(_defined_by(text, aside)) else None


class _Reader:
    """Reads what stands before the definition of a name."""

    def __init__(self, source: SourceText, grammar: Grammar) -> None:
        text = source.original
        self._source = source if "\n" not in text else SourceText(text.replace("\n", " "), source.folded)
        self._grammar = grammar

    def meanings(self, name: str, defining: _Defining) -> Sequence[CodeName | ActName] | None:
        """Return the meanings of a name that is defined; None where it keeps its own."""
        text = self._source.original
        own = self._grammar.meanings(name)
        bracket = defining.first
        begin = max(0, bracket - _BEFORE)
        law = self._law_before(defining)
        if law is not None:
            return _named(law, own, text[defining.start : defining.end])
        if _FEDERAL.search(text, begin, bracket):
            return None
        found = [
            one
            for one in _PLACE_OF_LAW.finditer(text, begin, bracket)
            if not text[one.end() : bracket].strip(" ,")
        ]
        place = found[-1] if found else _PLACE_BEHIND.match(text, defining.last)
        return _at(own, f"{place['title']} U.S.C." if place["title"] else place["place"]) if place else ()

    def meanings_of_own(self, defining: _Defining) -> Sequence[CodeName | ActName]:
        """Return the meanings of a name that nothing else has; empty if it is not that of one known law."""
        text = self._source.original
        if _OF_SEVERAL.search(text, defining.first, defining.last):
            return ()
        law = self._law_before(defining, alone=True)
        return _named(law or (), (), text[defining.start : defining.end])

    def law(self, defining: _Defining) -> str:
        """Return the name of what a name is defined for."""
        text = self._source.original
        run = _RUN.search(text, max(0, defining.first - _BEFORE), defining.first)
        words = run.group().strip(" ,").split() if run else []
        named = " ".join(dropwhile(lambda word: not begins_name(word), words))
        if " " not in named or self._grammar.names.is_name(fold(named), 0, len(named)):
            return f"{' '.join(text[defining.start : defining.end].split())} (as defined in the text)"
        return named

    def _law_before(self, defining: _Defining, *, alone: bool = False) -> Sequence[CodeName | ActName] | None:
        """Return the meanings of the known law that is named right before a definition.

        Empty where it is another's that has a known name, and if `alone` where it may be one of several. None
        where no known law is named there.
        """
        text = self._source.original
        end = defining.first
        for anchor in reversed([*self._anchors(max(0, end - _BEFORE), end)]):
            meant = self._written(anchor)
            year = year_behind(text, anchor.end)
            last = year.end if year else anchor.end
            acts = [one for one in meant if isinstance(one, ActName)]
            of_place = end_of_place(text, last, acts)
            if not meant or not (_BETWEEN if acts else _BLANK).fullmatch(text, of_place or last, end):
                continue
            is_of_another = is_named_longer(self._source, anchor.start, anchor.end)
            is_of_several = alone and _NOT_ALONE.search(
                text, max(0, anchor.start - _LONGEST_WORD), anchor.start
            )
            if of_place or is_of_another or is_of_several or is_of_place_before(text, anchor.start):
                return ()
            if acts and self._is_of_code_behind(acts, defining.last):
                return ()
            return [one for one in acts if year is None or one.may_be_of(year.year)] if acts else meant
        return None

    def _is_of_code_behind(self, acts: Sequence[ActName], position: int) -> bool:
        """Return True where the code of another place follows: `the Act (“FAA”), Ohio Rev. Code § 5`."""
        behind = skip(_BEFORE_PLACE, self._source.folded, position)
        named = self._grammar.names.name_at(self._source.folded, behind) if behind > position else None
        codes = [
            one.scheme.jurisdiction
            for one in (self._grammar.meanings(named.name) if named else ())
            if isinstance(one, CodeName)
        ]
        own = {FEDERAL, *(jurisdiction_of(self._grammar, act.popular) for act in acts)}
        return bool(codes) and own.isdisjoint(codes)

    def _anchors(self, begin: int, end: int) -> Iterator[Anchor]:
        while (anchor := self._grammar.names.search(self._source.folded, begin, end)) is not None:
            begin = anchor.end
            if anchor.name:
                yield anchor

    def _written(self, anchor: Anchor) -> list[CodeName | ActName]:
        """Return the laws that a name means as it is written: of a code of titles, no name is a law."""
        written = self._source.original[anchor.start : anchor.end]
        return [
            one
            for one in self._grammar.meanings(anchor.name)
            if one.is_written(written) and not (isinstance(one, CodeName) and _lacks_title(one))
        ]


def _named(
    law: Sequence[CodeName | ActName], own: Sequence[CodeName | ActName], written: str
) -> Sequence[CodeName | ActName]:
    """Return the meanings of a law by the name that is defined for it.

    Where the name means that law elsewhere too, what is known by the name; else all that is known of the law,
    by an abbreviation where the name is one elsewhere.
    """
    known = {_identity(one) for one in law}
    same = [one for one in own if _identity(one) in known]
    if not same:
        acts = [one.popular.name for one in law if isinstance(one, ActName)]
        same = [one for one in own if isinstance(one, ActName) and _is_one_of(one.popular.name, acts)]
    short = None if any(one.short is None for one in own) else written
    return same or [replace(one, short=short) for one in law]


def _lacks_title(code: CodeName) -> bool:
    return code.scheme.has_title and code.title is None


def _is_one_law(definitions: Sequence[Definition]) -> bool:
    """Return True where all definitions of a name are for the same law."""
    laws = {frozenset(map(_identity, one.meanings)) for one in definitions}
    return len(laws) == 1


def _identity(meaning: CodeName | ActName) -> tuple[str | None, ...]:
    """Return what tells a law from all others."""
    if isinstance(meaning, ActName):
        return ("act", meaning.popular.name)
    return ("code", meaning.scheme.key, meaning.title)


def _is_one_of(name: str, acts: Iterable[str]) -> bool:
    """Return True for the name of one of some acts, with a year that not both of them have."""
    plain = _YEAR.sub("", name)
    return any(plain in (act, _YEAR.sub("", act)) and plain in (act, name) for act in acts)


def _at(own: Sequence[CodeName | ActName], place: str) -> list[CodeName | ActName]:
    """Return the meanings of a name that are found at a place of a code, or were enacted by a public law."""
    key = name_key(_NUMBER.sub("", place)).replace("–", "-").replace("usca", "usc").replace("official", "")
    begins = re.compile(rf"{re.escape(key)}(?!\d)")
    return [
        one
        for one in own
        if isinstance(one, ActName)
        and any(begins.match(name_key(said or "")) for said in (one.popular.citation, one.popular.law))
    ]


def _defining(text: str) -> Iterator[_Defining]:
    """Yield the names that a text defines: in quotation marks, or as initials of the words before."""
    for aside in _ASIDE.finditer(text):
        yield from _defined_by(text, aside)


def _defined_by(text: str, aside: re.Match[str]) -> Iterator[_Defining]:
    begin, end = aside.span(aside.lastgroup or 0)
    initials = _INITIALS.fullmatch(text, begin, end)
    if initials is not None:
        if _are_initials(initials["name"], text[max(0, aside.start() - _BEFORE) : aside.start()]):
            yield _Defining(*initials.span("name"), *aside.span())
        return
    quoted = [*_QUOTED.finditer(text, begin, end)]
    if quoted and _AROUND.fullmatch(_FURTHER.sub("", _QUOTED.sub("", text[begin:end]))):
        for one in quoted:
            name = _NAME.fullmatch(text, *one.span(one.lastgroup or 0))
            if name is not None:
                yield _Defining(*name.span("name"), *aside.span())


def _are_initials(name: str, before: str) -> bool:
    """Return True where the letters of a name begin the words before it: `Santa Monica City Code (SMCC)`."""
    run = _RUN.search(before)
    firsts = iter([word[0].upper() for word in _WORD.findall(run.group())] if run else ())
    return all(letter in firsts for letter in name if letter.isalpha())
