"""Citations by the name of an act: `section 5 of the X Act`, `X Act of 1990, § 3`, or the act as a whole."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from serving.contract.citations.acts_of_places import end_of_place, is_of_place_before, year_behind
from serving.contract.citations.citation import Citation, cite_act, cite_act_sections
from serving.contract.citations.cited_numbers import CitedNumbers
from serving.contract.citations.context import numbers_after, numbers_before
from serving.contract.citations.grammar import ActName
from serving.contract.citations.law_names import LawName, is_named_longer, is_part_of_longer_name
from serving.contract.citations.numbers import NumberReader
from serving.contract.citations.source import SourceText

_TITLE_OF_ACT = re.compile(r"(?<![a-z])title [ivxlc]{1,6},? {0,2}$")
"""Title of an act before its section, `Title IX, § 901 of`, which the number of the section says too."""
_TITLE_WINDOW = 16
_OF = re.compile(r",? {0,2}(?:of|in) (?:the )?")
_YEAR_BEFORE = re.compile(r"(?P<article>\bthe )?(?<![\w.$,-])(?P<year>(?:1[789]|20)\d\d) {1,2}$")
"""The year of an act before its name: `section 107 of the 1909 Copyright Act`."""
_YEAR_WINDOW = 12


@dataclass(frozen=True, slots=True)
class ActCitations:
    """Reads what is cited by the name of an act in one text.

    Attributes:
        source: the text.
        sections: reads the numbers of an act's sections.
        typed: the text was typed as one citation.
        in_law: the text belongs to a code.
        of_others: acts that have the name of a known one, and are of another year or place.
    """

    source: SourceText
    sections: NumberReader
    typed: bool
    in_law: bool
    of_others: list[LawName] = field(default_factory=list)

    def read(self, acts: Sequence[ActName], start: int, end: int, *, floor: int) -> Sequence[Citation]:
        """Return the citations at the name of an act; empty where it means none.

        Args:
            acts: the acts that bear the name.
            start: start of the name.
            end: its end.
            floor: nothing before this position is read.
        """
        written = self.source.original[start:end]
        meant = [act for act in acts if self.typed or act.is_written(written)]
        # `Canadian Patent Act § 27` is none of ours, and what is codified would be found by its number.
        if not meant or (
            any(act.popular.codified for act in meant)
            and (is_named_longer(self.source, start, end) or is_of_place_before(self.source.original, start))
        ):
            return ()
        year = year_behind(self.source.original, end)
        if year is not None:
            meant = [act for act in meant if act.may_be_of(year.year)]
        last = year.end if year else end
        numbers, marked = numbers_after(self.source, self.sections, end)
        place = self._place_behind(meant, last, numbers)
        if not meant or place:  # `the Copyright Act of 1909` is not the one that is known
            if not self.in_law and not is_part_of_longer_name(self.source, start, end):
                written = self.source.original[start:last] + self.source.original[slice(*place or (0, 0))]
                last = place[1] if place and place[0] == last else last
                self.of_others.append(LawName(start, last, " ".join(written.split())))
            return ()
        before = self._year_before(start, floor)
        if before is not None:
            start = before.start("year")
            meant = [act for act in meant if act.is_of(before["year"])] or meant
        if numbers and (numbers.members[0].pin or marked) and not self._are_of_another(numbers.end):
            return cite_act_sections(meant, numbers, start=start)
        listed = numbers_before(self.source, start, floor=floor, reader=self.sections)
        if listed:
            window = max(floor, listed.start - _TITLE_WINDOW)
            titled = _TITLE_OF_ACT.search(self.source.folded, window, listed.start)
            begun = titled.start() if titled else listed.start
            return cite_act_sections(meant, listed.numbers, start=begun, end=end, before=listed)
        return cite_act(meant, start, end) if self.typed or meant[0].short is None else ()

    def _place_behind(
        self, meant: Sequence[ActName], position: int, numbers: CitedNumbers | None
    ) -> tuple[int, int] | None:
        """Return the span of what says, behind a name or the numbers behind it, that the act is another's."""
        for begin in (position, *([numbers.end] if numbers else ())):
            end = end_of_place(self.source.original, begin, meant)
            if end is not None:
                return begin, end
        return None

    def _year_before(self, start: int, floor: int) -> re.Match[str] | None:
        """Return the year before a name, behind an article, or where it is the first that was typed."""
        year = _YEAR_BEFORE.search(self.source.folded, max(floor, start - _YEAR_WINDOW), start)
        return year if year and (year["article"] or (self.typed and year.start() == 0)) else None

    def _are_of_another(self, end: int) -> bool:
        """Return True where other law is named behind numbers: `the X Act, § 42-3505.01 of the D.C. Code`."""
        link = _OF.match(self.source.folded, end)
        return link is not None and self.sections.is_stopped(self.source, link.end())
