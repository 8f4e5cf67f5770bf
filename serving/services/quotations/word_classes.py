"""Classes of words that decide what a sentence says: what negates, excepts, commands, allows or counts."""

import re
from enum import StrEnum


class WordClass(StrEnum):
    """A class of words without which, or with others in their place, a sentence says something else."""

    NEGATION = "negation"
    EXCEPTION = "exception"
    MODAL = "modal"
    NUMBER = "number"


_NEGATIONS = (
    r"no(?!\. ?\d)|not|none|nor|neither|never|nothing|nobody|nowhere|without|cannot|unlawful|prohibited"
    "|forbidden|illegal"
)
_EXCEPTIONS = (
    r"unless|except\w*|excluding|exclusive of|other than|but|only|save|provided,? (?:that|further|however)"
)
MODALS = r"shall|may(?! \d)|must|should|will|would|can|cannot|could|might|ought"
_CARDINALS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion"
    "|half|third|thirds|quarter|quarters|once|twice|double|treble|triple|dozen"
)
_PATTERNS = {
    WordClass.NEGATION: re.compile(rf"\b(?:{_NEGATIONS})\b|n[’']t\b", re.IGNORECASE),
    WordClass.EXCEPTION: re.compile(rf"\b(?:{_EXCEPTIONS})\b", re.IGNORECASE),
    WordClass.MODAL: re.compile(rf"\b(?:{MODALS})\b", re.IGNORECASE),
    WordClass.NUMBER: re.compile(rf"\b(?:{_CARDINALS})\b|[¼½¾⅐-⅞]|\d", re.IGNORECASE),
}
DESIGNATOR = r"(?:\((?:[0-9A-Za-z]{1,5}|(?=[^()]*[A-Za-z])[0-9A-Za-z]{1,4}-[0-9A-Za-z]{1,4})\))+"
"""Pattern of the label of a part: `(2)`, `(a)(1)`, `(b-2)`."""
_DESIGNATOR = re.compile(DESIGNATOR)
_BOUND = re.compile(
    r"\b(?:not|no) (?:later|earlier|sooner|less|more|fewer|greater) than\b|\bnot (?:to exceed|exceeding)\b",
    re.IGNORECASE,
)
"""A negation that belongs to a figure: `not later than 90 days`."""
_PUT_IN = re.compile(r",.*,|\(.*\),?|—.*—", re.DOTALL)
"""A phrase that a sentence holds between commas, brackets or dashes."""
_CLASS_WORDS = re.compile(r"[\w’'$%.,/½¼¾⅓⅔-]+")

_LITTLE = frozenset(
    re.findall(
        r"\w+",
        "a an and any are as at be been being by for from had has have he her him his i if in into is it its "
        "of on or our she so such that the their them then there these they this those to under upon was we "
        "were what when where which who with you your",
    )
)
_LEAST_WORDS = 3
_LEAST_TELLING = 2
_LEAST_OF_NAME = 3
"""For `the District of Columbia`: a name alone says nothing."""


def classes_in(text: str) -> set[WordClass]:
    """Return the classes of the words of a text; designators such as `(1)` are no numbers."""
    plain = _DESIGNATOR.sub(" ", text)
    return {kind for kind, pattern in _PATTERNS.items() if pattern.search(plain)}


def turns_sense(passed_over: str) -> bool:
    """Return True where words that are passed over within a sentence turn what it says.

    An exception anywhere among them does, and a negation, unless it belongs to a figure that goes with it or
    to a phrase that is put in between commas. A modal does right beside the words that are quoted, and a
    number right behind them.
    """
    plain = _DESIGNATOR.sub(" ", passed_over)
    classes = classes_in(_BOUND.sub(" ", plain) if WordClass.NUMBER in classes_in(plain) else plain)
    if WordClass.EXCEPTION in classes:
        return True
    if WordClass.NEGATION in classes and not _PUT_IN.fullmatch(plain.strip()):
        return True
    words = _CLASS_WORDS.findall(plain)
    if not words:
        return False
    first, last = classes_in(words[0]), classes_in(words[-1])
    return WordClass.NUMBER in first or WordClass.MODAL in first | last


def is_too_short(quote: str) -> bool:
    """Return True where a quotation's words stand almost anywhere, so that finding them proves nothing."""
    words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", quote.casefold())
    telling = [
        word
        for word in words
        if word not in _LITTLE and not classes_in(word) & {WordClass.MODAL, WordClass.NEGATION}
    ]
    least = _LEAST_OF_NAME if is_name(quote) else _LEAST_TELLING
    return len(words) < _LEAST_WORDS or len(telling) < least


def is_name(quote: str) -> bool:
    """Return True where all words but little ones have capitals, as in the name of an act."""
    words = [word for word in re.findall(r"[^\W\d_][\w’'-]*", quote) if word.casefold() not in _LITTLE]
    return bool(words) and all(word[0].isupper() for word in words)
