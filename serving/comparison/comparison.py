"""The comparison of two snapshots: what changed and its kind, described when it is asked for."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast
from uuid import UUID

import numpy as np

from serving.comparison.compared_law import ComparedLaw
from serving.comparison.credits import credit_added
from serving.comparison.formats import comparable
from serving.comparison.pairing import NONE, Pair, changed_pairs
from serving.comparison.provision import container, differing, side
from serving.comparison.words import changed_words, same_words
from serving.contract.answers import NodeBody
from serving.contract.changes import (
    ADDED,
    AMENDED,
    CODE_BODY,
    CORRECTED,
    EDITORIAL,
    REMOVED,
    RENUMBERED,
    STATUS,
    Change,
    ComparedBody,
)
from serving.contract.manifest import CodeBodyEntry
from serving.contract.reading_order import by_number

_DAY = len("2026-11-22")


class Difference(NamedTuple):
    """One change: its kind, and the rows of the provision; `NONE` where it is not there.

    A code body that is new or gone has one for all of it, without rows.
    """

    kind: str
    before: int
    after: int


class Comparison:
    """The comparison of two snapshots, the earlier one first."""

    def __init__(self, old: ComparedLaw, new: ComparedLaw) -> None:
        self.old = old
        self.new = new
        self._old_ids = old.nodes.ids()
        self._new_ids = new.nodes.ids()
        self._known: dict[str, list[Difference]] = {}

    @property
    def code_bodies(self) -> list[CodeBodyEntry]:
        """The code bodies of both, those of the later one first."""
        held = {body.id for body in self.new.code_bodies}
        return [*self.new.code_bodies, *(body for body in self.old.code_bodies if body.id not in held)]

    def differences(self, code_body: str) -> list[Difference]:
        """Return the changes of a code body, in the order of its numbers; they are found once."""
        if code_body not in self._known:
            self._known[code_body] = self._differences(code_body)
        return self._known[code_body]

    def _differences(self, code_body: str) -> list[Difference]:
        old = self.old.side(self._old_ids, code_body)
        new = self.new.side(self._new_ids, code_body)
        if old is None or new is None:
            return [Difference(ADDED if old is None else REMOVED, NONE, NONE)]
        earlier = np.unique(old.column("source"))
        later = np.unique(new.column("source"))
        found = [
            Difference(kind, pair.before, pair.after)
            for pair in changed_pairs(old, new)
            if (kind := self._kind(pair, earlier, later)) is not None
        ]
        return sorted(found, key=self._order)

    def count(self, code_body: str) -> int:
        """Return the most provisions of a code body that may have changed, which costs little to know."""
        if code_body in self._known:
            return len(self._known[code_body])
        old = self.old.side(self._old_ids, code_body)
        new = self.new.side(self._new_ids, code_body)
        return 1 if old is None or new is None else sum(1 for _ in changed_pairs(old, new))

    def summary(self, body: CodeBodyEntry, differences: Iterable[Difference]) -> ComparedBody:
        """Return the numbers of a code body."""
        return {
            "id": body.id,
            "name": body.name,
            "jurisdiction": body.jurisdiction,
            "before": self.old.edition(body.id),
            "after": self.new.edition(body.id),
            "staleTitles": list(self.new.stale.get(body.id, ())),
            "counts": dict(Counter(difference.kind for difference in differences)),
        }

    def describe(self, body: CodeBodyEntry, difference: Difference) -> Change:
        """Return the record of a change."""
        published = self.new.created[:_DAY]
        before, after = self._old_answer(difference.before), self._new_answer(difference.after)
        known = after or self._nearest(before)
        fields = [] if before is None or after is None else differing(*comparable(before, after))
        change: Change = {
            "kind": difference.kind,
            "fields": fields,
            "level": (after or before or {"level": CODE_BODY})["level"],
            "jurisdiction": body.jurisdiction,
            "codeBody": {"id": body.id, "name": body.name},
            "before": None if before is None else side(before),
            "after": None if after is None else side(after),
            "words": [],
            "wordsLeftOut": 0,
            "creditAdded": [],
            "publishedOn": published,
            "knownOn": published if known is None else known["provenance"]["retrievedAt"][:_DAY],
        }
        if before is not None and after is not None:
            change["words"], change["wordsLeftOut"] = changed_words(before["text"], after["text"])
            if "sourceCredit" in fields:
                change["creditAdded"] = credit_added(before["sourceCredit"], after["sourceCredit"])
        elif after is not None:
            change["creditAdded"] = credit_added(None, after["sourceCredit"])
        if after is not None and "successor" in after:
            change["successor"] = after["successor"]["citation"]
        if before is None and after is None:
            change["nodeCount"] = body.node_count
        return change

    def containers(self, difference: Difference) -> bytes:
        """Return the ids of a change's provisions and of all that is above them, 16 bytes each."""
        answers = (self._old_answer(difference.before), self._new_answer(difference.after))
        ids: dict[str, None] = {}
        for answer in answers:
            if answer is not None:
                ids |= dict.fromkeys([answer["id"], *(one["id"] for one in answer["ancestors"])])
        return b"".join(UUID(one).bytes for one in ids)

    def _kind(self, pair: Pair, earlier: np.ndarray, later: np.ndarray) -> str | None:
        """Return the kind of a change; None where only the format differs that a provision was read from."""
        is_reread = self._is_reread(pair, earlier, later)
        before, after = self._old_answer(pair.before), self._new_answer(pair.after)
        if is_reread and not self._is_put_elsewhere(before, after, earlier, later):
            return CORRECTED
        if before is None:
            return ADDED
        if after is None:
            return REMOVED
        before, after = comparable(before, after)
        if not differing(before, after):
            return None
        if pair.moved and (before["num"], before["citation"]) != (after["num"], after["citation"]):
            return RENUMBERED
        if before["status"] != after["status"]:
            return STATUS
        same = same_words(before["heading"], after["heading"]) and same_words(before["text"], after["text"])
        return EDITORIAL if same else AMENDED

    def _is_reread(self, pair: Pair, earlier: np.ndarray, later: np.ndarray) -> bool:
        """Return whether both snapshots have the publisher's file of each side: then only we changed."""
        read_before = pair.before == NONE or _holds(later, self.old.digests["source"][pair.before])
        return read_before and (pair.after == NONE or _holds(earlier, self.new.digests["source"][pair.after]))

    def _is_put_elsewhere(
        self, before: NodeBody | None, after: NodeBody | None, earlier: np.ndarray, later: np.ndarray
    ) -> bool:
        """Return whether a provision differs in its place alone, and the publisher gave it that.

        Its own file need not say where it stands: in law-xml the files of the containers do.
        """
        if before is None or after is None or differing(before, after) != ["place"]:
            return False
        rows = self._container(self.old, before), self._container(self.new, after)
        return not self._is_reread(Pair(*rows), earlier, later)

    def _container(self, law: ComparedLaw, answer: NodeBody) -> int:
        """Return the row of what holds a provision; `NONE` at the top of a code body."""
        above = container(answer)
        row = None if above is None else law.nodes.find(UUID(above))
        return NONE if row is None else row

    def _order(self, difference: Difference) -> tuple[Sequence[str | int], int, int]:
        nodes, row = (
            (self.old.nodes, difference.before)
            if difference.after == NONE
            else (self.new.nodes, difference.after)
        )
        return by_number(nodes.citation(row)), difference.after, difference.before

    def _old_answer(self, row: int) -> NodeBody | None:
        return None if row == NONE else cast(NodeBody, self.old.nodes.answer(row))

    def _new_answer(self, row: int) -> NodeBody | None:
        return None if row == NONE else cast(NodeBody, self.new.nodes.answer(row))

    def _nearest(self, before: NodeBody | None) -> NodeBody | None:
        """Return what still stands above a provision that is gone: its file says no more of that one."""
        for ancestor in reversed(() if before is None else before["ancestors"]):
            row = self.new.nodes.find(UUID(ancestor["id"]))
            if row is not None:
                return self._new_answer(row)
        return None


def _holds(values: np.ndarray, value: np.uint64) -> bool:
    """Return whether a value is among others, which rise."""
    place = int(np.searchsorted(values, value))
    return place < len(values) and bool(values[place] == value)
