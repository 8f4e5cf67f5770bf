"""Acts of the code that is cited beside them: `section 2 of the Arbitration Act, Ohio Rev. Code § 2711.02`.

Such an act has the name of a known one, and is law of another place.
"""

import re
from collections.abc import Iterator, Sequence

from serving.contract.citations.appositions import APPOSITION
from serving.contract.citations.asides import cited_together
from serving.contract.citations.citation import POPULAR_NAME, UNKNOWN_CODE, Citation, cite_unknown
from serving.contract.citations.grammar import ActName, CodeName, Grammar
from serving.contract.citations.scheme import FEDERAL, PopularName
from serving.contract.citations.source import SourceText, fold

_NAMED_FEDERAL = re.compile(r"\b(?:[Ff]ederal|United\sStates|U\. ?S\.|American)\s")
"""Words by which an act is one of the United States, whatever is cited beside it."""
_WORD_BEFORE = 16
_IN_BRACKETS = re.compile(r"\s{1,2}[(\[](?:the )?")
_ENDS_BRACKETS = re.compile(r"[)\]]")
_ACT = re.compile(r"\bAct\b")


def with_owners(source: SourceText, grammar: Grammar, read: Sequence[Citation]) -> list[Citation]:
    """Return the citations of a text, acts that belong to a code beside them as those of an unknown law.

    Regulations and the code of the United States leave its acts what they are.
    """
    groups = [*cited_together(read)]
    if not any(group[0].kind == POPULAR_NAME for group in groups):
        return list(read)
    found: list[Citation] = []
    for place, group in enumerate(groups):
        before, behind = groups[place - 1] if place else None, groups[place + 1 : place + 2]
        owners = [
            *((before[-1],) if before and _is_aside(source, before[-1], group) else ()),
            *(behind[0][:1] if behind and _is_apposition(source, group, behind[0][0]) else ()),
        ]
        is_of_another = group[0].kind == POPULAR_NAME and any(
            _owns(source, grammar, owner, group) for owner in owners
        )
        found += _as_unknown(source, grammar, group) if is_of_another else group
    return found


def _is_apposition(source: SourceText, act: Sequence[Citation], behind: Citation) -> bool:
    """Return True where nothing but the words that lead to its place stands between an act and a citation."""
    return APPOSITION.fullmatch(source.original, act[-1].end, behind.start) is not None


def _is_aside(source: SourceText, before: Citation, act: Sequence[Citation]) -> bool:
    """Return True for an act in brackets behind a citation: `Ohio Rev. Code § 5 (Arbitration Act § 2)`."""
    return (
        _IN_BRACKETS.fullmatch(source.original, before.end, act[0].start) is not None
        and _ENDS_BRACKETS.match(source.original, act[-1].end) is not None
    )


def _owns(source: SourceText, grammar: Grammar, owner: Citation, act: Sequence[Citation]) -> bool:
    """Return True where what is cited beside an act is the law of another place than the act's own."""
    begin = max(0, act[0].start - _WORD_BEFORE)
    if _NAMED_FEDERAL.search(source.original, begin, act[-1].end):
        return False
    if owner.kind == UNKNOWN_CODE:
        return _ACT.search(owner.code_name or "") is None
    code = grammar.code(owner.scheme or "")
    if code is None or code.scheme.jurisdiction == FEDERAL:
        return False
    known = (popular for name in act[0].candidates for popular in grammar.acts_called(name))
    return all(jurisdiction_of(grammar, popular) != code.scheme.jurisdiction for popular in known)


def jurisdiction_of(grammar: Grammar, act: PopularName) -> str:
    """Return the jurisdiction in whose code an act is."""
    folded = fold(act.citation or "")
    named = grammar.names.search(folded, 0)
    meanings = grammar.meanings(named.name) if named and named.name else ()
    codes = [one.scheme.jurisdiction for one in meanings if isinstance(one, CodeName)]
    return codes[0] if codes else FEDERAL


def _as_unknown(source: SourceText, grammar: Grammar, act: Sequence[Citation]) -> Iterator[Citation]:
    """Yield the sections of an act as those of one that nobody listed, by its name as it is written."""
    name = _written_name(source, grammar, act[0].start, act[-1].end)
    for one in act:
        yield cite_unknown(name, None, f"§ {one.num}" if one.num else None, one.start, one.end)


def _written_name(source: SourceText, grammar: Grammar, start: int, end: int) -> str:
    """Return the name of the act that is cited over [start, end) of a text."""
    while (anchor := grammar.names.search(source.folded, start, end)) is not None:
        start = anchor.end
        if anchor.name and any(isinstance(one, ActName) for one in grammar.meanings(anchor.name)):
            return " ".join(source.original[anchor.start : anchor.end].split())
    return " ".join(source.original[start:end].split())
