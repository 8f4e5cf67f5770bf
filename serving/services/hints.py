"""Hints for searches that find nothing: the likeliest reason, and what to try."""

import re
from difflib import SequenceMatcher

from serving.services.jurisdictions import holds_law
from serving.services.requests import SearchRequest
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
_NO_PROOF = "That is no proof that there is no such law: coverage names the gaps."


def hint_for(snapshot: Snapshot, request: SearchRequest) -> str:
    """Return why a search found nothing, and what to try."""
    code = request.jurisdiction
    if code is not None and not holds_law(snapshot.manifest, code):
        return f"No law of {code} is held, so that nothing is found says nothing about its law."
    if not snapshot.keyword.knows_word(request.query):
        meant = _meant(snapshot, request.query)
        if meant is not None:
            return f"No word of the query stands in the law that is held. Did you mean `{meant}`? {_NO_PROOF}"
        advice = "Check the spelling, or try other words."
        return f"No word of the query stands in the law that is held. {advice} {_NO_PROOF}"
    advice = "Try other words, or fewer filters."
    return f"Nothing that is held comes near enough to the query to be called a match. {advice} {_NO_PROOF}"


def _meant(snapshot: Snapshot, query: str) -> str | None:
    """Return the query with its words spelled as words of the law; None unless each has one that is alike."""
    words = query.split()[:_MOST_WORDS]
    suggested = [_suggest(snapshot, word) for word in words]
    return None if None in suggested else " ".join(word for word in suggested if word)


def _suggest(snapshot: Snapshot, word: str) -> str | None:
    """Return the word of the law that is most like a word; None if none is alike."""
    typed = word.lower()
    if len(typed) < _SHORTEST or not _WORD.fullmatch(typed):
        return None
    best, likeness = None, _LIKE
    for row in snapshot.keyword.spelled_like(typed, filters=Filters(statuses=()), limit=_SAMPLE):
        nodes = snapshot.nodes
        for known in dict.fromkeys(_WORD.findall(f"{nodes.heading(row)} {nodes.text(row)}".lower())):
            matcher = SequenceMatcher(None, typed, known)
            if matcher.quick_ratio() > likeness and matcher.ratio() > likeness:
                best, likeness = known, matcher.ratio()
    return best
