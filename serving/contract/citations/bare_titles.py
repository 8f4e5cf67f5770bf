"""Titles that are cited without a code: judge by the words around them whether another law is meant."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from serving.contract.citations.citation import SECTION, Citation
from serving.contract.citations.grammar import CodeName, Grammar
from serving.contract.citations.law_names import law_names
from serving.contract.citations.source import SourceText

_OF_BEHIND = re.compile(r" {1,2}of (?!which |whom |course[ ,])|, of (?:this|our|its|his|her|their|your) ")
_LINK_BEHIND = re.compile(r"(?:, of|,|,? in|,? under|) {0,2}\(?(?:the )?")
_INITIALS_BEHIND = re.compile(r",? {0,2}\(?(?:[A-Z]\. ?){1,4}(?:C|A|S)\.(?! ?[A-Za-z])")
_DOCUMENT = (
    r"(?:codes?|(?<!federal )statutes?|(?<!federal )laws?|ordinances?|regulations?|rules|charter|constitution"
    r"|by-?laws|manual|handbook|agreement|contract|lease|policy|treaty|convention|act|resolution|guidelines?"
    r"|plan|standards?|restatement|compact)"
)
_DOCUMENT_BEFORE = re.compile(
    rf"(?<![a-z]){_DOCUMENT}(?:,? (?:of )?\d{{4}})?(?: \([^()]{{1,30}}\))?,? \(?(?:at |in )?$"
)
_PLACE_BEFORE = re.compile(
    r"(?:\b[Ii]n|\b[Uu]nder|\b[Ll]aws? of) (?:the )?(?!Congress\b|United States\b|America\b)"
    r"[A-Z][a-z]+(?: [A-Z][a-z]+){0,2},? \(?\Z"
    r"|(?<![\w.])(?!Congress\b|States\b|America\b)[A-Z][a-z]+['’]s (?:own )?\(?\Z"
)
"""A place, or whoever else has law of its own: `In Vermont, title 13`, `Oklahoma's title 21`."""
_DOCUMENT_BEHIND = re.compile(
    rf" {{1,2}}of (?:the |this |that |such |said |an? )?(?:[\w'.&-]+ ){{0,6}}?{_DOCUMENT}(?![a-z])"
)
_BEFORE = 100
_LONGEST_NAME = 160
_SENTENCE_ENDS = re.compile(r"[.?!;](?=[\s”\"’)]{1,3}[“\"(]?[A-Z])|\n\s*\n")
_PARAGRAPH = 1_500
_REST_OF_SENTENCE = 400
_JOINTS = ("-", ".", ":")
_NESTED = 8
"""Most known names within one name of a law."""


class _Named(NamedTuple):
    """A code that a text names.

    Attributes:
        own: it is the one that bare titles are of.
        codes: known codes of that name; empty where it is listed nowhere.
    """

    start: int
    end: int
    own: bool
    codes: tuple[CodeName, ...] = ()

    def may_have(self, sections: Sequence[tuple[str | None, str | None]]) -> bool:
        """Return True unless its own sections are numbered otherwise than these, by title and number.

        `Section 924 of title 18` is none of a code whose sections are numbered `13A-6-2`, without a title
        beside them; it may be § 18-924 of another.
        """
        if not self.codes or any(number is None for _, number in sections):
            return True
        spelled = [
            spelling.lower()
            for title, number in sections
            for spelling in (number or "", *(f"{title}{joint}{number}" for joint in _JOINTS))
        ]
        return any(code.scheme.has_title or any(map(code.numbers.is_number, spelled)) for code in self.codes)


def names_another(source: SourceText, start: int, end: int, *, in_law: bool, document_before: bool) -> bool:
    """Return True where the words beside a title, cited over [start, end), say that it is of something else.

    Args:
        source: the text.
        start: where the citation begins.
        end: where it ends.
        in_law: the text is one of law, with titles of one code: only a document counts behind `of`.
        document_before: a document that is named just before it may be what it is of: `the lease, title 10`.
    """
    behind = _DOCUMENT_BEHIND if in_law else _OF_BEHIND
    if behind.match(source.folded, end) or _INITIALS_BEHIND.match(source.original, end):
        return True
    link = _LINK_BEHIND.match(source.folded, end)
    begin = link.end() if link else end
    if begin > end and any(name.start == begin for name in law_names(source, begin, begin + _LONGEST_NAME)):
        return True
    if not document_before:
        return False
    window = max(0, start - _BEFORE)
    return _DOCUMENT_BEFORE.search(source.folded, window, start) is not None or any(
        not source.folded[name.end : start].strip(" ,") for name in law_names(source, window, start)
    )


def stands_behind_place(source: SourceText, start: int) -> bool:
    """Return True where a title at `start` may be of the law of a place that is named just before it."""
    return _PLACE_BEFORE.search(source.original, max(0, start - _BEFORE), start) is not None


class NamedCodes:
    """The codes that a text names, in their order."""

    def __init__(self, source: SourceText, grammar: Grammar, code: CodeName) -> None:
        """Find them; `code` is the one that bare titles are of."""
        self._source = source
        self._named = sorted(_named(source, grammar, code), key=lambda one: one[:2])
        self._starts = [one.start for one in self._named]

    def are_others_around(self, read: Sequence[Citation], *, cited: bool) -> bool:
        """Return True where another code may be meant: the sentence names it, or it was named last before.

        Args:
            read: what was read at a bare title.
            cited: the same was cited in full before, so that only a code in the same sentence raises doubt.
        """
        text = self._source.original
        start, end = read[0].start, read[-1].end
        begin = max(0, start - _PARAGRAPH)
        paragraph = max(begin, text.rfind("\n\n", begin, start))
        before = self._between(paragraph, start, read)
        if before and not (before[-1].own or cited):
            return True
        behind = self._between(end, end + _REST_OF_SENTENCE, read)
        others = [one for one in (*before, *behind) if not one.own]
        return any(
            _SENTENCE_ENDS.search(text, min(one.end, end), max(one.start, start)) is None for one in others
        )

    def _between(self, start: int, end: int, read: Sequence[Citation]) -> list[_Named]:
        """Return the codes named between two positions that may have what was read."""
        named = self._named[bisect_left(self._starts, start) : bisect_left(self._starts, end)]
        sections = [(one.title, number) for one in read for number in (one.num, one.through or one.num)]
        return [one for one in named if one.own or one.may_have(sections)]


def _named(source: SourceText, grammar: Grammar, code: CodeName) -> Iterator[_Named]:
    known = [(one.start, one.end) for one in grammar.names.find_all(source.folded) if one.name]
    for first, last in known:
        codes = _codes_with_sections(source, grammar, first, last)
        if codes:
            own = any(one.scheme.code == code.scheme.code for one in codes)
            yield _Named(first, last, own, codes)
    starts = [first for first, _ in known]
    for name in law_names(source):
        place = bisect_left(starts, name.end)
        covered = any(last > name.start for _, last in known[max(0, place - _NESTED) : place])
        if not covered and not name.name.endswith("Law"):
            yield _Named(name.start, name.end, own=False)


def _codes_with_sections(source: SourceText, grammar: Grammar, first: int, last: int) -> tuple[CodeName, ...]:
    """Return the codes with sections that a name over [first, last) means."""
    return tuple(
        meaning
        for meaning in grammar.meanings(source.folded[first:last])
        if isinstance(meaning, CodeName) and meaning.short is None and meaning.scheme.kind == SECTION
    )
