"""Laws that a text numbers in two ways: by their code, and by an act or a document that is named beside it.

A number without a name may then be of either: `§ 43` behind `the Lanham Act, 15 U.S.C. § 1114`.
"""

from collections.abc import Sequence

from serving.contract.citations.citation import Citation
from serving.contract.citations.cited_numbers import CitedNumbers
from serving.contract.citations.grammar import Grammar
from serving.contract.citations.lists import leading_number
from serving.contract.citations.spelling import format_container

_HUNDRED = 100

Law = tuple[str | None, str | None]
"""The scheme and title in which sections are numbered."""


def law_of(citation: Citation) -> Law:
    """Return the code and title in which a citation numbers its sections."""
    return citation.scheme, citation.title


class Numberings:
    """The numberings of the laws that a text cites, as far as it is read."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._others: set[Law] = set()
        self._of_acts: set[Law] = set()

    def add_unread(self, section: Citation) -> None:
        """Note a section sign right before a section, and of the same meaning, whose law was not read."""
        self._others.add(law_of(section))

    def add_act(self, act: Sequence[Citation], section: Citation) -> bool:
        """Note the citations of an act right before a section, and of the same meaning.

        Return True where they number it otherwise than the code does.
        """
        if self._is_codified(act[0], section):
            return False
        numbers = {one.num for one in act}
        if numbers == {None}:
            self._of_acts.add(law_of(section))
        elif section.num not in numbers:
            self._others.add(law_of(section))
            return True
        return False

    def are_other(self, section: Citation) -> bool:
        """Return True where the text has cited the law of a section by numbers that are not the code's."""
        return law_of(section) in self._others

    def may_be_of_act(self, before: Citation, numbers: CitedNumbers) -> bool:
        """Return True for a number that an act, named with its place in the code, may have itself.

        Behind `the Lanham Act, 15 U.S.C. § 1114`, § 43 is of the act and § 1125 of the code: sections of one
        act stand together there, so that only a number of the same hundred is surely of the code.
        """
        if self.are_other(before):
            return True
        hundred = leading_number(before.num or "") // _HUNDRED
        return law_of(before) in self._of_acts and any(
            not hundred or leading_number(one.num) // _HUNDRED != hundred for one in numbers.members
        )

    def is_same_law(self, one: Citation, section: Citation) -> bool:
        """Return True where a citation is of the law of a section, also by the name of its act."""
        return self._is_codified(one, section) if one.act else law_of(one) == law_of(section)

    def _is_codified(self, act: Citation, section: Citation) -> bool:
        """Return True where an act's sections are those of the title that a section is cited of."""
        code = self._grammar.code(section.scheme or "")
        title = format_container(code.scheme, (), title=section.title) if code else None
        called = (popular for name in act.candidates for popular in self._grammar.acts_called(name))
        return any(popular.codified and popular.citation == title for popular in called)
