"""The context line of a provision: `citation — ancestors' headings > ... — heading`, of bounded length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from serving.encoder.tokens import PassageTokenizer

_DASH = " — "
_STEP = " > "


@dataclass(frozen=True, slots=True)
class HeadingTrail:
    """A provision's citation, its ancestors' headings from the outermost in, and its own heading."""

    citation: str
    ancestors: tuple[str, ...]
    heading: str


def heading_trails(provisions: pa.Table) -> list[HeadingTrail]:
    """Return the place of every row. Parents stand before children, so one pass sees every ancestor."""
    columns = ("node_id", "parent_id", "citation", "heading")
    paths: dict[str, tuple[str, ...]] = {}
    trails = []
    for node, parent, citation, heading in zip(
        *(provisions.column(name).to_pylist() for name in columns), strict=True
    ):
        ancestors = paths.get(parent, ())
        paths[node] = (*ancestors, heading)
        trails.append(HeadingTrail(citation, ancestors, heading))
    return trails


def context_lines(trails: Sequence[HeadingTrail], tokenizer: PassageTokenizer, *, limit: int) -> list[str]:
    """Return the context line of each provision, of at most `limit` tokens.

    What does not fit is left out, outer ancestors first; a citation and heading that alone exceed the limit
    lose their end.
    """
    phrases = sorted({phrase for trail in trails for phrase in _phrases(trail)})
    phrases += [_DASH, _STEP]
    counts = dict(zip(phrases, map(int, tokenizer.count(phrases)), strict=True))
    return [_line(trail, counts, tokenizer, limit) for trail in trails]


def _phrases(trail: HeadingTrail) -> list[str]:
    return [phrase for phrase in (trail.citation, *trail.ancestors, trail.heading) if phrase]


def _line(trail: HeadingTrail, counts: Mapping[str, int], tokenizer: PassageTokenizer, limit: int) -> str:
    ends = [phrase for phrase in (trail.citation, trail.heading) if phrase]
    used = sum(counts[phrase] for phrase in ends) + counts[_DASH] * max(len(ends) - 1, 0)
    if used > limit:
        return _shortened(_DASH.join(ends), tokenizer, limit)
    kept: list[str] = []
    for heading in reversed([ancestor for ancestor in trail.ancestors if ancestor]):
        used += counts[heading] + counts[_STEP if kept else _DASH]
        if used > limit:
            break
        kept.insert(0, heading)
    parts = [trail.citation, _STEP.join(kept), trail.heading]
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
