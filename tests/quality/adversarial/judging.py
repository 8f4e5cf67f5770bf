"""Answers held against the tables: what was confirmed without right, what was refused, what else is amiss."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from serving.contract.citations.source import fold_dashes
from tests.quality.adversarial.answers import Said, SaidOfQuote, plain
from tests.quality.adversarial.tables import CitationRow, Expected, QuotationRow

PASSED = ("exact", "normalised")
"""Verdicts that say that the words stand there."""


class Judgement(StrEnum):
    """Judgement of one answer, the worst first."""

    FALSE_CONFIRMATION = "false confirmation"
    REFUSED = "true one refused"
    MISS = "other miss"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer with its judgement; `said`: what the service said, for people."""

    id: str
    kind: str
    judgement: Judgement
    said: str


def judge_citations(row: CitationRow, said: Sequence[Said]) -> Judged:
    """Judge what was said of the citations of one text."""
    unused = list(said)
    judgements = []
    for expected in row.expected:
        answers = _answers_of(expected, unused)
        for answer in answers:
            unused.remove(answer)
        judgements.append(_of_result(expected, answers))
    ends = [one.citation for one in row.expected if one.citation]
    stray = [one for one in unused if one.leads and not (row.has_range and _is_between(one.citation, ends))]
    confirmed = any(one.is_confirmed for one in said)
    refused = Judgement.REFUSED in judgements or Judgement.MISS in judgements
    if stray or (row.whole and confirmed and refused):
        judgements.append(Judgement.FALSE_CONFIRMATION)
    return Judged(row.id, row.kind, _worst(judgements), "; ".join(map(_words, said)) or "nothing")


def judge_quotation(row: QuotationRow, said: SaidOfQuote | None) -> Judged:
    """Judge what was said of a quotation; None: it was not looked at."""
    if said is None:
        return Judged(row.id, row.kind, Judgement.MISS, "quotation not looked at")
    passed, right = said.verdict in PASSED, said.verdict in row.expected
    lacking = row.warnings - said.warnings if passed else frozenset[str]()
    misplaced = row.stands_in is not None and plain(said.stands_in or "") != plain(row.stands_in)
    if passed and not row.holds and (lacking or not right):
        judgement = Judgement.FALSE_CONFIRMATION
    elif row.holds and not passed:
        judgement = Judgement.REFUSED
    else:
        judgement = Judgement.RIGHT if right and not lacking and not misplaced else Judgement.MISS
    without = f", without {', '.join(sorted(lacking))}" if lacking else ""
    return Judged(row.id, row.kind, judgement, said.verdict + without)


def _answers_of(expected: Expected, said: Sequence[Said]) -> list[Said]:
    """Return the answers for what was expected: those of its citation, else the first of a right outcome."""
    own = [one for one in said if _same(one.citation, expected.citation)]
    exact = [one for one in own if _pin(one.pin) == _pin(expected.pin)]
    if exact or own:
        return (exact or own)[: expected.times]
    if expected.same_title:
        own = [one for one in said if _is_container(one.citation, expected)]
    loose = [one for one in said if one.outcome in expected.outcome and not one.leads]
    return (own or loose or [one for one in said if expected.citation is None and not one.leads])[:1]


def _of_result(expected: Expected, answers: Sequence[Said]) -> Judgement:
    if not answers:
        return Judgement.RIGHT if expected.optional else _denied(expected)
    judgements = []
    for answer in answers:
        if answer.outcome == "found" and answer.pin is not None and not answer.pin_found:
            # A section that is found although its part is not: the part was cited, and there is none.
            judgements.append(Judgement.FALSE_CONFIRMATION if not expected.is_found else Judgement.REFUSED)
        elif answer.outcome not in expected.outcome:
            alive = answer.is_confirmed and answer.outcome == "found"
            judgements.append(Judgement.FALSE_CONFIRMATION if alive else _denied(expected))
        elif answer.outcome == "found" and expected.dead and answer.status == "in_force":
            judgements.append(Judgement.FALSE_CONFIRMATION)
        elif _pin(answer.pin) != _pin(expected.pin) and answer.is_confirmed:
            other = expected.pin is not None and answer.pin is not None
            judgements.append(Judgement.FALSE_CONFIRMATION if other else _denied(expected))
        else:
            judgements.append(Judgement.RIGHT)
    return _worst(judgements)


def _denied(expected: Expected) -> Judgement:
    return Judgement.REFUSED if expected.is_found else Judgement.MISS


def _worst(judgements: Sequence[Judgement]) -> Judgement:
    return min(judgements, key=list(Judgement).index, default=Judgement.RIGHT)


def _same(said: str | None, expected: str | None) -> bool:
    """Return True for one provision, whose stored citation may have more steps: `tit. 22, subtit. I, ch. 21`."""
    if said is None or expected is None:
        return False
    if "§" in expected or "§" in said:
        return re.sub(r"(?:\([^()]+\))+$", "", plain(said)) == plain(expected)
    return plain(said).split()[0] == plain(expected).split()[0] and plain(said).endswith(
        plain(expected).rsplit(" ", 2)[-2] + " " + plain(expected).rsplit(" ", 1)[-1]
    )


def _is_container(citation: str | None, expected: Expected) -> bool:
    """Return True for a container of the title in which an act stands: all of an act may be one chapter."""
    return citation is not None and "§" not in citation and _title(citation) == _title(expected.citation)


def _pin(label: str | None) -> str:
    return re.sub(r"\s", "", fold_dashes(label or ""))


def _title(citation: str | None) -> list[str]:
    return [word.strip(".,") for word in plain(citation or "").split()[:2]]


def _is_between(citation: str | None, ends: Sequence[str]) -> bool:
    """Return True for a provision between the ends of a range, by its title and the figures of its number."""
    if citation is None or len(ends) < 2:
        return False
    first, last = (_figures(end) for end in (ends[0], ends[-1]))
    return _title(citation) == _title(ends[0]) and first <= _figures(citation) <= last


def _figures(citation: str) -> tuple[int, ...]:
    return tuple(int(figure) for figure in re.findall(r"\d+", citation.rpartition("§")[2]))


def _words(said: Said) -> str:
    pin = "" if said.pin is None else f" pin {said.pin}" + ("" if said.pin_found else " (no such part)")
    return f"{said.outcome} {said.citation or ''}{pin}".rstrip()
