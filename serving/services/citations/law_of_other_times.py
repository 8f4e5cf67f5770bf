"""Citations of law of other times, which today's provision of that number does not answer."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from serving.contract.citations import Citation, PopularName
from serving.contract.citations.acts_of_years import ActOfYear, acts_of_years
from serving.contract.citations.citation import POPULAR_NAME
from serving.contract.citations.edition_years import edition_years
from serving.contract.citations.former import former_among
from serving.contract.citations.grammar import ActName
from serving.contract.citations.scheme import FEDERAL
from serving.contract.citations.source import fold
from serving.contract.citations.spelling import format_container
from serving.services.citations.act_years import years_of
from serving.services.citations.citation_resolver import resolution_of_list
from serving.services.citations.credits import amended_after, numbered_since, renumbered_since
from serving.services.citations.resolution import Outcome, Provision, Reason, Resolution
from serving.snapshot.law import Law

_OF_ONE_PROVISION = (Outcome.FOUND, Outcome.PIN_NOT_FOUND)
_OF_PRESENT_LAW = (Outcome.FOUND, Outcome.AMBIGUOUS, Outcome.PIN_NOT_FOUND, Outcome.NOT_IN_CODE)
"""Outcomes that tell of the law in force and its numbers, which says nothing of a former one."""
_YEAR_OF_ACT = re.compile(r"(?:,| of) \d{4}\Z")


class LawOfOtherTimes:
    """Tells which citations of a text mean law of another time, by what the text says around them."""

    def __init__(self, law: Law, text: str, read: Sequence[Citation]) -> None:
        self._nodes = law.nodes
        self._grammar = law.grammar
        self._former = former_among(text, read)
        self._years = edition_years(text, read)
        self._acts = acts_of_years(text, read)
        self._codified = [one for one in law.grammar.popular_names if one.codified] if self._acts else []

    def judged(self, citation: Citation, found: Resolution) -> Resolution:
        """Return the resolution of a citation, by that of the number in today's law."""
        if citation in self._former:
            return _outside(found, Reason.FORMER)
        act = self._acts.get(citation)
        if act is not None and self._is_of_another_act(citation, found, act):
            return _outside(found, Reason.EDITION_NOT_HELD)
        year = self._years.get(citation)
        if year is None:
            return found
        if citation.kind == POPULAR_NAME:
            return self._of_act(citation, found, year)
        # The year beside the name of an act in an appendix is its own, and no edition's.
        if citation.code is None or citation.act is not None:
            return found
        return self._with_amendment(self._of_edition(found, year, self._title_since(citation)), year)

    def _of_act(self, citation: Citation, found: Resolution, year: int) -> Resolution:
        """Return the resolution of an act that is cited with a year.

        The year may be its own or that of an edition. One from before it is of another act of that name, and
        one from before its section, of a section that is not the present one.
        """
        if found.outcome not in _OF_ONE_PROVISION:
            return found
        own = years_of(act for name in citation.candidates for act in self._grammar.acts_called(name))
        if year in own:
            return found
        is_older = bool(own) and year < min(own)
        if not is_older and (citation.num is None or self._of_edition(found, year, None) is found):
            return self._with_amendment(found, year)
        another = replace(_outside(found, Reason.EDITION_NOT_HELD), citation=_without_year(citation))
        return replace(another, jurisdiction=None, law=None)

    def _is_of_another_act(self, citation: Citation, found: Resolution, act: ActOfYear) -> bool:
        """Return True where the act that is named beside a section is older than the law of its title.

        The year of an act whose sections are those of the title may lie before that of its enactment as a
        title: `9 U.S.C. § 2 (Federal Arbitration Act of 1925)`. An act of another name can be the law that
        the section came from, unless it alone is named in brackets.
        """
        code = self._grammar.code(citation.scheme or "")
        if code is None or citation.act is not None or citation.title is None:
            return False
        title = format_container(code.scheme, (), title=citation.title, appendix=citation.appendix)
        of_title = [one for one in self._codified if one.citation == title]
        if act.year in years_of(of_title):
            return False
        known = self._acts_known_as(act.name)
        own = years_of(one for one in of_title if one in known)
        if own and act.year < min(own):
            return True
        return act.in_brackets and self._of_edition(found, act.year, None) is not found

    def _acts_known_as(self, name: str) -> Sequence[PopularName]:
        """Return the acts of a name; none where it is not known."""
        folded = fold(name)
        if not self._grammar.names.is_name(folded, 0, len(folded)):
            return ()
        return [one.popular for one in self._grammar.meanings(folded) if isinstance(one, ActName)]

    def _title_since(self, citation: Citation) -> int | None:
        """Return the year since which the title of a citation is numbered as it is; None if not known."""
        code = self._grammar.code(citation.scheme or "")
        if code is None or citation.appendix:
            return None
        return code.scheme.title_since(citation.title)

    def _of_edition(self, found: Resolution, year: int, title_since: int | None) -> Resolution:
        if found.members:
            return _of_members(found, lambda member: self._of_edition(member, year, title_since))
        # A title that was made of others keeps the credits of its sections, which are older than it.
        is_younger = title_since is not None and year < title_since
        if is_younger or self._is_numbered_anew(found, year):
            return _outside(found, Reason.EDITION_NOT_HELD)
        return found

    def _is_numbered_anew(self, found: Resolution, year: int) -> bool:
        """Return True where a provision has borne its number for less time than a year lies back.

        A missing number may have been given up where those beside it were numbered anew since.
        """
        if found.provision is not None:
            return self._is_since(numbered_since, found.provision, year)
        beside = (found.neighbours.previous, found.neighbours.next) if found.neighbours else ()
        return any(self._is_since(renumbered_since, one, year) for one in beside if one is not None)

    def _is_since(self, told: Callable[[str, str], int | None], provision: Provision, year: int) -> bool:
        credit, number = self._credit(provision)
        if credit is None or number is None:
            return False
        since = told(credit, number)
        return since is not None and year < since

    def _with_amendment(self, found: Resolution, year: int) -> Resolution:
        """Return a resolution with the year of the last amendment that its edition cannot hold, if any."""
        if found.members:
            return _of_members(found, lambda member: self._with_amendment(member, year))
        if found.outcome not in _OF_ONE_PROVISION or found.provision is None:
            return found
        credit, _ = self._credit(found.provision)
        last = None if credit is None else amended_after(credit, year)
        return found if last is None else replace(found, amended_since=last)

    def _credit(self, provision: Provision) -> tuple[str | None, str | None]:
        """Return the source credit and the number of a provision of federal law; none of another.

        States name editions for a revision that is amended since: `Ala. Code § 13A-6-2 (1975)` is in force.
        """
        if provision.jurisdiction != FEDERAL:
            return None, None
        answer = self._nodes.answer(provision.row)
        return answer["sourceCredit"], answer["num"]


def _of_members(found: Resolution, judge: Callable[[Resolution], Resolution]) -> Resolution:
    """Return the resolution of a list whose members are judged: itself where that changes none."""
    members = list(map(judge, found.members))
    if members == list(found.members):
        return found
    judged = resolution_of_list(found.input, found.citation or "", members, found.member_count)
    return replace(judged, law=found.law)


def _without_year(citation: Citation) -> str:
    """Return the citation of an act without the year in its name, which is that of the one that is known."""
    name = citation.act or ""
    return citation.canonical.replace(name, _YEAR_OF_ACT.sub("", name), 1)


def _outside(found: Resolution, reason: Reason) -> Resolution:
    """Return a resolution without what is in force today."""
    if found.outcome not in _OF_PRESENT_LAW:
        return found
    return Resolution(
        input=found.input,
        outcome=Outcome.OUTSIDE_COVERAGE,
        citation=found.citation,
        law=found.law,
        jurisdiction=found.jurisdiction,
        reason=reason,
    )
