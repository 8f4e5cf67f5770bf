"""Tags of provisions: the kind of provision, from documented rules, and the subject of its top container."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.errors import RegistryError

_TEXT_CHARACTERS = 240
_SUBJECT_CHARACTERS = 60

_CUTS = re.compile(r"[;:—]|\.(?=\s|$)")
_BRACKETS = re.compile(r"\[[^\]]*\]|\((?:repealed|reserved|omitted|expired)\)", re.IGNORECASE)
_MARKS = re.compile("[\u00ad'’]")  # soft hyphens and apostrophes
_LEADING = re.compile(r"^(?:and|or)\s+")
_NOT_WORDS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class TagRule:
    """One tag: `heading` matches a whole phrase, `text` the beginning of the text; None: no pattern."""

    name: str
    heading: re.Pattern[str] | None
    text: re.Pattern[str] | None

    def applies(self, phrases: list[str], opening: str) -> bool:
        """Tell whether a heading, as `phrases`, or the opening of a text earns this tag."""
        if self.heading is not None and any(self.heading.fullmatch(phrase) for phrase in phrases):
            return True
        return self.text is not None and self.text.match(opening) is not None


@dataclass(frozen=True, slots=True)
class TagRules:
    """The rules of `tags.toml`, in its order."""

    rules: tuple[TagRule, ...]

    def kinds(self, heading: str, text: str) -> tuple[str, ...]:
        """Return the kinds of a citable provision, in the order of the rules."""
        phrases = heading_phrases(heading)
        opening = " ".join(text[:_TEXT_CHARACTERS].lower().split())
        return tuple(rule.name for rule in self.rules if rule.applies(phrases, opening))


def load_tag_rules(path: Path) -> TagRules:
    """Read and compile `tags.toml`.

    Raises:
        RegistryError: it is missing or malformed, a name is double, or a pattern does not compile.
    """
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["tag"]
        rules = tuple(_rule(entry) for entry in entries)
    except FileNotFoundError:
        raise RegistryError(f"{path} is missing.") from None
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise RegistryError(f"{path}: {error!r}") from error
    names = [rule.name for rule in rules]
    double = sorted({name for name in names if names.count(name) > 1})
    if double:
        raise RegistryError(f"{path}: double tag {', '.join(double)}.")
    return TagRules(rules)


def _rule(entry: dict[str, Any]) -> TagRule:
    try:
        return TagRule(entry["name"], _any_of(entry["heading"]), _any_of(entry.get("text", [])))
    except re.error as error:
        raise RegistryError(f"Tag {entry['name']}: pattern {error.pattern!r}: {error}.") from error


def _any_of(patterns: list[str]) -> re.Pattern[str] | None:
    for pattern in patterns:
        re.compile(pattern)  # alone, so that an error names it and parentheses cannot pair across patterns
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None


def heading_phrases(heading: str) -> list[str]:
    """Return the phrases of a heading in lower case: `Penalties; fees.` → `penalties`, `fees`."""
    bare = _BRACKETS.sub(" ", _MARKS.sub("", heading).lower())
    whole = " ".join(bare.split()).strip(" .;")
    phrases = [_LEADING.sub("", phrase.strip()) for phrase in _CUTS.split(whole)]
    return [phrase for phrase in phrases if phrase]


def subject_of(heading: str) -> str | None:
    """Return the subject that a top container's heading names: `Copyrights` → `copyrights`.

    Editorial brackets such as `[Enacted title]` fall away; None where nothing is left.
    """
    bare = _BRACKETS.sub(" ", _MARKS.sub("", heading))
    plain = unicodedata.normalize("NFKD", bare).encode("ascii", "ignore").decode().lower()
    words = [word for word in _NOT_WORDS.split(plain) if word]
    subject = ""
    for word in words:
        if len(subject) + len(word) > _SUBJECT_CHARACTERS:
            break
        subject = f"{subject}-{word}" if subject else word
    return subject.removesuffix("-and") or None
