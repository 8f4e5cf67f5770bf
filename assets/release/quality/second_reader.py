"""A second, independent reader of citations: eyecite, wherever it finds anything at all."""

import importlib.util
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from serving.contract.citations import Citation, Grammar, parse
from serving.contract.citations.source import fold
from serving.snapshot.law import CitedLaw

NAME = "eyecite"
_LISTED = 200


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two readings of one text, each a title and a number, as `17 | 107`."""

    text: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two readers over the same texts.

    Attributes:
        installed: False: the second reader is not there, and nothing was compared.
        examined: texts in which the second reader found a citation of a code.
        silent: texts in which it found none.
        agreed: both read the same title and number.
        shorter: it read but the beginning of the number, such as 2000e of 2000e-2, or the first of a list.
        disagreements: anything else.
    """

    installed: bool
    examined: int = 0
    silent: int = 0
    agreed: int = 0
    shorter: tuple[Disagreement, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values, long lists cut."""
        values = asdict(self)
        lists = ("shorter", "disagreements")
        counts = {f"{name}Count": len(values[name]) for name in lists}
        return {**values, **counts, **{name: values[name][:_LISTED] for name in lists}}


def compare(law: CitedLaw, rows: Sequence[int]) -> Comparison:
    """Let both readers read the stored citations of nodes."""
    if importlib.util.find_spec(NAME) is None:
        return Comparison(installed=False)
    silent = agreed = 0
    shorter: list[Disagreement] = []
    others: list[Disagreement] = []
    for row in rows:
        text = law.nodes.citation(row)
        theirs = _theirs(text)
        if theirs is None:
            silent += 1
            continue
        title, number = theirs
        ours = _ours(text, law.grammar)
        own = ours[0] if len(ours) == 1 else None
        if own and not own.through and number == _folded(own.num) and title in (None, own.title):
            agreed += 1
            continue
        written = "; ".join(f"{own.title or '-'} | {own.num}" for own in ours)
        entry = Disagreement(text, written, f"{title or '-'} | {number}")
        begins = any(_folded(own.num).startswith(number) and title in (None, own.title) for own in ours)
        (shorter if begins else others).append(entry)
    examined = len(rows) - silent
    return Comparison(True, examined, silent, agreed, tuple(shorter), tuple(others))


def _ours(text: str, grammar: Grammar) -> list[Citation]:
    return [citation for citation in parse(text, grammar) if citation.num is not None]


def _theirs(text: str) -> tuple[str | None, str] | None:
    """Return title and number of the first citation of a code that the second reader finds."""
    # Only where something is built: a server has no second reader.
    from eyecite import get_citations  # noqa: PLC0415 - as said above
    from eyecite.models import FullLawCitation  # noqa: PLC0415 - as said above

    for found in get_citations(text):
        if isinstance(found, FullLawCitation) and found.groups.get("section"):
            title = found.groups.get("title") or found.groups.get("chapter")
            return title, _folded(found.groups["section"])
    return None


def _folded(number: str | None) -> str:
    return fold(number or "").replace(" ", "")
