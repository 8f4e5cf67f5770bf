"""Parser of citations: finds those in a text."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from serving.contract.citations.act_citations import ActCitations
from serving.contract.citations.acts_of_codes import with_owners
from serving.contract.citations.bare_titles import NamedCodes, names_another, stands_behind_place
from serving.contract.citations.citation import (
    POPULAR_NAME,
    RULE,
    SECTION,
    Citation,
    cite_notes,
    cite_unread,
)
from serving.contract.citations.cited_numbers import links_a_note, note_before
from serving.contract.citations.code_citations import CodeCitations, Floor
from serving.contract.citations.continuations import understood
from serving.contract.citations.court_rules import is_of_another_court
from serving.contract.citations.defined_names import DefinedNames
from serving.contract.citations.grammar import ActName, CodeName, Grammar
from serving.contract.citations.known_names import Anchor
from serving.contract.citations.law_names import LawName, is_joined, is_part_of_longer_name
from serving.contract.citations.lists import is_of_another
from serving.contract.citations.marks import MARK
from serving.contract.citations.scheme import FEDERAL
from serving.contract.citations.source import SourceText
from serving.contract.citations.unknown_codes import with_unknown_codes

_TITLE = re.compile(r"tit(?:les?|\.) {0,2}(\d{1,3}(?:\.\d{1,2})?(?:-?[a-z])?)(?![0-9a-z]|[-.:]\d)", re.ASCII)
_CODE_AFTER_TITLE = re.compile(r",? ?(?:of )?(?:the )?")
_CODE_AFTER_PHRASE = re.compile(r",? {0,2}(?:(?:of|in|under) )?(?:the )?")
_SECTION_BEHIND = re.compile(
    r",? {0,2}(?:§ ?|sections? |sec\. ?)[0-9][0-9a-z]*(?:[-.:][0-9a-z]+)*(?:\([0-9a-z]{1,5}\))*"
)
"""A section behind a title, however it is numbered."""
_ENDS_AS_TITLE = re.compile(r"(?<![\w.:-])\d{1,3}[a-z]?\Z", re.ASCII)
_MAX_ACTS = 20


def parse(text: str, grammar: Grammar, *, within: str | None = None) -> list[Citation]:
    """Return the citations in a text, in their order.

    Args:
        text: any text.
        grammar: the known codes and acts, and how they are cited.
        within: key of the scheme of the code that the text belongs to; `title 2` is then a title of it.
    """
    return parse_source(SourceText.of(text, enacted=within is not None), grammar, within=within)


def parse_source(source: SourceText, grammar: Grammar, *, within: str | None) -> list[Citation]:
    """Return the citations in a text that is already folded; see `parse`."""
    reader = _Reader(source, grammar, typed=False, within=within)
    read = reader.citations()
    every = with_unknown_codes(
        source, grammar, read, named=reader.named, defined=reader.defined, in_law=within is not None
    )
    return with_owners(source, grammar, every) if within is None else every


def parse_typed(source: SourceText, grammar: Grammar) -> list[Citation]:
    """Return the citations in text that was typed as one citation.

    Abbreviations that running text needs in their own capitals, or with a section mark, are accepted here
    without them.
    """
    reader = _Reader(source, grammar, typed=True, within=None)
    read = reader.citations()
    return with_owners(source, grammar, with_unknown_codes(source, grammar, read, named=reader.named))


class _Reader:
    """Reads one text, once.

    Attributes:
        defined: places of names that the text defines for laws that are not known.
    """

    def __init__(self, source: SourceText, grammar: Grammar, *, typed: bool, within: str | None) -> None:
        self._source = source
        self._grammar = grammar
        self._typed = typed
        self._within = within
        self._bare_title = grammar.bare_title if within is None else grammar.code_of_titles(within)
        self._codes = CodeCitations(source, grammar.acts, typed=typed)
        self._acts = ActCitations(source, grammar.acts, typed=typed, in_law=within is not None)
        self._defined = DefinedNames(source, grammar) if within is None and not typed else None
        self._names: NamedCodes | None = None
        self._found: list[Citation] = []
        self._times: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._floor = Floor(0, 0)
        self.defined: list[LawName] = []

    def citations(self) -> list[Citation]:
        position = 0
        while anchor := self._next_name(position):
            read = self._after_name(anchor) if anchor.name else self._after_title(anchor.start)
            position = anchor.end
            if read and self._takes_a_title(read[-1]):
                read = read[:-1]
            if read:
                read = self._noted(read)
                if not self._typed:
                    read = understood(self._source, read, self._grammar, floor=self._floor.position)
                self._keep(read)
                position = max(position, read[-1].end)
                self._floor = Floor(position, self._end_before_acts())
        return self._found

    def _keep(self, read: Sequence[Citation]) -> None:
        """Add citations to those found before, in the place of any that they go back over."""
        while self._found and self._found[-1].end > read[0].start:
            last = self._found.pop()
            self._times[last.kind, last.target] -= 1
        self._found.extend(read)
        for one in read:
            self._times[one.kind, one.target] += 1

    def _end_before_acts(self) -> int:
        """Return the end of the last citation but those of acts, whose names the next one may need."""
        for acts, one in enumerate(reversed(self._found)):
            if one.kind != POPULAR_NAME or acts == _MAX_ACTS:
                return one.end
        return 0

    def _next_name(self, position: int) -> Anchor | None:
        """Return the first name from a position on, also of those that the text alone has for a law."""
        known = self._grammar.names.search(self._source.folded, position)
        own = self._defined.own_name(position) if self._defined else None
        if own is None or (known is not None and known.start <= own.start):
            return known
        return own

    @property
    def named(self) -> Sequence[LawName]:
        """Laws that no data lists, which have the names of known ones."""
        return self._acts.of_others

    def _takes_a_title(self, last: Citation) -> bool:
        """Return True where the number is the title of the next citation: `42 U.S.C. § 42 U.S.C. § 1983`."""
        folded = self._source.folded
        of_section = last.kind in (SECTION, POPULAR_NAME)
        if not (of_section and _ENDS_AS_TITLE.search(folded, last.start, last.end)):
            return False
        named = self._grammar.names.name_at(folded, self._source.behind_blanks(last.end))
        return named is not None and any(
            isinstance(one, CodeName) and one.title is None and one.scheme.template.startswith("{title}")
            for one in self._grammar.meanings(named.name)
        )

    def _noted(self, read: Sequence[Citation]) -> Sequence[Citation]:
        """Mark citations as citations of notes where the text says so: `note to 28 U.S.C. § 1932`."""
        first = read[0]
        start = note_before(self._source, first.start, self._floor.position)
        if start is None and not links_a_note(self._source, first.start, first.end):
            return read
        return cite_notes(read, first.start if start is None else start)

    def _after_name(self, anchor: Anchor) -> Sequence[Citation]:
        if is_joined(self._source, anchor.start):
            return ()
        written = self._source.original[anchor.start : anchor.end]
        definition = self._defined.at(anchor) if self._defined else None
        if definition is not None and not definition.meanings:
            if anchor.start >= definition.end:
                self.defined.append(LawName(anchor.start, anchor.end, definition.law))
            return ()
        meanings = definition.meanings if definition else self._grammar.meanings(anchor.name)
        codes = [one for one in meanings if isinstance(one, CodeName) and one.is_written(written)]
        if len(codes) > 1:  # `I.C. § 35-42-1-1` is of the code that has such numbers
            codes = [*(replace(one, numbers=one.numbers.strict) for one in codes), *codes]
        for meaning in codes:
            read = self._codes.beside_name(meaning, anchor.start, anchor.end, self._floor)
            if read:
                return () if self._is_of_another(meaning, read, anchor) else read
        acts = [meaning for meaning in meanings if isinstance(meaning, ActName)]
        if acts:
            return self._acts.read(acts, anchor.start, anchor.end, floor=self._floor.position)
        signed = self._source.folded.startswith("§", self._source.behind_blanks(anchor.end))
        if not signed or not codes or self._typed:
            return ()
        return self._codes.sign_alone(codes[0], anchor.start, anchor.end, self._floor)

    def _is_of_another(self, code: CodeName, read: Sequence[Citation], name: Anchor) -> bool:
        """Return True where the name is a part of a longer one, of another law."""
        if code.scheme.kind == RULE:
            return code.scheme.jurisdiction == FEDERAL and is_of_another_court(self._source, name.start)
        behind_title = read[0].title is not None and code.title is None and read[0].start < name.start
        return (
            code.scheme.kind == SECTION
            and not behind_title
            and is_part_of_longer_name(self._source, name.start, name.end)
        )

    def _after_title(self, start: int) -> Sequence[Citation]:
        titled = _TITLE.match(self._source.folded, start)
        if titled is None:
            return ()
        title = self._source.hyphenated(*titled.span(1))
        link = _CODE_AFTER_TITLE.match(self._source.folded, titled.end())
        named = self._grammar.names.name_at(self._source.folded, link.end() if link else titled.end())
        if named is None:
            return self._bare(start, title, titled.end())
        if is_part_of_longer_name(self._source, named.start, named.end):
            return ()
        meanings = self._grammar.meanings(named.name)
        for meaning in meanings:
            if isinstance(meaning, CodeName) and meaning.holds_titles:
                read = self._codes.at_title(meaning, title, start, named.end, self._floor, named=True)
                read = self._codes.of_edition(meaning, read, named.end)
                if read:
                    return read
        of_act = any(isinstance(meaning, ActName) for meaning in meanings)
        return () if of_act else self._bare(start, title, titled.end())

    def _bare(self, start: int, title: str, end: int) -> Sequence[Citation]:
        """Return the citations at `title 42`, behind which no code is named, unless the code is elsewhere."""
        code = self._bare_title
        if code is None:
            return ()
        ahead = self._codes.at_title(code, title, start, end, self._floor, named=False, before_name=True)
        section = _SECTION_BEHIND.match(self._source.folded, end)
        behind = max([*(one.end for one in ahead[-1:]), section.end() if section else end])
        named = self._named_behind(behind) if behind > end or ahead else None
        if named is not None:
            return self._of_named(code, named, start, title, end)
        # What is `of the` something else behind the title may be the next of a list, and its number before.
        listed = bool(ahead) and is_of_another(self._source, ahead[-1].end)
        alone = self._codes.at_title(code, title, start, end, self._floor, named=False) if listed else ()
        for read in (alone, ahead):
            if read and not self._is_of_another_document(read, start):
                break
        else:
            return ()
        first, last = read[0].start, read[-1].end
        if self._within is None and (
            (stands_behind_place(self._source, first) and not self._stands_behind_act(first))
            or self._named_codes(code).are_others_around(read, cited=self._is_cited(read))
        ):
            return [cite_unread(self._source.original, first, last, unread=last)]
        return read

    def _is_cited(self, read: Sequence[Citation]) -> bool:
        """Return True where the text cited the same sections before, of the same code."""
        return all(self._times[SECTION, one.target] for one in read)

    def _is_of_another_document(self, read: Sequence[Citation], title_start: int) -> bool:
        first, last = read[0].start, read[-1].end
        if self._within is not None:
            # In law a list goes on so: `section 408 of the Social Security Act, section 371 of title 18`.
            return names_another(self._source, first, last, in_law=True, document_before=first == title_start)
        document = first == title_start or not self._stands_behind_act(first)
        return names_another(self._source, first, last, in_law=False, document_before=document)

    def _stands_behind_act(self, position: int) -> bool:
        """Return True for `section 794 of title 29` in `the Rehabilitation Act, section 794 of title 29`."""
        act = bool(self._found) and self._found[-1].kind == POPULAR_NAME
        return act and not self._source.folded[self._found[-1].end : position].strip(" ,(")

    def _named_codes(self, code: CodeName) -> NamedCodes:
        if self._names is None:
            self._names = NamedCodes(self._source, self._grammar, code)
        return self._names

    def _named_behind(self, end: int) -> Anchor | None:
        """Return the name of a code with titles behind `title 42, section 1983`; None where there is none."""
        link = _CODE_AFTER_PHRASE.match(self._source.folded, end)
        named = self._grammar.names.name_at(self._source.folded, link.end() if link else end)
        if named is None or is_part_of_longer_name(self._source, named.start, named.end):
            return None
        of_code = any(
            isinstance(meaning, CodeName) and meaning.scheme.kind == SECTION and meaning.short is None
            for meaning in self._grammar.meanings(named.name)
        )
        # With a number behind it the name begins another citation: `title 18, section 2, D.C. Code § 22-1`.
        begins = of_code and MARK.match(self._source.folded, self._source.behind_blanks(named.end))
        return named if of_code and not begins else None

    def _of_named(
        self, code: CodeName, named: Anchor, start: int, title: str, end: int
    ) -> Sequence[Citation]:
        """Return the citations at `title 42, section 1983` by the code that is named behind them."""
        for meaning in self._grammar.meanings(named.name):
            if not isinstance(meaning, CodeName):
                continue
            if not meaning.holds_titles and (meaning.scheme is not code.scheme or meaning.title != title):
                continue
            own = meaning if meaning.title is None else code
            read = self._codes.at_title(own, title, start, end, self._floor, named=True, before_name=True)
            if read and _CODE_AFTER_PHRASE.fullmatch(self._source.folded, read[-1].end, named.start):
                read = [*read[:-1], replace(read[-1], end=named.end)]
                return self._codes.of_edition(meaning, read, named.end)
        return ()
