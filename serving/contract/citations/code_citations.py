"""Citations of one code, read beside its name or beside the number of a title."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from serving.contract.citations.capitals import among_capitals
from serving.contract.citations.citation import (
    SECTION,
    Citation,
    cite_container,
    cite_containers,
    cite_edition,
    cite_sections,
    cite_unread,
)
from serving.contract.citations.cited_numbers import CitedNumbers
from serving.contract.citations.containers import (
    Containers,
    container_list_after,
    container_list_before,
    containers_after,
    containers_around,
    containers_before,
)
from serving.contract.citations.context import (
    CitedCode,
    PrecedingNumbers,
    act_before,
    cited_code,
    number_alone_before,
    numbers_after,
    numbers_before,
    with_appendix,
)
from serving.contract.citations.editions import older_edition, skip_edition
from serving.contract.citations.grammar import CodeName
from serving.contract.citations.marks import MARK
from serving.contract.citations.named_parts import with_parts_before
from serving.contract.citations.numbers import NumberReader
from serving.contract.citations.source import SourceText
from serving.contract.citations.unread_forms import cite_appendix, cite_mark_alone


class Floor(NamedTuple):
    """Bounds of what may be read before a name: what stands there is of an earlier citation.

    Attributes:
        position: nothing before it is read.
        under_acts: the same for acts, whose names may be read again as those of an appendix.
    """

    position: int
    under_acts: int


class CodeCitations:
    """Reads the citations of codes in one text, each beside a name or title that was found."""

    def __init__(self, source: SourceText, acts: NumberReader, *, typed: bool) -> None:
        """Take the text.

        Args:
            source: the text.
            acts: reads the section numbers of acts.
            typed: the text was typed as one citation.
        """
        self._source = source
        self._acts = acts
        self._typed = typed

    def beside_name(self, code: CodeName, start: int, end: int, floor: Floor) -> Sequence[Citation]:
        """Return the citations of a code beside its name over [start, end)."""
        return self.of_edition(code, self._beside_name(code, start, end, floor), end)

    def sign_alone(self, code: CodeName, start: int, end: int, floor: Floor) -> Sequence[Citation]:
        """Return the citation of a code behind whose name over [start, end) a section sign has no number."""
        cited = cited_code(self._source, code, start, end, floor=floor.position)
        sure = cited is not None and code.scheme.kind == SECTION and code.short is None
        alone = cite_mark_alone(self._source, cited) if cited and sure else None
        return [alone] if alone else ()

    def of_edition(self, code: CodeName, read: Sequence[Citation], name_end: int) -> Sequence[Citation]:
        """Return citations as those of an older edition, where one is named and is numbered otherwise."""
        if code.since is None or not read:
            return read
        ends_with_name = read[-1].end <= name_end
        older = older_edition(self._source, name_end, code.since, behind_code=ends_with_name)
        older = older or older_edition(self._source, read[-1].end, code.since)
        return cite_edition(read, older.year, older.end) if older else read

    def _beside_name(self, code: CodeName, start: int, end: int, floor: Floor) -> Sequence[Citation]:
        cited = cited_code(self._source, code, start, end, floor=floor.position)
        if cited is None:
            return ()
        appendix = cite_appendix(self._source, code, cited)
        if appendix is not None:
            return [appendix]
        numbers, marked = numbers_after(self._source, code.numbers, cited.end)
        known = self._typed or code.short is None or self._is_shaped(code, numbers, start)
        is_usual = self._is_usual(code, cited, start)
        has_place = is_usual or self._stands_beside(code, cited, start)
        if numbers and ((known and has_place) or marked):
            return self._of_sections(cited, numbers, floor)
        behind = skip_edition(self._source, cited.end)
        inside, begin, after = containers_around(
            self._source, cited.start, behind, floor.position, part=code.part_after, loose=self._typed
        )
        # With a unit behind it a short name is sure, as it is with a section mark: `R.C. Chapter 2903`.
        if inside and code.scheme.kind == SECTION and is_usual:
            in_title = self._in_title(code, cited, inside, after, floor) if inside[0][0] == "tit." else ()
            if in_title:
                return in_title
            return cite_container(cited, inside, start=begin, end=after)
        holds_parts = code.scheme.kind == SECTION and code.short is None and is_usual
        listed = container_list_after(self._source, behind)
        if listed and holds_parts:
            return cite_containers(cited, listed)
        before = self._before(code, cited, floor)
        if before is None and self._typed:
            before = number_alone_before(self._source, cited.start, floor=floor.position, reader=code.numbers)
        if before:
            return cite_sections(cited, before.numbers, before=before)
        if cited.title and not code.title and holds_parts and self._names_a_code(start, end):
            return cite_container(cited, (), end=cited.end)
        return ()

    def at_title(
        self,
        code: CodeName,
        title: str,
        start: int,
        end: int,
        floor: Floor,
        *,
        named: bool,
        before_name: bool = False,
    ) -> Sequence[Citation]:
        """Return the citations at `title 42`; the name of the code may follow it.

        Args:
            code: the code.
            title: the number of the title.
            start: position where `title` begins.
            end: position behind the number, or behind the name.
            floor: bounds of what is read before it.
            named: the code is named there, and not only known.
            before_name: the name may follow the section: `title 42, section 1983 of the`.
        """
        if not code.whole_title.fullmatch(title.lower()):
            return ()
        cited = with_appendix(self._source, code, title, start, end)
        if code.scheme.has_title:
            numbers, marked = numbers_after(self._source, code.numbers, cited.end, before_name=before_name)
            if numbers and (named or marked):
                return self._of_sections(cited, numbers, floor)
        before = self._before(code, cited, floor)
        if before:
            return cite_sections(cited, before.numbers, before=before)
        return self._containers_of_title(cited, floor, named=named)

    def _containers_of_title(self, cited: CitedCode, floor: Floor, *, named: bool) -> Sequence[Citation]:
        listed = container_list_before(self._source, cited.start, floor.position) or container_list_after(
            self._source, cited.end
        )
        if listed:
            return cite_containers(cited, listed)
        after, end = containers_after(self._source, cited.end, loose=self._typed)
        before, start = containers_before(self._source, cited.start, floor.position)
        inside = before or after
        if not inside and not named and not self._typed:
            return ()
        begin = start if before else cited.start
        return cite_container(cited, inside, start=begin, end=cited.end if before else end)

    def _in_title(
        self, code: CodeName, cited: CitedCode, inside: Containers, end: int, floor: Floor
    ) -> Sequence[Citation]:
        """Return the section behind a title that its number begins with: `tit. 6, § 6-101.1`.

        Empty where no section is cited. Of another number nothing is certain: neither the title nor a
        section of this code.
        """
        mark = MARK.match(self._source.folded, self._source.behind_blanks(end))
        if len(inside) > 1 or mark is None:
            return ()
        numbers = numbers_after(self._source, code.numbers, end).numbers
        title = inside[0][1]
        if numbers and numbers.members[0].num.startswith((f"{title}-", f"{title}.", f"{title}:")):
            return self._of_sections(replace(cited, end=end), numbers, floor)
        span = cited.start, numbers.end if numbers else mark.end()
        return [cite_unread(self._source.original, *span, unread=end, scheme=cited.scheme)]

    def _of_sections(self, cited: CitedCode, numbers: CitedNumbers, floor: Floor) -> Sequence[Citation]:
        """Return the citations of sections behind a name: also of a part before it, `subsection (b) of`."""
        if numbers.several:
            return cite_sections(cited, numbers)
        named = with_parts_before(self._source, numbers, cited.start, floor.position)
        whole = cited if named.start == cited.start else replace(cited, start=named.start)
        return cite_sections(whole, named.numbers, parts=named.labels)

    def _is_shaped(self, code: CodeName, numbers: CitedNumbers | None, name_start: int) -> bool:
        """Return True for a number that is no plain one: `R.C. 2903.01` needs no section mark.

        That of a chapter may be an amount, and the name before it a word, where all is in capitals.
        """
        if numbers is None or numbers.members[0].num.isalnum():
            return False
        first = numbers.members[0]
        amount = code.numbers.is_container(first.num) and among_capitals(self._source, name_start, first.end)
        return not amount

    def _is_usual(self, code: CodeName, cited: CitedCode, name_start: int) -> bool:
        """Return False where the title stands on the other side of the name: `21 O.S. 701`."""
        return cited.start == name_start or code.scheme.template.startswith("{title}")

    def _stands_beside(self, code: CodeName, cited: CitedCode, name_start: int) -> bool:
        """Return True for `21 O.S. 701`; chapters do not stand so, and nothing between title and name."""
        between = self._source.folded[cited.start : name_start]
        return "ch. {title}" not in code.scheme.template and "," not in between

    def _names_a_code(self, start: int, end: int) -> bool:
        """Return False for `24 VAC` in running text: a name of letters alone needs a section to be a code."""
        return self._typed or not self._source.original[start:end].isalpha()

    def _before(self, code: CodeName, cited: CitedCode, floor: Floor) -> PrecedingNumbers | None:
        if cited.appendix:
            act = act_before(self._source, cited.start, floor=floor.under_acts, reader=self._acts)
            if act:
                return act
        return numbers_before(self._source, cited.start, floor=floor.position, reader=code.numbers)
