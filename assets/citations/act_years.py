"""Acts of one name and several years: `Railroad Retirement Act of 1974` is not alone."""

import re
from collections.abc import Iterable

from assets.selection.selection import Selection
from serving.contract.citations import PopularName

_DATED = re.compile(r"Act of (?P<year>(?:18|19|20)\d\d)\b")
_YEAR = re.compile(r"(?P<name>.+ Act) of (?P<year>\d{4})")
_WORDS = re.compile(
    r"(?:^|(?<=[\s(“‘\[]))(?:[A-Z][\w.’'&-]*,?)(?: (?:[A-Z][\w.’'&-]*,?|of|and|the|for|in|to|on|or|with))* $"
)
_LONGEST = 140
_SIGNAL = re.compile(r"(?:The|See|Under|In|By|Of|To|For|This) (?:the )?")


def other_years(selection: Selection, known: Iterable[PopularName]) -> list[PopularName]:
    """Return acts that texts or notes name with another year than a known act of the same name.

    What is then called by that name without a year may be each of them.
    """
    years: dict[str, set[str]] = {}
    undated = set()
    for act in known:
        match = _YEAR.fullmatch(act.name)
        if match is None:
            undated.add(act.name)
        else:
            years.setdefault(match["name"], set()).add(match["year"])
    found: dict[str, PopularName] = {}
    for _, batch in selection.batches(["citation", "text", "notes"]):
        for row in batch.to_pylist():
            for text in (row["text"], *(note["text"] for note in row["notes"])):
                for name, year in _mentioned(text):
                    if name in years and name not in undated and year not in years[name]:
                        act = PopularName(f"{name} of {year}", (), None, row["citation"])
                        found.setdefault(act.name, act)
    return [found[name] for name in sorted(found)]


def _mentioned(text: str) -> list[tuple[str, str]]:
    """Return the dated acts that a text names, each by all the words of its name, with the year."""
    mentioned = []
    for match in _DATED.finditer(text):
        before = text[max(0, match.start() - _LONGEST) : match.start()]
        words = _WORDS.search(before)
        if words is not None:
            mentioned.append((_SIGNAL.sub("", words.group(), count=1) + "Act", match["year"]))
    return mentioned
