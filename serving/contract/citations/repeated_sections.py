"""Sections that a text cites in full, by numbers that no other law has in it."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence

from serving.contract.citations.citation import SECTION, Citation
from serving.contract.citations.edition_years import edition_years
from serving.contract.citations.former import former_among
from serving.contract.citations.words_before_signs import stands_behind_name

_NUMBER = re.compile(r"\d[\w-]*")
_MENTION = re.compile(r"(?:§ ?|\b[Ss]ec(?:tions?|s?\.) ?)(?P<number>\d[\w-]*)(?:\([\w-]{1,5}\)){0,8}")
"""A section that is mentioned with or without its law."""
OF_ANOTHER = re.compile(r",? (?:of|to|in) (?:the|this|that|such|said|an?|its|his|her|their|our|my|[A-Z])\b")
"""Words behind a section that say whose it is: `§ 5 of the lease`."""


def sections_of_one_law(
    text: str, cited: Sequence[Citation], is_same: Callable[[Citation, Citation], bool]
) -> dict[str, Citation]:
    """Return sections that a text cites in full, by their numbers, without those that may be of two laws.

    A number may be of another law where one is cited with it anywhere in the text, a document that has such a
    section is named, or it is cited as former law or with the year of an edition.

    Args:
        text: the text.
        cited: the citations in it that name their law, in their order.
        is_same: tells whether two citations are of one law.
    """
    by_number: defaultdict[str, list[Citation]] = defaultdict(list)
    of_other_times = {*former_among(text, cited), *edition_years(text, cited)}
    doubtful = {one.num for one in cited if one.num and (one.edition or one in of_other_times)}
    for one in cited:
        if one.num is not None:
            by_number[one.num].append(one)
        else:
            doubtful.update(_NUMBER.findall(one.canonical))
    for match in _outside(text, cited):
        if stands_behind_name(text, match.start()) or OF_ANOTHER.match(text, match.end()):
            doubtful.add(match["number"])
    found = {}
    for number, own in by_number.items():
        section = next((one for one in own if one.kind == SECTION and not one.act), None)
        if section is not None and number not in doubtful and all(is_same(one, section) for one in own):
            found[number] = section
    return found


def _outside(text: str, cited: Sequence[Citation]) -> list[re.Match[str]]:
    """Return the mentions of sections that begin in none of the citations."""
    found, index = [], 0
    for match in _MENTION.finditer(text):
        while index < len(cited) and cited[index].end <= match.start():
            index += 1
        if index == len(cited) or match.start() < cited[index].start:
            found.append(match)
    return found
