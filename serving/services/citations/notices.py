"""Notices that stand where parts of a provision were: `(c), (d) Repealed. Pub. L. 93-259, ...`."""

import re
from typing import NamedTuple

from serving.contract.citations.source import fold_dashes
from serving.services.citations.designators import labels_between

_LABEL = r"\([0-9A-Za-z]{1,5}(?:[-‐‑–][0-9A-Za-z]{1,4})?\)"
_NOTICE = re.compile(
    rf"\[?(?P<labels>(?:{_LABEL}\]? ?)+(?P<more>(?: ?(?:,|-|–|to|through|and|or)[ ,]*{_LABEL})*)) ?[\[(]?"
    r"(?P<word>Repealed|Omitted|Reserved|Expired|Transferred|Redesignated|Renumbered)"
    r"(?=[\]);,. ]*(?:\Z|\n|(?:and|or)\Z|(?:and|or)\n|\(|Pub\. L\.|Act |\w+\. \d|[A-Z]\w+ \d|§))[^\n]*"
)
"""A line that says of a part that it is no longer in force, and what ended it."""
_EACH = re.compile(r"\(([^()]+)\)")
_RANGE = re.compile(r"\) ?(?:-|–|to|through) ?\(")
_LONGEST = 500
_STATUSES = {"redesignated": "renumbered"}


class Notice(NamedTuple):
    """A notice over characters [start, end) of a text; `status` of the parts that bore its labels."""

    labels: tuple[str, ...]
    status: str
    start: int
    end: int


def notice_at(text: str, position: int) -> Notice | None:
    """Return the notice that begins at a position of a text; None where none does."""
    match = _NOTICE.match(text, position)
    if match is None or match.end() - match.start() > _LONGEST:
        return None
    labels = [fold_dashes(label) for label in _EACH.findall(match.group("labels"))]
    if not match.group("more"):
        labels = labels[-1:]  # `(c)(1) Repealed`: a part of (c)
    elif _RANGE.search(match.group("labels")):
        labels = labels_between(labels[0], labels[-1]) or labels
    word = match.group("word").lower()
    return Notice(tuple(labels), _STATUSES.get(word, word), match.start(), match.end())
