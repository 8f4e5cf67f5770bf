"""Hints for searches: why nothing was found and what to try, or which law is asked for and not among it."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from serving.contract.records import IN_FORCE
from serving.services.citations.resolution import Outcome
from serving.services.known_values import filters_of
from serving.services.requests import LeftOut, Mode, NotHeld, SearchRequest
from serving.snapshot.filters import Filters
from serving.snapshot.store import Snapshot

_WORD = re.compile(r"[^\W\d_]+")
_LIKE = 0.7
"""Least likeness of a word to the one that is suggested in its place."""
_SHORTEST = 4
"""Letters of the shortest word that another is suggested for."""
_SAMPLE = 20
"""Provisions whose words are looked through for a suggestion."""
_MOST_WORDS = 8
"""Words of a query that suggestions are looked for."""
_MOST_COMPARED = 1_600
"""Words of the law that a query's words are compared with, in all."""
_MOST_NAMED = 3
"""Jurisdictions, and names and citations, that are told."""
_NO_PROOF = "That is no proof that there is no such law: coverage names the gaps."


def hint_for(
    snapshot: Snapshot,
    request: SearchRequest,
    *,
    total: int = 0,
    not_held: Sequence[NotHeld] = (),
    left_out: Sequence[LeftOut] = (),
) -> str | None:
    """Return what is to be known of the results of a search; None where all is held that it asks for.

    Args:
        snapshot: the one that is searched.
        request: the search.
        total: its matches.
        not_held: what it asks for and is not held.
        left_out: provisions that it cites and its filters leave out.
    """
    places = [one for one in not_held if one.jurisdiction is not None]
    unheld = [one for one in not_held if one.jurisdiction is None]
    told = []
    if nothing := [one for one in places if not one.partly]:
        of_results = "results are of other places" if total else "that nothing is found says nothing about it"
        told.append(f"No law of {_listed(nothing, 'or')} is held here: {of_results}.")
    partly = [one for one in places if one.partly]
    if partly and request.page == 1:
        told.append(f"Not all law of {_listed(partly, 'and')} is held here: coverage says what is missing.")
    if left_out:
        told.append(_filtered(left_out))
    if not total and (unheld or not (nothing or left_out)):
        told.append(_why_nothing(snapshot, request, unheld))
    elif unheld:
        told.append(f"{_unheld(unheld)} No result is of it; coverage says what is held.")
    return " ".join(told) or None


def _listed(places: Sequence[NotHeld], conjunction: str) -> str:
    """Return the names of jurisdictions, with the codes by which they are asked for."""
    *names, last = [f"{one.asked} (`{one.jurisdiction}`)" for one in places[:_MOST_NAMED]]
    return f"{', '.join(names)} {conjunction} {last}" if names else last


def _filtered(left_out: Sequence[LeftOut]) -> str:
    """Return which provisions the filters leave out, with their statuses, and where their text is."""
    told = []
    for one in left_out[:_MOST_NAMED]:
        status = one.status.replace("_", " ")
        moved = f", and now `{one.successor}`" if one.successor else ""
        told.append(f"`{one.citation}` ({status}{moved})")
    more = f" and {len(left_out) - _MOST_NAMED} more" if len(left_out) > _MOST_NAMED else ""
    named = ", ".join(told) + more
    # Nobody chose the filter that leaves out what is not in force.
    if any(one.status == IN_FORCE for one in left_out):
        why = "The filters leave out what the query cites"
    else:
        why = "What the query cites is not in force, and not among the results"
    return f"{why}: {named}. The text is read by the citation."


def _unheld(unheld: Sequence[NotHeld]) -> str:
    """Return what is not held, and what the law that is held does not have."""
    missing = [one for one in unheld if one.outcome == Outcome.NOT_IN_CODE]
    others = [one for one in unheld if one.outcome != Outcome.NOT_IN_CODE]
    told = []
    if others:
        told.append(f"The query cites or names law that is not held: {_named(others)}.")
    if missing:
        told.append(f"The query cites what is not in the code as it is held: {_named(missing)}.")
    return " ".join(told)


def _named(unheld: Sequence[NotHeld]) -> str:
    """Return the first of what is asked for, with the places where it stands, and how much more there is."""
    places = [f" ({one.stands_at})" if one.stands_at else "" for one in unheld[:_MOST_NAMED]]
    named = ", ".join(f"`{one.asked}`{place}" for one, place in zip(unheld, places, strict=False))
    return f"{named} and {len(unheld) - _MOST_NAMED} more" if len(unheld) > _MOST_NAMED else named


