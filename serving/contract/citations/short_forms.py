"""Citations that take the law from what stands before them: `Id. § 3104`, `id. (b)`, `§ 5`, `§ 5, supra`.

Right or silent: where what stands before is not understood, or may be one of several, nothing is read.
"""

import re
import sys
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from serving.contract.citations.appositions import APPOSITION
from serving.contract.citations.citation import SECTION, UNKNOWN_CODE, Citation, cite_sections, cite_unknown
from serving.contract.citations.cited_numbers import CitedNumber, CitedNumbers
from serving.contract.citations.context import CitedCode, PrecedingNumbers
from serving.contract.citations.continuations import understood
from serving.contract.citations.documents import names_document
from serving.contract.citations.foreign_law import names_foreign_law
from serving.contract.citations.grammar import CodeName, Grammar
from serving.contract.citations.lists import leading_number, same_form
from serving.contract.citations.marks import MARK
from serving.contract.citations.named_parts import NamedParts, with_parts_before
from serving.contract.citations.other_authorities import (
    OTHER_AUTHORITY,
    names_other_title,
    names_title_of_act,
)
from serving.contract.citations.pins import read_pins
from serving.contract.citations.quoted_words import is_quoted
from serving.contract.citations.repeated_sections import OF_ANOTHER, sections_of_one_law
from serving.contract.citations.source import SourceText, skip
from serving.contract.citations.two_numberings import Law, Numberings, law_of
from serving.contract.citations.words_before_signs import stands_behind_name

_SHORT = re.compile(
    r"(?<![a-z0-9@.-])(?P<id>id {0,9}\.|ibid\.?(?![a-z]))|(?P<sign>§ ?§?|sections?|secs?\.) ?(?=\d)"
)
_BEHIND_ID = (re.compile(","), re.compile(" ?at(?= )"), re.compile(" "))
"""Joints of `Id.` and a section, in their order; between them may stand marks of layout."""
_SUPRA = re.compile(r",? ?\(?supra(?![a-z])")
_JOINED = re.compile(
    r"(?:\([^()]*\))?\s*[,;]?\s*(?:and|or|&|see(?: also)?,?|cf\.|accord|with)?\s*", re.IGNORECASE
)
_SENTENCE_END = re.compile(
    r"[.?!][”\"’')\]]*\s+(?=[A-Z“\"(\[]|\d+\. |(?:\d{1,3} )?(?:<\w{1,6}>|[*_]{1,3})?[Ii](?:bi)?d\b|§)|\n"
)
_PARAGRAPH_END = re.compile(r"\n\s*(?:\n|\d{1,3}[.)] |\[\d)")

_NEAR = 400
"""Characters within which `§ 5` takes up a citation."""
_BETWEEN = 2_000
"""Characters before a short form in which a title that is named raises doubt."""
_BEHIND = 60
_SCALE = 1
"""Digits by which the number of such a section may be longer or shorter."""
_PLURAL = re.compile(r"§ ?§|s\.?\Z")
_SIGN = re.compile(r"§ ?§? ?(?P<number>\d+)")


class Authority(NamedTuple):
    """Characters [start, end) of a text that cite something; None: not law, or not understood."""

    start: int
    end: int
    citation: Citation | None


def read_short_forms(
    text: str,
    grammar: Grammar,
    cited: Sequence[Citation],
    *,
    others: Sequence[tuple[int, int]],
    stands: Callable[[Citation], bool],
) -> list[Citation]:
    """Return the short forms in a text, in their order, each as the citation that it stands for.

    Args:
        text: the text.
        grammar: the known codes.
        cited: the citations in the text that name their law.
        others: spans of what is cited there and is no law, such as cases.
        stands: tells whether the law has a cited section. A section sign alone counts only where it has.
    """
    return _Reader(SourceText.of(text), grammar, cited, others, stands).read()


