"""Words that turn to the law of another place, with section signs of its own: `the German court read § 4`."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from serving.contract.citations.places import COUNTRIES, PROVINCES, STATES, places

_DATA = Path(__file__).with_name("foreign_law.toml")
_LAW = (
    r"(?i:laws?|statutes?|statutory|codes?|acts?|legislatures?|legislation|legislators?|lawmakers?"
    r"|constitution|counterparts?|equivalents?|analogues?|version)"
)
_LAW_OR_COURT = (
    rf"(?:{_LAW}|(?i:courts?|judges?|tribunals?|parliament|case\slaw|doctrine|rule|provision|regulations?"
    r"|ordinances?|section|regime|system|jurists?|lawyers?|authorit(?:y|ies)))"
)
_OWNED = r"(?:['’]s?)?(?:,?\s[\w-]{1,20}){0,3}?\s"
"""Words between a place and its law: `Germany's highest court`."""
_BEHIND = re.compile(rf"{_OWNED}{_LAW_OR_COURT}\b")
_LAW_BEHIND = re.compile(rf"{_OWNED}{_LAW}\b")
_BEFORE = re.compile(rf"(?:\b{_LAW_OR_COURT}\s(?:of|in)|\bIn)\s(?:the\s)?\Z")
_LAW_BEFORE = re.compile(rf"\b{_LAW}\s(?:of|in)\s(?:the\s)?\Z")
_WINDOW = 32
"""Characters before a place that are looked at: more than the longest word for its law fills."""


def names_foreign_law(text: str) -> bool:
    """Return True where a text names a court, a statute or a code of another place.

    A country that is merely named says nothing of law: `imports from China`. The courts of the States apply
    federal law too.
    """
    for match in _names().finditer(text):
        if match.lastgroup == "institution":
            return True
        behind, before = (_LAW_BEHIND, _LAW_BEFORE) if match.lastgroup == "state" else (_BEHIND, _BEFORE)
        window = text[max(0, match.start() - _WINDOW) : match.start()]
        if behind.match(text, match.end()) or before.search(window):
            return True
    return False


@cache
def _names() -> re.Pattern[str]:
    """Return the pattern of the names of courts and codes, countries and States; all begin with capitals."""
    with _DATA.open("rb") as file:
        data = tomllib.load(file)
    kinds = {
        "institution": [*data["courts"], *data["codes"]],
        "country": [*data["adjectives"], *places(COUNTRIES, PROVINCES)],
        "state": places(STATES),
    }
    groups = (f"(?P<{kind}>{_any_of(names)})" for kind, names in kinds.items())
    return re.compile(rf"(?<![\w.])(?=[A-Z])(?:{'|'.join(groups)})(?!\w)")


def _any_of(names: Iterable[str]) -> str:
    """Return a pattern of names, the longest first, with either apostrophe and any blank."""
    spelled = {re.escape(name).replace(r"\ ", r"\s").replace("’", "['’]") for name in names}
    return "|".join(sorted(spelled, key=lambda one: (-len(one), one)))
