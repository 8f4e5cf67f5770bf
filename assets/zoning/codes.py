"""Zone codes as text: what looks like one, which spellings are one code, and what is said of districts."""

import re

CODE = (
    r"(?>[A-Z]{1,5}(?:[-–]?\d{1,4}(?:\.\d+)?[A-Za-z]{0,2})?"
    r"(?:[-–/](?:[A-Z]{1,4}\d{0,3}|\d{1,4}(?:\.\d+)?[A-Z]{0,2}))*)"
)
"""A code: capitals, perhaps a number, perhaps more of both after hyphens: `R1`, `CBD-S`, `RM-4.5`.

Read in one way only: a list of codes that may each be read in two takes twice the time with every code.
"""

START = r"(?<![\w'’.&/(-])"
END = r"(?![\w'’]|[-–/]\w|\.\d)"
"""Guards at a code's sides: beside these it is part of a longer word, or of a plural's `(s)`."""

DISTRICT = r"(?i:districts?|zones?)\b"

_SHORT = 3
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[-–/ ](?=\d)")
_SEPARATORS = re.compile(r"[-–/ ]")


def code_key(code: str) -> str:
    """Return a code as all its spellings have it: `R-3` and `R 3` are `R3`; `B1-1` is not `B11`."""
    kept = _BETWEEN_DIGITS.sub("_", code.strip())
    return _SEPARATORS.sub("", kept).upper()


def is_bare_letter(code: str) -> bool:
    """Tell whether a code is one letter, which may occur by chance anywhere."""
    return len(code_key(code)) == 1


def is_distinct(code: str) -> bool:
    """Tell whether a code holds a digit, or short parts with a hyphen, as few words do."""
    if any(letter.isdigit() for letter in code):
        return True
    parts = _SEPARATORS.split(code)
    return len(parts) > 1 and all(len(part) <= _SHORT for part in parts)


def abbreviates(code: str, words: list[str]) -> bool:
    """Tell whether letters stand for words in their order: `OS` for `Open Space`, `S` for `shoreline`.

    Every letter begins a word, and the first letter begins the first word that counts.
    """
    initials = [word[0].upper() for word in words if word and word[0].isalpha()]
    place = 0
    for letter in code_key(code):
        while place < len(initials) and initials[place] != letter:
            place += 1
        if place == len(initials):
            return False
        place += 1
    return True


def name_key(text: str) -> str:
    """Return a district's name so that two ways to write it are one: `OPEN SPACE DISTRICTS`, `Open Space`."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    while words and words[0] in {"the", "a", "an"}:
        words.pop(0)
    while words and words[-1] in {"district", "districts", "zone", "zones", "zoning"}:
        words.pop()
    return " ".join(words)
