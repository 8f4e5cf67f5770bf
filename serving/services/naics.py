"""NAICS codes of a business: found by code, or by words and meaning together, with the codes above each."""

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal

from serving.contract.answers import DETAIL
from serving.contract.errors import NotFoundError, ValidationError
from serving.snapshot.naics import NaicsTable
from serving.snapshot.store import Snapshot

MAX_QUERY = 500
MAX_MATCHES = 25
LEVELS = {2: "sector", 3: "subsector", 4: "industry_group", 5: "naics_industry", 6: "national_industry"}
"""Names of levels by the number of digits in a code."""
WORDS_WEIGHT = 0.25
"""Score that a perfect match of words adds to the cosine of the meaning."""

Way = Literal["code", "words", "meaning"]


@dataclass(frozen=True, slots=True)
class NaicsCode:
    """One code; `level` is one of `LEVELS`."""

    code: str
    title: str
    level: str


@dataclass(frozen=True, slots=True)
class NaicsMatch:
    """One code that a query matches.

    Attributes:
        hierarchy: the codes above it, from its sector down.
        children: the codes right below it; none below six digits.
        score: score by which the matches of one query are ordered; 1 for a code that was given.
        matched: the title or term of the code that comes nearest to the query; None where a code was given.
        ways: ways in which it was found.
    """

    code: str
    title: str
    level: str
    hierarchy: tuple[NaicsCode, ...]
    children: tuple[NaicsCode, ...] = field(default=(), kw_only=True)
    score: Annotated[float, DETAIL]
    matched: str | None
    ways: Annotated[tuple[Way, ...], DETAIL]


@dataclass(frozen=True, slots=True)
class NaicsResult:
    """The codes that match a query, the best first; `date` is that of the table (NAICS 2022)."""

    query: str
    date: str
    matches: tuple[NaicsMatch, ...]


def lookup_naics(snapshot: Snapshot, query: str, *, limit: int = 5) -> NaicsResult:
    """Return the codes that a query names, or the six-digit codes that fit a description best.

    Args:
        snapshot: holds the table and the encoder.
        query: a code of 2 to 6 digits, or a few words about what a business does, up to `MAX_QUERY`
            characters.
        limit: most matches, 1 to `MAX_MATCHES`.

    Raises:
        ValidationError: the query is empty or too long, or the limit is out of bounds.
        NotFoundError: there is no such code, nor a word, or the snapshot was published without the table
            (`kind`).
    """
    if not 1 <= limit <= MAX_MATCHES:
        raise ValidationError(f"`limit` must be from 1 to {MAX_MATCHES}.", parameter="limit")
    named = named_code(snapshot, query)
    if named is not None:
        return named
    table, folded = snapshot.naics, _folded(query)
    return NaicsResult(folded, table.date, _described(snapshot, table, folded, limit))


def named_code(snapshot: Snapshot, query: str) -> NaicsResult | None:
    """Return the code that a query names; None where it is words, whose meaning has to be found.

    Raises:
        ValidationError: the query is empty or too long.
        NotFoundError: there is no such code, nor a word, or the snapshot was published without the table
            (`kind`).
    """
    folded = _folded(query)
    if not 1 <= len(folded) <= MAX_QUERY:
        raise ValidationError(f"`query` must be 1 to {MAX_QUERY} characters long.", parameter="query")
    table = snapshot.naics
    if any(map(str.isalpha, folded)):
        return None
    # Numbers and signs have no meaning to go by: a code that is mistyped fits no business.
    return NaicsResult(folded, table.date, (_of_code(table, folded),))


def naics_code(snapshot: Snapshot, code: str) -> NaicsCode:
    """Return the six-digit code that an order names.

    Raises:
        ValidationError: there is no such code.
        NotFoundError: the snapshot was published without the table.
    """
    table = snapshot.naics
    position = table.find(code.strip()) if re.fullmatch(r"\d{6}", code.strip()) else None
    if position is None:
        raise ValidationError(f"{code[:20]!r} is no NAICS 2022 code of six digits.", parameter="naics")
    return _code(table, position)


def _folded(query: str) -> str:
    # A lone surrogate has no UTF-8 form, and no encoder takes it.
    return " ".join(query.encode("utf-8", "replace").decode("utf-8").split())


def _of_code(table: NaicsTable, code: str) -> NaicsMatch:
    position = table.find(code)
    if position is None:
        raise NotFoundError(f"There is no NAICS 2022 code {code[:20]}.", kind="naics_code")
    return _match(table, position, score=1.0, matched=None, ways=("code",))


def _described(snapshot: Snapshot, table: NaicsTable, query: str, limit: int) -> tuple[NaicsMatch, ...]:
    words = table.by_words(query)
    meaning = table.by_meaning(snapshot.encoder.encode_query(query))
    least = min((cosine for cosine, _ in meaning.values()), default=0.0)
    scores = {
        position: meaning.get(position, (least, -1))[0] + WORDS_WEIGHT * words.get(position, (0.0, -1))[0]
        for position in words.keys() | meaning.keys()
    }
    best = sorted(scores, key=lambda position: (-scores[position], position))[:limit]
    matches = []
    for position in best:
        ways: list[Way] = []
        if position in words:
            ways.append("words")
        if position in meaning:
            ways.append("meaning")
        nearest = meaning.get(position) or words[position]
        phrase = table.phrases[nearest[1]].text
        matches.append(
            _match(
                table,
                position,
                score=round(scores[position] / (1 + WORDS_WEIGHT), 4),
                matched=phrase,
                ways=tuple(ways),
            )
        )
    return tuple(matches)


def _match(
    table: NaicsTable, position: int, *, score: float, matched: str | None, ways: tuple[Way, ...]
) -> NaicsMatch:
    own = _code(table, position)
    return NaicsMatch(
        code=own.code,
        title=own.title,
        level=own.level,
        hierarchy=tuple(_code(table, above) for above in table.hierarchy(position)),
        children=tuple(_code(table, below) for below in table.children(position)),
        score=score,
        matched=matched,
        ways=ways,
    )


def _code(table: NaicsTable, position: int) -> NaicsCode:
    code = table.codes[position]
    return NaicsCode(code, table.titles[position], LEVELS[2 if "-" in code else len(code)])