def _why_nothing(snapshot: Snapshot, request: SearchRequest, unheld: Sequence[NotHeld]) -> str:
    """Return why a search found nothing, and what to try."""
    filters = filters_of(request)
    if unheld:
        return f"{_unheld(unheld)} {_NO_PROOF}"
    if not snapshot.passing(filters).any():
        return f"No provision that is held passes all of the filters. Try fewer of them. {_NO_PROOF}"
    if not snapshot.keyword.knows_word(request.query):
        meant = _meant(snapshot, request.query)
        if meant is not None:
            return f"No word of the query stands in the law that is held. Did you mean `{meant}`? {_NO_PROOF}"
        advice = "Check the spelling, or try other words."
        return f"No word of the query stands in the law that is held. {advice} {_NO_PROOF}"
    left_out = _left_out(snapshot, request, filters)
    if left_out is not None:
        return f"{left_out} {_NO_PROOF}"
    advice = "Try other words, or fewer filters."
    return f"Nothing that is held comes near enough to the query to be called a match. {advice} {_NO_PROOF}"


def _left_out(snapshot: Snapshot, request: SearchRequest, filters: Filters) -> str | None:
    """Return what the words of a query match where nothing that they match passes the filters."""
    if _matches(snapshot, request, filters):
        return None
    if count := _matches(snapshot, request, Filters()):
        without = f"without them the words of the query match {_provisions(count)}"
        return f"The filters leave out what matches: {without}. Try fewer of them."
    if count := _matches(snapshot, request, Filters(statuses=())):
        advice = "Try other statuses, or fewer filters."
        return f"What the words of the query match, {_provisions(count)}, is not in force. {advice}"
    return None


def _matches(snapshot: Snapshot, request: SearchRequest, filters: Filters) -> int:
    """Return how many provisions the words of a query match."""
    found = snapshot.keyword.search(request.query, filters=filters, limit=0)
    # One word in common is a match of keyword mode alone, unless something is near by its meaning.
    return 0 if found.is_lenient and request.mode is not Mode.KEYWORD else found.total


def _provisions(count: int) -> str:
    return "1 provision" if count == 1 else f"{count:,} provisions"


def _meant(snapshot: Snapshot, query: str) -> str | None:
    """Return the query with its words spelled as words of the law; None unless each has one that is alike."""
    typed = [word.lower() for word in query.split()[:_MOST_WORDS]]
    if not all(len(word) >= _SHORTEST and _WORD.fullmatch(word) for word in typed):
        return None
    read: set[int] = set()
    known: dict[str, None] = {}
    meant = []
    # Word by word: most nonsense ends with its first, and provisions are read once for all.
    for word in typed:
        near = snapshot.keyword.spelled_like(word, filters=Filters(statuses=()), limit=_SAMPLE)
        known |= dict.fromkeys(_words_of(snapshot, [row for row in near if row not in read]))
        read.update(near)
        suggested = _suggest(word, known, most=_MOST_COMPARED // len(typed))
        if suggested is None:
            return None
        meant.append(suggested)
    return " ".join(meant) or None


def _words_of(snapshot: Snapshot, rows: Sequence[int]) -> list[str]:
    """Return the words of provisions, in lower case."""
    nodes = snapshot.nodes
    # Much is said again: what stands between spaces is told apart sooner than words are.
    runs: dict[str, None] = {}
    for row in rows:
        runs |= dict.fromkeys(f"{nodes.heading(row)} {nodes.text(row)}".lower().split())
    return _WORD.findall(" ".join(runs))


def _suggest(typed: str, known: Iterable[str], *, most: int) -> str | None:
    """Return the word of the law that is most like a word and begins as it does; None if none is alike.

    Args:
        typed: the word.
        known: words of the law.
        most: words that it is compared with: those nearest to its length.
    """
    first, length = typed[0], len(typed)
    # The likeness of words whose lengths differ much is too low, whatever their letters are.
    shortest, longest = length * _LIKE / (2 - _LIKE), length * (2 - _LIKE) / _LIKE
    able = [word for word in known if word[0] == first and shortest < len(word) < longest]
    able.sort(key=lambda word: abs(len(word) - length))
    best, likeness = None, _LIKE
    matcher = SequenceMatcher(b=typed)  # which it prepares for comparing
    for word in able[:most]:
        matcher.set_seq1(word)
        if matcher.quick_ratio() > likeness and matcher.ratio() > likeness:
            best, likeness = word, matcher.ratio()
    return best
