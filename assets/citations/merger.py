"""Bring together the references that a source marks up and those that are read from the words."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from assets.citations.act_names import is_the_act, may_name
from assets.citations.contradictions import PublishersLinks
from assets.citations.implicit_title import ReadCitation, without_doubtful
from assets.citations.links import LinkResolver
from assets.citations.reconcile import Holdings, MarkedReference, WordReference, reconcile
from assets.citations.references import Reference
from assets.citations.targets import TargetFinder
from assets.ingest.links import ACT
from assets.ingest.readers import dialect
from assets.selection.selection import Selection
from serving.contract.citations import Citation, Grammar
from serving.contract.citations.former import is_former
from serving.contract.records import FROM_MARKUP, IN_FORCE

DATED = "dated"
"""The text is that of an instrument of one year, and the other code that it cites may be renumbered since."""
_DATED = re.compile(r" of \d{4}$")
FORMER = "former"
"""The text says that it means a former provision, and the one that bears the number now is another."""


class Merger:
    """Brings the references of each provision together.

    Attributes:
        links: of each code body, in the order of the selection: those marked up, and those contradicted.
    """

    def __init__(self, selection: Selection, grammar: Grammar, finder: TargetFinder) -> None:
        """Prepare to follow links in the notation of each format, and to lead citations by the finder."""
        self._selection = selection
        self._finder = finder
        self._resolver = LinkResolver(selection)
        self._bodies = [entry.body for entry in selection.bodies]
        self.links = [PublishersLinks(body.key) for body in self._bodies]
        self._dialects = [dialect(body.reader) for body in self._bodies]
        self._schemes = [code.scheme for body in self._bodies if (code := grammar.code(body.key))]
        self._of_position = selection.body_of_positions().tolist()
        names = ("citation", "num", "citable", "status", "level")
        columns = (selection.provisions.column(name).to_pylist() for name in names)
        self._citations, self._numbers, self._citable, self._statuses, levels = columns
        self._holdings = Holdings(selection.numbering.parents.tolist(), self._citable, levels)

    def merged(
        self, read: Iterator[list[ReadCitation]], progress: Callable[[int], None]
    ) -> Iterator[tuple[int, Sequence[Reference]]]:
        """Yield the position and the references of each provision, in order.

        Args:
            read: the citations of each provision's text, in the same order.
            progress: called with the number of provisions done since the last call.
        """
        for first, batch in self._selection.batches(["references", "text"]):
            for position, row in enumerate(batch.to_pylist(), first):
                text = row["text"]
                marked = [self._marked(position, text, entry) for entry in row["references"]]
                reconciled = reconcile(text, marked, self._words(position, text, next(read)), self._holdings)
                own = self.links[self._of_position[position]]
                own.add(self._citations[position], text, len(marked), reconciled.contradicted)
                yield position, [self._present(text, reference) for reference in reconciled.references]
            progress(batch.num_rows)

    def _present(self, text: str, reference: Reference) -> Reference:
        """Return a reference; one to a former provision does not lead to the one that has its number now."""
        if reference.target is None or not is_former(text, reference.start, reference.end):
            return reference
        return _nowhere(reference, FORMER) if self._statuses[reference.target] == IN_FORCE else reference

    def _marked(self, position: int, text: str, entry: Mapping[str, Any]) -> MarkedReference:
        body = self._of_position[position]
        target = self._resolver.resolve(body, entry["target"])
        own = self._bodies[body]
        root = own.source_root or own.root
        named = self._dialects[body].named_section(entry["target"], self._schemes[body], root)
        found = target.position
        written = named.citation if named else text[entry["start"] : entry["end"]]
        num = None
        if found is not None:
            num = self._numbers[found] if self._citable[found] else None
            written = self._citations[found] + (named.pin if named else "")
        reference = Reference(entry["start"], entry["end"], found, written, target.reason, FROM_MARKUP)
        bare_pins = found is not None and self._schemes[self._of_position[found]].bare_pins
        return MarkedReference(reference, num, bare_pins, position)

    def _words(self, position: int, text: str, read: Sequence[ReadCitation]) -> list[WordReference]:
        dated = _DATED.search(self._citations[position]) is not None
        words = []
        for entry in without_doubtful(text, read, self._finder.exists):
            reference = self._finder.lead(entry.citation, text)
            if reference.target is not None and entry.citation.code is None:
                reference = self._named(position, text, entry.citation, reference)
            if dated and reference.target is not None and self._is_elsewhere(position, reference.target):
                reference = _nowhere(reference, DATED)
            words.append(WordReference(entry.citation, entry.implicit, reference))
        return words

    def _named(self, position: int, text: str, citation: Citation, reference: Reference) -> Reference:
        """Return the reference of a name of an act; it leads nowhere unless the name is surely that act's."""
        body, target = self._of_position[position], self._of_position[reference.target or 0]
        own, other = self._bodies[body].jurisdiction, self._bodies[target].jurisdiction
        if is_the_act(text, citation) and may_name(other, own):
            return reference
        return _nowhere(reference, ACT)._replace(citation=citation.canonical)

    def _is_elsewhere(self, position: int, target: int) -> bool:
        return bool(self._of_position[position] != self._of_position[target])


def _nowhere(reference: Reference, reason: str) -> Reference:
    return reference._replace(target=None, members=None, reason=reason)