class _Reader:
    """Reads the short forms of one text, each from the authorities before it."""

    def __init__(
        self,
        source: SourceText,
        grammar: Grammar,
        cited: Sequence[Citation],
        others: Sequence[tuple[int, int]],
        stands: Callable[[Citation], bool],
    ) -> None:
        self._source = source
        self._grammar = grammar
        self._stands = stands
        full = [Authority(one.start, one.end, one) for one in cited]
        known = [*full, *(Authority(start, end, None) for start, end in others)]
        signs = (match.span() for match in OTHER_AUTHORITY.finditer(source.original))
        unknown = [Authority(*span, None) for span in _outside(signs, known)]
        self._coming = deque(sorted([*known, *unknown], key=lambda one: one[:2]))
        self._past: list[Authority] = []
        self._last: Citation | None = None
        self._full_end = 0
        self._by_number: defaultdict[str, dict[tuple[Law, bool], list[Citation]]] = defaultdict(dict)
        self._numberings = Numberings(grammar)
        self._cases = frozenset(others)
        self._in_full = sections_of_one_law(source.original, cited, self._numberings.is_same_law)

    def read(self) -> list[Citation]:
        found: list[Citation] = []
        position = 0
        while match := _SHORT.search(self._source.folded, position):
            position = match.end()
            self._pass(match.start() if match.group("id") else match.end())
            if self._past and self._past[-1].end > match.start():
                continue
            read = self._after_id(match) if match.group("id") else self._section(match)
            if read is None:
                if match["sign"] and match["sign"].startswith("§"):
                    self._add(Authority(match.start(), match.end(), None))
                continue
            found += read
            for one in read:
                self._add(Authority(one.start, one.end, one))
            position = max([position, *(one.end for one in read)])
        return found

    def _pass(self, position: int) -> None:
        """Take up the authorities that begin before a position."""
        while self._coming and self._coming[0].start <= position:
            self._take(self._coming.popleft())

    def _take(self, authority: Authority) -> None:
        cited, before = authority.citation, self._past[-1] if self._past else None
        if cited is not None and before is not None and cited.num is not None and cited.act is None:
            between = self._source.original[before.end : authority.start]
            if APPOSITION.fullmatch(_without_number(between)):
                self._compare(before, cited)
        self._add(authority)

    def _compare(self, before: Authority, cited: Citation) -> None:
        """Note how what stands right before a section of a code, and means the same, numbers it.

        An act without a number there, or of the same one, is no other law: it is left out of what stands
        before.
        """
        if before.citation is None:
            if self._source.original[before.start] == "§":
                self._numberings.add_unread(cited)
            return
        act = before.citation.act
        if act is None:
            return
        past = (one.citation for one in reversed(self._past))
        named = [one for one in takewhile(lambda one: one is not None and one.act == act, past) if one]
        if self._numberings.add_act(named, cited):
            return
        for one in named:
            self._past.pop()
            same = self._of_same(one)
            same.pop()
            if not same:
                del self._by_number[one.num or ""][law_of(one), one.appendix]

    def _add(self, authority: Authority) -> None:
        self._past.append(authority)
        if authority.citation is not None:
            self._last = authority.citation
            if not authority.citation.inferred:
                self._full_end = authority.end
            self._of_same(authority.citation).append(authority.citation)

    def _of_same(self, cited: Citation) -> list[Citation]:
        """Return the citations that have the number of one, in its law."""
        return self._by_number[cited.num or ""].setdefault((law_of(cited), cited.appendix), [])

    def _after_id(self, match: re.Match[str]) -> list[Citation] | None:
        """Read `Id. § 3104` or `id. (b)`; empty where it repeats what stands before."""
        if self._past and self._past[-1].citation and self._past[-1].citation.kind == UNKNOWN_CODE:
            return self._of_unknown(self._past[-1].citation, match)
        before = self._antecedent(match.start())
        begin = self._behind_id(match.end())
        mark = MARK.match(self._source.folded, begin)
        if before is None:
            return None
        code = self._grammar.code(before.scheme or "")
        if code is None:
            return None
        if mark is None:
            return self._part(before, code, match.start(), begin)
        begin = mark.end() + (self._source.folded[mark.end() : mark.end() + 1] == " ")
        numbers = code.numbers.read(self._source, begin, several=mark.group("many") is not None, forward=True)
        if numbers is None or OF_ANOTHER.match(self._source.original, numbers.end):
            return None
        if self._numberings.may_be_of_act(before, numbers):
            return None
        return self._cited(before, code, NamedParts(numbers, match.start(), ()))

    def _behind_id(self, position: int) -> int:
        """Return the position behind what joins `Id.` to a section: `<i>Id.</i>, at § 8`."""
        for joint in _BEHIND_ID:
            position = skip(joint, self._source.folded, self._source.behind_layout(position))
        return self._source.behind_layout(position)

    def _of_unknown(self, before: Citation, match: re.Match[str]) -> list[Citation] | None:
        """Read `Id. § 5` behind a code that nobody listed: it is of that code."""
        begin = self._behind_id(match.end())
        mark = MARK.match(self._source.folded, begin)
        numbers = self._grammar.acts.read_after_mark(self._source, begin, mark) if mark else None
        if numbers is None:
            return None
        number = f"§ {numbers.members[0].num}"
        cited = cite_unknown(before.code_name or "", None, number, match.start(), numbers.end)
        return [replace(cited, inferred=True)]

    def _part(self, before: Citation, code: CodeName, start: int, begin: int) -> list[Citation] | None:
        """Read `id. (b)`: another part of the section that was cited."""
        pins = read_pins(self._source, begin)
        if not pins or before.num is None or before.through is not None:
            return []
        if before.labels and not same_form(before.labels[0], pins[0].labels[0]):
            return []
        members = tuple(CitedNumber(pin.start, pin.end, before.num, pin=pin) for pin in pins)
        numbers = CitedNumbers(members, pins[-1].end, several=False)
        return self._cited(before, code, NamedParts(numbers, start, ()))

    def _section(self, match: re.Match[str]) -> list[Citation] | None:
        """Read `§ 5`, by a citation near before it or of its number, or `§ 5, supra`, by the latter."""
        several = _PLURAL.search(match["sign"]) is not None
        code = self._grammar.code(self._last.scheme or "") if self._last else None
        if code is None:
            return None
        numbers = code.numbers.read(self._source, match.end(), several=several, forward=True)
        if numbers is None or self._is_of_another(numbers.end):
            return None
        supra = _SUPRA.match(self._source.folded, numbers.end)
        before = self._cited_before(numbers) if supra else self._taken_up(match, numbers)
        own = self._grammar.code(before.scheme or "") if before else None
        if before is None or own is None:
            return None
        # The number of another code than the last may end elsewhere there.
        if own is not code and numbers != own.numbers.read(
            self._source, match.end(), several=several, forward=True
        ):
            return None
        named = with_parts_before(self._source, numbers, match.start(), self._past[-1].end)
        read = self._cited(before, own, named)
        return read if supra or all(self._stands(one) for one in read) else None

    def _is_of_another(self, end: int) -> bool:
        """Return True for `§ 5 of the lease`, or where the same section is named in full right after it."""
        if OF_ANOTHER.match(self._source.original, end):
            return True
        following = self._coming[0].start if self._coming else len(self._source)
        return end <= following and APPOSITION.fullmatch(self._source.original, end, following) is not None

    def _cited_before(self, numbers: CitedNumbers) -> Citation | None:
        """Return the one section of that number that was cited before."""
        by_law = self._by_number[numbers.members[0].num]
        if len(by_law) != 1 or numbers.several:
            return None
        last = next(iter(by_law.values()))[-1]
        return last if last.kind == SECTION else None

    def _taken_up(self, match: re.Match[str], numbers: CitedNumbers) -> Citation | None:
        """Return the citation that `§ 5` takes up: near before it, or of the same section.

        `Section 5` may be that of any document near: it is of the same section alone.
        """
        original, position = self._source.original, match.start()
        if stands_behind_name(original, position) or is_quoted(original, position):
            return None
        near = self._near(position, numbers) if match["sign"].startswith("§") else None
        return near or self._repeated(position, numbers)

    def _near(self, position: int, numbers: CitedNumbers) -> Citation | None:
        """Return the citation near before `§ 5`, with nothing else between."""
        before = self._antecedent(position)
        if before is None or before.num is None or self._numberings.may_be_of_act(before, numbers):
            return None
        near = list(takewhile(lambda one: one.start >= position - _NEAR, reversed(self._past)))
        original = self._source.original
        digits = _digits(before.num), _digits(numbers.members[0].num)
        is_plain = (
            bool(near)
            and all(self._is_of_law(one, before, digits[1]) for one in near)
            and _PARAGRAPH_END.search(original, before.end, position) is None
            and not names_other_title(original, max(0, position - _NEAR), before.start, before)
            and not self._names_other_law(before.end, numbers.end)
            and abs(digits[0] - digits[1]) <= _SCALE
        )
        return before if is_plain else None

    def _is_of_law(self, authority: Authority, before: Citation, digits: int) -> bool:
        """Return True where an authority near a short form gives no doubt that it is of the law before it.

        A sign that was not read gives none before a citation in full, where its number has another length.
        """
        cited = authority.citation
        if cited is not None:
            return self._numberings.is_same_law(cited, before)
        sign = _SIGN.match(self._source.original, authority.start)
        return sign is not None and self._full_end >= authority.end and _digits(sign["number"]) != digits

    def _names_other_law(self, start: int, end: int) -> bool:
        """Return True where characters [start, end), or those behind them in a sentence, name other law.

        Such is a document, or what a court or statute of another place has.
        """
        original = self._source.original
        ends = _SENTENCE_END.search(original, end, end + _BEHIND)
        said = original[start : ends.start() if ends else end + _BEHIND]
        return names_document(said) or names_foreign_law(said)

    def _repeated(self, position: int, numbers: CitedNumbers) -> Citation | None:
        """Return the section of that number which is cited in full before, in the law that was cited last.

        Between them may stand a new paragraph and cases.
        """
        before = self._in_full.get(numbers.members[0].num)
        others = (one for one in reversed(self._past) if one[:2] not in self._cases)
        last = next(others, None)
        if before is None or numbers.several or last is None or before.start > position:
            return None
        is_plain = (
            last.citation is not None
            and law_of(last.citation) == law_of(before)
            and not self._numberings.are_other(before)
            and position - last.end <= _BETWEEN
            and not names_other_title(self._source.original, last.end, position, before)
            and not names_title_of_act(self._source.original, last.end, position)
            and not self._names_other_law(last.end, numbers.end)
        )
        return before if is_plain else None

    def _antecedent(self, position: int) -> Citation | None:
        """Return the citation that `Id.` at a position takes up; None where that is not plain."""
        if not self._past or self._past[-1].citation is None:
            return None
        last, before = self._past[-1], self._past[-2] if len(self._past) > 1 else None
        cited = self._past[-1].citation
        if cited is None or cited.kind != SECTION or cited.act or cited.appendix or cited.note:
            return None
        original = self._source.original
        begin = max(last.end, position - _BETWEEN)
        if names_other_title(original, begin, position, cited) or names_title_of_act(
            original, begin, position
        ):
            return None
        if before is None or (before.citation and self._numberings.is_same_law(before.citation, cited)):
            return cited
        return None if self._may_mean_others(last, before, position) else cited

    def _may_mean_others(self, last: Authority, before: Authority, position: int) -> bool:
        """Return True where `Id.` at a position may take up more than the last authority.

        That may stand in brackets that are closed since, or be joined to the one before it in a sentence that
        is over. What lies far back is taken for a sentence that is over.
        """
        original, near = self._source.original, min(position, last.end + _BETWEEN)
        if original.count(")", last.start, near) > original.count("(", last.start, near):
            return True
        if _JOINED.fullmatch(original, before.end, last.start) is None:
            return False
        return near < position or _SENTENCE_END.search(original, last.end, position + len("Id.")) is not None

    def _cited(self, before: Citation, code: CodeName, named: NamedParts) -> list[Citation]:
        cited = CitedCode(code.scheme, before.title, False, named.start, named.numbers.end)
        read = cite_sections(cited, named.numbers, before=PrecedingNumbers(*named))
        whole = understood(self._source, read, self._grammar, floor=named.start)
        return [replace(one, inferred=True) for one in whole]


def _digits(number: str) -> int:
    """Return the count of digits that a section number begins with."""
    return len(str(leading_number(number)))


def _outside(spans: Iterable[tuple[int, int]], known: Sequence[Authority]) -> Iterator[tuple[int, int]]:
    """Yield the spans that begin in none of the known authorities."""
    ordered = sorted(one[:2] for one in known)
    for span in spans:
        before = bisect_right(ordered, (span[0], sys.maxsize)) - 1
        if before < 0 or ordered[before][1] <= span[0]:
            yield span


def _without_number(between: str) -> str:
    """Return text behind a section sign without the number that it begins with: `10(b), ` is `, `."""
    return re.sub(r"\A\d[\w:-]*(?:\.\d[\w:-]*)*(?:\([\w-]+\))*", "", between)
