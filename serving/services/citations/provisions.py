"""Provisions of a snapshot, looked up by citation."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from serving.contract.citations import Citation, CitationScheme, format_container
from serving.contract.citations.keys import citation_key, container_key
from serving.contract.records import IN_FORCE
from serving.services.citations.resolution import Neighbours, Provision
from serving.snapshot.law import Law

_APPENDIX = "app."
_ENDS = re.compile(r"([0-9a-z.]+)(?: (?:to|through) |-)([0-9a-z.]+)", re.IGNORECASE | re.ASCII)
"""Matches the numbers of several containers: `101 to 117`, `11-27`."""


class ProvisionFinder:
    """Finds provisions of one law by citation.

    An entry is a row of the citation table; a row is one of the nodes.
    """

    def __init__(self, law: Law) -> None:
        self._nodes = law.nodes
        self._table = law.citations

    def entries(self, target: str) -> Sequence[int]:
        """Return the entries of a canonical citation; see `preferred` where there are several."""
        return self.preferred(self._table.find(citation_key(target)))

    def preferred(self, entries: Iterable[int]) -> Sequence[int]:
        """Return those entries of one key that a citation means.

        Live provisions come before dead ones of the same number, and a provision of just that number before
        those whose list or range contains it. Several are left where nothing tells them apart.
        """
        every = list(entries)
        if len(every) <= 1:
            return every
        live = [entry for entry in every if self._nodes.status(self._table.node(entry)) == IN_FORCE]
        of_life = live or every
        return [entry for entry in of_life if self._table.is_whole(entry)] or of_life

    def containers(self, citation: Citation, scheme: CitationScheme) -> Sequence[int]:
        """Return the entries of the containers of a title that a citation names by some of their steps.

        `35 U.S.C. ch. 10` means `35 U.S.C. pt. II, ch. 10` where the title has but one chapter 10.
        """
        wanted = [citation_key(f"{word} {number}") for word, number in citation.containers]
        found: dict[int, int] = {}
        for entry, steps in self._containers(citation, scheme):
            if wanted and _leads_to(wanted, steps.split(", ")):
                found[self._table.node(entry)] = entry
        return self.preferred(found.values())

    def container_range(self, citation: Citation, scheme: CitationScheme) -> Sequence[int]:
        """Return the rows of a range of containers, `articles 101 to 117 of title 7`, in their order.

        Empty where none is cited, or its ends do not stand in one container.
        """
        *outer, (word, number) = citation.containers or (("", ""),)
        ends = _ENDS.fullmatch(number)
        if ends is None:
            return []
        found = [
            self.containers(replace(citation, containers=(*outer, (word, end))), scheme)
            for end in ends.groups()
        ]
        if [len(entries) for entries in found] != [1, 1]:
            return []
        first, last = (self._table.key(entries[0]) for entries in found)
        step = citation_key(f"{word} {ends[1]}")
        inside = f"{first.removesuffix(step)}{citation_key(word)} "
        if not last.startswith(inside):
            return []
        return [
            self._table.node(entry)
            for entry in self._table.under(inside)
            if first <= (key := self._table.key(entry)) <= last and ", " not in key.removeprefix(inside)
        ]

    def numbered_container_range(self, first: str, last: str) -> Sequence[int]:
        """Return the rows of the containers from one that is cited by its number to another.

        Empty where one of both does not stand: `AS 45.01 to 45.08`.
        """
        ends = [self._table.find(container_key(target)) for target in (first, last)]
        if not all(ends):
            return []
        return list(dict.fromkeys(map(self._table.node, range(ends[0].start, ends[1].stop))))

    def holds_containers(self, citation: Citation, scheme: CitationScheme) -> bool:
        """Return True where any container of a title is known: sources made of single sections name none."""
        return next(self._containers(citation, scheme), None) is not None

    def in_appendix(self, citation: Citation, scheme: CitationScheme) -> Sequence[int]:
        """Return the entries of the sections of that number in all acts of a title's appendix.

        `5 U.S.C. app. § 3` names no act, and each act there numbers its own sections.
        """
        if not citation.appendix or citation.num is None or citation.act is not None:
            return []
        title = _title_key(citation, scheme)
        number = citation_key(citation.num)
        keys = (f"{act} § {number}, {title}" for _, act in self._containers(citation, scheme))
        return [entry for key in keys for entry in self.preferred(self._table.find(key))]

    def numbered_container(self, target: str) -> Sequence[int]:
        """Return the entries of the containers that are cited by their number alone: `COMAR 26.13.07`."""
        return self.preferred(self._table.find(container_key(target)))

    def act_sections(self, act: str, num: str) -> Sequence[int]:
        """Return the entries of a section of an act in an appendix, where it bears the act's name."""
        return self.preferred(self._table.under(citation_key(f"{act} § {num}") + ", "))

    def entries_of_key(self, key: str) -> Sequence[int]:
        """Return the entries of a key; see `preferred` where there are several."""
        return self.preferred(self._table.find(key))

    def is_within(self, row: int, container: int) -> bool:
        """Return True where the provision in one row stands in the container in another."""
        wanted = self._nodes.describe(container)[0]
        return any(ancestor["id"] == wanted for ancestor in self._nodes.answer(row)["ancestors"])

    def stands_beside(self, row: int, place: int) -> bool:
        """Return True where a provision stands in a container, or in that of another, below the title."""
        own, other = (
            {ancestor["id"] for ancestor in self._nodes.answer(one)["ancestors"]} for one in (row, place)
        )
        return self.is_within(row, place) or (own == other and len(own) > 1)

    def rows_between(self, first: str, last: str) -> Sequence[int]:
        """Return the rows of the provisions from one canonical citation to another, in their order."""
        start = self._table.find(citation_key(first)).start
        stop = self._table.find(citation_key(last)).stop
        return list(dict.fromkeys(self._table.node(entry) for entry in range(start, stop)))

    def first_rows(self, rows: Sequence[int], most: int) -> Sequence[int]:
        """Return the first rows of a range; where none of them is dead, the first dead one is the last.

        A range is found only where all of it is in force, and which of it is not must be told.
        """
        dead = next((place for place, row in enumerate(rows) if self._nodes.status(row) != IN_FORCE), 0)
        return [*rows[: most - 1], rows[dead]] if dead >= most else rows[:most]

    def neighbours(self, target: str) -> Neighbours:
        """Return the provisions before and after a canonical citation that no provision bears."""
        previous, following = self._table.neighbours(citation_key(target))
        return Neighbours(self._one_of(previous), self._one_of(following))

    def holds_any(self, head: str) -> bool:
        """Return True where any key begins with `head`."""
        return next(self._table.under(head), None) is not None

    def of_entry(self, entry: int) -> Provision:
        """Return the provision of an entry."""
        return self.of_row(self._table.node(entry))

    def of_row(self, row: int) -> Provision:
        """Return the provision in a row."""
        node_id, citation, heading, level, status, _ = self._nodes.describe(row)
        body = self._nodes.code_body(row)
        return Provision(row, node_id, citation, heading, body.jurisdiction, body.id, level, status)

    def _containers(self, citation: Citation, scheme: CitationScheme) -> Iterator[tuple[int, str]]:
        """Yield the entries of a title's containers, each with the end of its key, behind the title."""
        title = _title_key(citation, scheme)
        for head in (f"{title} ", f"{title}, "):
            for entry in self._table.under(head):
                steps = self._table.key(entry)[len(head) :]
                if steps.startswith("§"):
                    break
                if not steps.startswith(_APPENDIX):
                    yield entry, steps

    def _one_of(self, entries: range) -> Provision | None:
        return self.of_entry(self.preferred(entries)[0]) if entries else None


def _title_key(citation: Citation, scheme: CitationScheme) -> str:
    title = format_container(scheme, (), title=citation.title, appendix=citation.appendix)
    return citation_key(title)


def _leads_to(wanted: Sequence[str], steps: Sequence[str]) -> bool:
    """Return True where the steps to a container end as wanted and contain the others in their order."""
    if steps[-1] != wanted[-1]:
        return False
    ahead = iter(steps)
    return all(step in ahead for step in wanted)
