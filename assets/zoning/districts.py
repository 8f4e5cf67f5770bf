"""The districts of a code: which provision defines each, by heading first, by text where no heading does."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from assets.zoning.codes import DISTRICT, END, START, code_key, is_bare_letter, is_distinct, name_key
from assets.zoning.definitions import DefinedDistrict, districts_defined
from assets.zoning.headings import districts_named
from assets.zoning.ordinance import Ordinance, OrdinanceNode


class Rank(IntEnum):
    """Ranks of provisions that define a district, the best first."""

    CONTAINER = 0
    SECTION = 1
    TEXT = 2
    WEAK_HEADING = 3
    LISTED = 4


@dataclass(frozen=True, slots=True)
class District:
    """A district as one provision defines it.

    Attributes:
        code: as the law writes it.
        node: the provision that a zone of this code leads to.
        rank: how well it defines it.
        alone: it defines no other in the same breath.
        witness: where the quoted words stand: the node, or a section in it.
        quote: the words that show it.
        leads: the heading names no other matter before it.
    """

    code: str
    node: OrdinanceNode
    rank: Rank
    alone: bool
    witness: OrdinanceNode
    quote: str
    leads: bool = True

    @property
    def order(self) -> tuple[int, bool, bool, int]:
        """Sorts the best definition first, the earlier one of equals."""
        return self.rank, not self.leads, not self.alone, self.node.place


class Districts:
    """All districts that a code defines, by code and by name."""

    def __init__(self, ordinance: Ordinance) -> None:
        self._ordinance = ordinance
        self._by_code: dict[str, list[District]] = defaultdict(list)
        self._by_name: dict[str, list[District]] = defaultdict(list)
        for district in self._read():
            self._by_code[code_key(district.code)].append(district)
        for node in ordinance.nodes:
            if ordinance.is_zoning(node) and re.search(rf"\b{DISTRICT}", node.heading):
                self._index_name(node)

    def of_code(self, code: str) -> District | None:
        """Return the best definition of a zone code; its exact spelling before another of the same rank.

        Of letters alone, a hyphen may tell two districts apart, as `CP` and `C-P`: there it goes before.
        """
        found = self._by_code.get(code_key(code), [])
        exact = [district for district in found if district.code == code]
        best = min(found, key=lambda district: district.order, default=None)
        exactly = min(exact, key=lambda district: district.order, default=None)
        if exactly is None or best is None:
            return best
        told_apart = exactly.rank <= Rank.TEXT and not any(letter.isdigit() for letter in code)
        return exactly if told_apart or exactly.rank == best.rank else best

    def of_name(self, name: str) -> District | None:
        """Return the district whose heading's name is the zone's value, as `Open Space`."""
        found = self._by_name.get(name_key(name), []) if len(name_key(name)) > 3 else []
        return min(found, key=lambda district: district.order, default=None)

    def abbreviated(self, code: str) -> District | None:
        """Return the district whose heading spells a code's later parts out: `CBD SUPPORT` is `CBD-S`.

        The first part stands there as it is, of two letters or more, and each word has its part.
        """
        parts = re.split(r"[-/ ]", code)
        if len(parts) < 2 or len(parts[0]) < 2:
            return None
        found = [
            district
            for key, districts in self._by_name.items()
            if _spells_out(parts, key.split())
            for district in districts
        ]
        return min(found, key=lambda district: district.order, default=None)

    def mentions(self, code: str) -> list[OrdinanceNode]:
        """Return provisions that mention a district without defining it."""
        if is_bare_letter(code):
            return []
        pattern = re.compile(rf"{START}{re.escape(code)}{END}\s+(?:zoning\s+)?{DISTRICT}")
        return [node for node in self._ordinance.nodes if pattern.search(node.text)]

    def without(self, used: set[str]) -> list[District]:
        """Return the best definition of each district that none of the zone codes `used` is, in order."""
        folded = {code_key(code) for code in used}
        best = [
            min(found, key=lambda district: district.order)
            for key, found in self._by_code.items()
            if key not in folded
        ]
        real = [district for district in best if self._is_code(district)]
        return sorted(real, key=lambda district: (district.node.place, district.code))

    def _is_code(self, district: District) -> bool:
        """Tell a code from a word in capitals, and from an abbreviation of what may be no district."""
        if district.rank is Rank.WEAK_HEADING and district.code.isalpha():
            return False
        return is_bare_letter(district.code) or district.code.lower() not in self._ordinance.words

    def _read(self) -> Iterator[District]:
        for node in self._ordinance.nodes:
            zoning = self._ordinance.is_zoning(node)
            for named in districts_named(node.heading, is_zoning=zoning):
                rank = Rank.CONTAINER if node.is_container else Rank.SECTION
                if not named.says_district:
                    rank = Rank.WEAK_HEADING
                    if not is_distinct(named.code) and not self._is_a_district(named.code, node):
                        continue
                yield District(named.code, node, rank, named.alone, node, node.heading, named.leads)
            if zoning and node.text:
                for defined in districts_defined(node.text):
                    yield from self._defined(node, defined)

    def _is_a_district(self, code: str, node: OrdinanceNode) -> bool:
        """Tell a district from other things with initials, such as a `Planning Commission (PC)`.

        It stands among districts, or the words in it speak of a district of that code.
        """
        if any(re.search(rf"\b{DISTRICT}", holder.heading) for holder in self._ordinance.ancestors(node)):
            return True
        spoken = re.compile(rf"(?<![\w'’.&/-]){re.escape(code)}{END}[)\"”]*\s+(?:[\w-]+\s+){{0,3}}{DISTRICT}")
        return any(
            spoken.search(inner.text) and (inner is node or node in self._ordinance.ancestors(inner))
            for inner in self._ordinance.nodes
        )

    def _defined(self, node: OrdinanceNode, defined: DefinedDistrict) -> Iterator[District]:
        home = self._home(node, defined.name)
        if defined.listed:
            yield District(defined.code, node, Rank.LISTED, alone=False, witness=node, quote=defined.quote)
        elif defined.says_district:
            yield District(
                defined.code, home or node, Rank.TEXT, alone=True, witness=node, quote=defined.quote
            )
        elif home is not None and re.search(rf"\b{DISTRICT}", home.heading):
            # The heading says that it is a district, the text which code it has: the text is the definition.
            yield District(defined.code, node, Rank.TEXT, alone=True, witness=node, quote=defined.quote)

    def _home(self, node: OrdinanceNode, name: str) -> OrdinanceNode | None:
        """Return what holds a provision and has the district's name for its heading."""
        key = name_key(name)
        if not key:
            return None
        above = [node, *self._ordinance.ancestors(node)]
        return next((holder for holder in above if name_key(holder.heading) == key), None)

    def _index_name(self, node: OrdinanceNode) -> None:
        head = re.split(r"\s*[—–:]\s*", node.heading, maxsplit=1)[0]
        rank = Rank.CONTAINER if node.is_container else Rank.SECTION
        for name in {name_key(node.heading), name_key(head)}:
            if name and re.search(rf"{DISTRICT}\W*$", head if name == name_key(head) else node.heading):
                self._by_name[name].append(District(name, node, rank, True, node, node.heading))


def _spells_out(parts: list[str], words: list[str]) -> bool:
    if len(parts) != len(words) or parts[0].lower() != words[0]:
        return False
    return all(
        word.startswith(part.lower()) and part.isalpha() for part, word in zip(parts, words, strict=True)
    )
