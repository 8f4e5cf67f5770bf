"""The outline of a text that has no markup: labels such as `(a)(1)(A)`, with ranges, from the words alone.

How it is found:

1. `designators` finds what may be a label: at the head of a line, glued behind another one (`(a)(1)`), or run
   in behind the heading of one (`(a) Fees. (1) The fee`). Each has one or more readings: `(i)` is the first
   of its style and the ninth of that of `(a)`.
2. A designator changes the *stack* of open labels (`label_steps`): it goes on where a label of its style left
   off, which closes what is within; it opens a level below; or it is no label. What is regular costs nothing:
   the next of a sequence, or the first of the style that the code body's scheme has next. Gaps, restarts and
   levels that are passed over cost.
3. `label_paths` takes the cheapest way through the whole sequence, by dynamic programming, so that what
   follows decides: after `(h)` and `(i)`, `(j)` makes the `(i)` a letter and `(ii)` a number. The work is
   linear in the text.
4. A label is `uncertain` where another way costs hardly more, where its own step is irregular, where it lies
   within an uncertain one, where its path occurs twice, and where the text has divisions above the labels
   (articles of a compact, a list of unlabelled definitions) that its path does not name. So are all those of
   a list within a part that does not begin with the first of its style: it may go on from one elsewhere.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from assets.ingest.designators import Designator, designators
from assets.ingest.label_paths import Placed, place_labels
from assets.ingest.label_steps import Stack
from assets.ingest.model import Provision
from assets.registry import LabelScheme
from serving.contract.records import Outline

_MARGIN = 1.5
"""A label is uncertain where another way costs less than so much more."""

_IRREGULAR = 1.9
"""A label is uncertain where its own step costs so much."""

_LINES_OF_AN_INTRODUCTION = 1
"""Lines without a label before the first one; more of them may themselves be parts, such as definitions."""

_DIVISION = re.compile(
    r"^(?:(?:ARTICLE|Article|PART|Part|TITLE|Title|SECTION|Section|Sec\.) (?:\d{1,3}|[IVX]{1,6})\b"
    r"|(?:[IVX]{1,6}|\d{1,2}|[A-Z])\.[ (])",
    re.MULTILINE,
)
"""Heads a part that stands above the labels, as an article of a compact does: labels below it start anew."""


def outline_from_text(text: str, scheme: LabelScheme) -> tuple[Outline, ...]:
    """Return the labelled parts of a text in order of their start, parents before children.

    A part ends before the next part that is not within it, or with the text: words after a list that have no
    label of their own count to its last member, since nothing in a text says whose they are.

    Args:
        text: one block (paragraph) a line.
        scheme: how its code body labels parts.
    """
    tokens = list(designators(text, scheme.levels))
    if not tokens:
        return ()
    return _ranges(
        text, tokens, place_labels(tokens, scheme.levels), divided_from=_divided_from(text, tokens, scheme)
    )


def with_outlines(provisions: Iterable[Provision], scheme: LabelScheme) -> tuple[Provision, ...]:
    """Return the provisions; those whose markup has no outline get that of their text, if it has two parts.

    A single label is more often the remainder of a list than the outline of a section.
    """
    return tuple(
        replace(provision, outline=outline)
        if provision.text
        and not provision.outline
        and len(outline := outline_from_text(provision.text, scheme)) > 1
        else provision
        for provision in provisions
    )


def _divided_from(text: str, tokens: Sequence[Designator], scheme: LabelScheme) -> int:
    """Return the character from which labels may stand below something that their path does not name."""
    if text.count("\n", 0, tokens[0].start) > _LINES_OF_AN_INTRODUCTION:
        return 0
    if any("." in level for level in scheme.levels):
        return len(text)
    division = _DIVISION.search(text)
    return division.start() if division else len(text)


def _ranges(
    text: str, tokens: Sequence[Designator], placed: Sequence[Placed], *, divided_from: int
) -> tuple[Outline, ...]:
    parts: list[tuple[str, int, bool]] = []
    astray: list[bool] = []
    ends: list[int] = []
    open_parts: list[int] = []
    before: Stack = ()
    for token, here in zip(tokens, placed, strict=True):
        if here.kind != "label":
            for part in _in_doubt_from(here, open_parts):
                parts[part] = (*parts[part][:2], True)
            continue
        sibling = None
        while len(open_parts) >= len(here.stack):
            sibling = open_parts.pop()
            ends[sibling] = token.start
        above = bool(open_parts) and parts[open_parts[-1]][2]
        goes_on = sibling is not None and before[len(here.stack) - 1].style == here.stack[-1].style
        astray.append(astray[sibling] if sibling is not None and goes_on else _begins_astray(here))
        doubtful = above or astray[-1] or token.start >= divided_from or _is_doubtful(here)
        before = here.stack
        open_parts.append(len(parts))
        parts.append(("".join(_as_cited(held.label) for held in here.stack), token.start, doubtful))
        ends.append(len(text))
    times = Counter(label for label, _, _ in parts)
    return tuple(
        Outline(label, start, _after_last_character(text, start, end), doubtful or times[label] > 1)
        for (label, start, doubtful), end in zip(parts, ends, strict=True)
    )


def _begins_astray(here: Placed) -> bool:
    """Return whether a list within a part does not begin with the first of its style."""
    own = here.stack[-1]
    return len(here.stack) > 1 and own.number > 1 and not own.several


def _in_doubt_from(here: Placed, open_parts: Sequence[int]) -> Sequence[int]:
    """Return the open parts that a list apart may have ended: it is numbered as one of them is.

    A form or an award term behind the last part has an `(a)` of its own; notes to a table within a part are
    numbered unlike it.
    """
    if not here.stack or not here.stack[-1].aside:
        return ()
    above = zip(open_parts, here.stack, strict=False)
    same = (place for place, (_, held) in enumerate(above) if held.style == here.stack[-1].style)
    return open_parts[next(same, len(open_parts)) :]


def _as_cited(label: str) -> str:
    """Return a label as outlines of markup and pin cites have it: `(A)` for `A.`."""
    return f"({label[:-1]})" if label.endswith(".") else label


def _is_doubtful(here: Placed) -> bool:
    own = here.stack[-1]
    passes_over = len(here.stack) > 1 and own.level != here.stack[-2].level + 1
    return here.margin < _MARGIN or here.cost >= _IRREGULAR or passes_over or own.several


def _after_last_character(text: str, start: int, end: int) -> int:
    while end > start + 1 and text[end - 1] in " \n":
        end -= 1
    return end
