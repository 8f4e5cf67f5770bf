"""Law of codes that a search query cites or names among other words, held or not."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

from serving.contract.citations import Citation, parse
from serving.contract.citations.asides import asides_behind
from serving.contract.citations.citation import SECTION, UNKNOWN_CODE
from serving.contract.citations.grammar import CodeName
from serving.contract.citations.keys import words_of_name
from serving.contract.citations.known_names import Anchor
from serving.contract.citations.law_names import LawName, is_generic, is_part_of_longer_name, law_names
from serving.contract.citations.scheme import REGULATIONS
from serving.contract.citations.source import SourceText
from serving.services.citations.resolution import Outcome, Reason, Resolution
from serving.services.citations.resolve import join_lists, resolve_citations
from serving.services.mentions import mentioned_places
from serving.services.requests import NotHeld
from serving.snapshot.query import FILLER, STOP_WORDS
from serving.snapshot.store import Snapshot

_NOT_HELD = (Outcome.OUTSIDE_COVERAGE, Outcome.NOT_IN_CODE)
_OTHER_TIMES = (Reason.EDITION_NOT_HELD, Reason.FORMER)
_SAYING_NOTHING = STOP_WORDS | FILLER
_NAMED_ALONE = ("code", REGULATIONS)
_WORDS = re.compile(r"(?=.*[a-z]{3}).*[a-z]\.? ", re.IGNORECASE)
"""Name of several words: initials without a number may mean anything, as `ORS` does."""
_CODE = re.compile(
    r"\b(?:code|ordinances?|statutes?|regulations?|charter)\b|\b(?:stat|ord|reg)s?\.", re.IGNORECASE
)
_OF_A_PLACE = re.compile(
    r"\b(?:(?:municipal|city|county|town|village|administrative) code|code of ordinances)\Z", re.IGNORECASE
)
"""End of the name of a code of a place, which counts where nothing is cited of it."""
_GOES_ON = re.compile(r" {1,3}of ")
"""Words by which a name is none: `virginia code of conduct`."""
_WORD_BEFORE = re.compile(r"([a-z]+) {1,3}\Z")


def unheld_of(snapshot: Snapshot, resolution: Resolution) -> Iterator[NotHeld]:
    """Yield what is cited that the snapshot does not hold, as it is written where it is of another time."""
    if resolution.reason in _OTHER_TIMES:
        yield NotHeld(asked=resolution.input, outcome=resolution.outcome)
        return
    for one in resolution.members or (resolution,):
        if one.citation is None:
            continue
        if one.outcome in _NOT_HELD or (
            one.outcome is Outcome.UNKNOWN_CODE and _is_elsewhere(snapshot, one.code_name or "")
        ):
            yield NotHeld(asked=one.citation, outcome=one.outcome)


class LawsAmongWords(NamedTuple):
    """Law of codes that a query cites or names among other words.

    Attributes:
        leading: citations before or behind what is asked, resolved.
        unheld: what is not held.
    """

    leading: Sequence[Resolution] = ()
    unheld: Sequence[NotHeld] = ()


def laws_among_words(snapshot: Snapshot, query: str) -> LawsAmongWords:
    """Return the law of codes that a query cites or names among other words.

    A citation leads where words of grammar and talk alone stand before or behind it: others are within what
    is asked for, as in an excerpt of the law. Of a code that is not held the name alone counts where it has
    several words (`Tex. Bus. & Com. Code`), and of one that no data lists where it says of which place it is
    (`Seattle Municipal Code`).
    """
    source = SourceText.of(query)
    codes = _listed_codes(snapshot, source)
    others = [name for name in law_names(source) if _is_elsewhere(snapshot, name.name)]
    if not codes and not others:  # as in nearly all queries, which need not be read
        return LawsAmongWords()
    read = join_lists(snapshot, query, parse(query, snapshot.grammar))
    cited = [one for one in read if one.code is not None or one.kind == UNKNOWN_CODE]
    resolved = list(zip(cited, resolve_citations(snapshot, query, read, cited), strict=True))
    unheld = [
        law
        for one, found in resolved
        for law in unheld_of(snapshot, replace(found, input=_of_its_time(query, one, found.reason)))
    ]
    held = {body.key for body in snapshot.code_bodies}
    told = {one.scheme for one in cited}
    for anchor, found in codes:
        schemes = [one.scheme for one in found if one.scheme.kind == SECTION]
        known = any(one.key in told or one.code in held or one.law not in _NAMED_ALONE for one in schemes)
        if schemes and not known and _is_named_alone(source, anchor, read):
            told.update(one.key for one in schemes)
            unheld.append(NotHeld(asked=query[anchor.start : anchor.end], outcome=Outcome.OUTSIDE_COVERAGE))
    named = [span for span, _ in codes] + list(read)
    unheld += [
        NotHeld(asked=name.name, outcome=Outcome.UNKNOWN_CODE)
        for name in others
        if _OF_A_PLACE.search(name.name) and not _overlaps(name, named)
    ]
    leading = list(compress((found for _, found in resolved), _leading(query, cited)))
    return LawsAmongWords(leading, list(dict.fromkeys(unheld)))


def _leading(query: str, cited: Sequence[Citation]) -> list[bool]:
    """Return for each citation whether words that say something stand on one side of it at most."""
    ends = [0, *(one.end for one in cited)]
    starts = [*(one.start for one in cited), len(query)]
    says = [
        not _SAYING_NOTHING.issuperset(words_of_name(query[end:start]))
        for end, start in zip(ends, starts, strict=True)
    ]
    return [not any(says[: at + 1]) or not any(says[at + 1 :]) for at in range(len(cited))]


def _listed_codes(snapshot: Snapshot, source: SourceText) -> list[tuple[Anchor, list[CodeName]]]:
    """Return the names of known codes in a text, with their meanings."""
    meanings = snapshot.grammar.meanings
    return [
        (anchor, found)
        for anchor in snapshot.grammar.names.find_all(source.folded)
        if anchor.name and (found := [one for one in meanings(anchor.name) if isinstance(one, CodeName)])
    ]


def _is_elsewhere(snapshot: Snapshot, name: str) -> bool:
    """Return True for the name of a code that no data lists and that is of no place whose law is held.

    `Municipal Code` may be that of any place, and an act may have become a part of a code that is held.
    """
    if _CODE.search(name) is None or is_generic(name):
        return False
    return not mentioned_places(name, snapshot.manifest)


def _overlaps(name: LawName | Anchor, others: Iterable[Anchor | Citation]) -> bool:
    return any(one.start < name.end and name.start < one.end for one in others)


def _of_its_time(query: str, cited: Citation, reason: Reason | None) -> str:
    """Return a citation as it is written, with what says of which time it is."""
    *_, end = (cited.end, *(aside.end for aside in asides_behind(query, cited.end)))
    written = query[cited.start : end]
    return f"former {written}" if reason is Reason.FORMER and end == cited.end else written


def _is_named_alone(source: SourceText, anchor: Anchor, read: Sequence[Citation]) -> bool:
    """Return True for a name of several words that is a part of no citation and of no longer name."""
    if _overlaps(anchor, read):
        return False
    if _WORDS.match(anchor.name) is None or _GOES_ON.match(source.folded, anchor.end):
        return False
    before = _WORD_BEFORE.search(source.folded, 0, anchor.start)
    if anchor.name.startswith("code ") and before is not None and before[1] not in STOP_WORDS:
        return False  # `dress code of virginia schools`
    return not is_part_of_longer_name(source, anchor.start, anchor.end)
