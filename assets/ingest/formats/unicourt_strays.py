"""Items of UniCourt's lists that go on from another list than the one that holds them.

The publisher's program numbers on from the last list of a kind, whatever stands between. Of a list that it
took for paragraphs, `(I)` and `(II)`, it puts `(III)` behind the second item of an earlier list. What it took
for paragraphs it may also move behind the list that follows. No pin of such items is sure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from assets.ingest.designators import readings_of
from assets.registry import LabelScheme
from serving.contract.records import Outline

_ENDS = (".", ".”", '."', ".)")
_INTRODUCES = (":", "—", "–", "-")
_GONE = ("repealed", "(deleted", "deleted")


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list: the kind of its list, which one that is, and where in the text it starts."""

    kind: str
    of: int
    start: int


@dataclass(frozen=True, slots=True)
class Loose:
    """A paragraph that is no item, within a list or beside it.

    Attributes:
        within: tells the item that holds it; 0 for those that stand in none.
        start: its first character.
        moved: a list stands before it in the same item.
    """

    within: int
    start: int
    moved: bool


def with_strays(
    outline: tuple[Outline, ...],
    text: str,
    items: Sequence[Item],
    loose: Iterable[Loose],
    scheme: LabelScheme,
) -> tuple[Outline, ...]:
    """Return an outline with the parts uncertain that may belong elsewhere, and all within them."""
    astray = _Strays(text, items, scheme.levels).of(loose)
    result: list[Outline] = []
    end = -1
    for part in outline:
        if part.start in astray:
            end = max(end, part.end)
        result.append(replace(part, uncertain=True) if part.start < end else part)
    return tuple(result)


class _Strays:
    def __init__(self, text: str, items: Sequence[Item], levels: tuple[str, ...]) -> None:
        self._text = text
        self._items = items
        self._levels = levels

    def of(self, loose: Iterable[Loose]) -> set[int]:
        """Return where parts start that may belong elsewhere."""
        found: set[int] = set()
        for kind, run in self._runs(loose):
            if run[0].moved and not self._before(run[0].start).endswith(_INTRODUCES):
                found.update(one.start for one in run)
            if not self._is_closed(run[-1].start):
                found.update(self._goes_on(kind, len(run), run[0].start))
        return found

    def _runs(self, loose: Iterable[Loose]) -> list[tuple[str, list[Loose]]]:
        """Return the paragraphs that count from the first of a kind on, within one element."""
        runs: list[tuple[str, list[Loose]]] = []
        open_runs: dict[tuple[int, str], list[Loose]] = {}
        for one in loose:
            mark = self._line(one.start).split(")")[0] + ")"
            for reading in readings_of(mark, self._levels) if mark.startswith("(") else ():
                kind = reading.style.strip("().")
                run = open_runs.get((one.within, kind), [])
                if reading.suffix or reading.number not in (1, len(run) + 1):
                    continue
                if reading.number == 1:
                    run = open_runs[one.within, kind] = []
                    runs.append((kind, run))
                run.append(one)
        return runs

    def _goes_on(self, kind: str, count: int, start: int) -> list[int]:
        """Return where the items start that follow the end of an earlier list of a kind, as its items say."""
        lists: dict[int, list[int]] = {}
        for item in self._items:
            if item.kind == kind and item.start < start:
                lists.setdefault(item.of, []).append(item.start)
        for starts in reversed(lists.values()):
            if len(starts) <= count:
                continue
            closed = [self._is_closed(at) for at in starts]
            before = closed[count - 2] if count > 1 else True
            if closed[count - 1] and not (before and closed[count]):
                return starts[count:]
        return []

    def _is_closed(self, start: int) -> bool:
        """Return whether the line of a part ends a sentence; that of one that is gone says nothing."""
        line = self._line(start)
        words = line.rpartition(") ")[2] if line.startswith("(") else line
        return line.endswith(_ENDS) and not words.lower().startswith(_GONE)

    def _line(self, start: int) -> str:
        end = self._text.find("\n", start)
        return self._text[start:] if end < 0 else self._text[start:end]

    def _before(self, start: int) -> str:
        return self._text[: max(start - 1, 0)].rpartition("\n")[2]
