"""States of a provision that were read from two formats of a publisher: XML, and the pages of a site."""

import re
from pathlib import PurePosixPath

from serving.comparison.words import fold, unspaced
from serving.contract.answers import NodeBody
from serving.contract.records import IN_FORCE

_STATUS = re.compile(r"\s*\[[^\[\]]+\]\.?$")
_ACT = re.compile(r"\d+-\d+")
_DERIVED = frozenset({"Cross References", "reason"})
"""Topics of notes that one format has and the other leaves to the reader: what refers to a provision, and why
it has no text, which is its status."""


def comparable(before: NodeBody, after: NodeBody) -> tuple[NodeBody, NodeBody]:
    """Return two states of a provision, without what differs only because their formats do.

    A page has the status behind the heading, drops white space between links, and names of an act one place;
    its history and notes begin with the newest, those of XML with the oldest. A page of a container has no
    history, so that where one state has none, the other's is no news.
    """
    if _is_page(before) == _is_page(after):
        return before, after
    one, other = _stated(before), _stated(after)
    if one["sourceCredit"] is None or other["sourceCredit"] is None:
        one["sourceCredit"] = other["sourceCredit"] = None
    return one, other


def _is_page(answer: NodeBody) -> bool:
    return PurePosixPath(answer["provenance"]["file"]).suffix == ".html"


def _stated(answer: NodeBody) -> NodeBody:
    heading = answer["heading"]
    stated = answer.copy()
    stated["heading"] = unspaced(heading if answer["status"] == IN_FORCE else _STATUS.sub("", heading))
    stated["text"] = unspaced(answer["text"])
    notes = (note for note in answer["notes"] if note["topic"] not in _DERIVED)
    stated["notes"] = sorted(notes, key=lambda note: (note["topic"], note["text"]))
    if answer["sourceCredit"] is not None:
        stated["sourceCredit"] = "; ".join(sorted(_acts(answer["sourceCredit"])))
    return stated


def _acts(credit: str) -> set[str]:
    """Return the numbers of a credit's acts, and the parts that name none by number, as they are compared."""
    acts: set[str] = set()
    for part in credit.split(";"):
        acts.update(_ACT.findall(fold(part)) or [unspaced(part).lower()])
    return acts
