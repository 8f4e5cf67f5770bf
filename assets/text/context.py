"""The context line of a provision: `citation — ancestors' headings > ... — heading`, of bounded length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from serving.encoder.tokens import PassageTokenizer

_DASH = " — "
_STEP = " > "


@dataclass(frozen=True, slots=True)
class Place:
    """Where a provision stands: its citation, its ancestors' headings from the outermost in, its heading."""

    citation: str
    ancestors: tuple[str, ...]
    heading: str


def context_lines(places: Sequence[Place], tokenizer: PassageTokenizer, *, limit: int) -> list[str]:
    """Return the context line of each place, of at most `limit` tokens.

    What does not fit is left out, outer ancestors first; a citation and heading that alone exceed the limit
    lose their end.
    """
    phrases = sorted({phrase for place in places for phrase in _phrases(place)})
    phrases += [_DASH, _STEP]
    counts = dict(zip(phrases, map(int, tokenizer.count(phrases)), strict=True))
    return [_line(place, counts, tokenizer, limit) for place in places]


def _phrases(place: Place) -> list[str]:
    return [phrase for phrase in (place.citation, *place.ancestors, place.heading) if phrase]


def _line(place: Place, counts: Mapping[str, int], tokenizer: PassageTokenizer, limit: int) -> str:
    ends = [phrase for phrase in (place.citation, place.heading) if phrase]
    used = sum(counts[phrase] for phrase in ends) + counts[_DASH] * max(len(ends) - 1, 0)
    if used > limit:
        return _shortened(_DASH.join(ends), tokenizer, limit)
    kept: list[str] = []
    for heading in reversed([ancestor for ancestor in place.ancestors if ancestor]):
        used += counts[heading] + counts[_STEP if kept else _DASH]
        if used > limit:
            break
        kept.insert(0, heading)
    parts = [place.citation, _STEP.join(kept), place.heading]
    return _DASH.join(part for part in parts if part)


def _shortened(line: str, tokenizer: PassageTokenizer, limit: int) -> str:
    """Cut a line before the first word that exceeds the limit, or within it where it is the only one."""
    ends = tokenizer.tokenize(line).end
    if len(ends) <= limit:
        return line
    end = int(ends[limit - 1])
    cut = line[:end]
    if not line[end].isspace() and " " in cut:
        cut = cut.rsplit(maxsplit=1)[0]
    return cut
