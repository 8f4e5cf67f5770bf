"""Signs by which a publisher's pages are read, where codes differ and nothing in the pages says so."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_FILES = r"\.(?:title|chapter)\.[^/]*\.html?$"
_LEVELS = ("title", "subtitle", "division", "part", "chapter", "subchapter", "article", "subpart")
_MARK = r"(?:§§?|Secs?\.|Sections?\b)?"
_HISTORY = r"\[?(?:history|histories|source|sources|credits?)(?: of (?:the )?section)?\s*[.:—]"

_EDITORIAL = (
    r"(?:revis[eo]r|editor|compiler|annotator|publisher|drafter|code commission)[’'`]?s?[’'`]? notes?",
    r"editorial notes?|historical (?:and statutory )?notes?|notes? (?:to|of) (?:unpublished )?decisions",
    r"case notes?|annotations?|judicial decisions",
    r"(?:(?:uniform law|compact|definitional) )?cross[- ]references?",
    r"law reviews?(?: and \w+(?: \w+)?)?|treatises(?: and practice aids)?|textbooks?|a\.l\.r\.",
    r"effective dates?(?: of amendments?)?",
    r"(?:effects? of )?(?:the )?(?:\d{4} )?(?:\([^)]{1,20}\) )?(?:[\w.]+ sess\. [\w.]+ )?amendments?",
    r"amendment notes?",
    r"administrative (?:code|rules?)|(?:collateral|research|library) references?",
    r"legislative history reports?|opinions? of (?:the )?attorneys? general",
    r"attorneys? general(?:[’'`]s)? opinions?",
    r"a\.c\.r\.c\. notes?|(?:legislative research commission|(?:joint )?legislative committee) notes?",
    r"section set out (?:twice|more than once)|michie[’'`]s jurisprudence|comparative legislation",
    r"official comments?|comments? to official text|prior provisions",
)
"""Topics of the notes of editors, as the publishers of annotated codes call them."""

_PARTS = (
    r"[“\"‘']*(?:(?:articles?|sections?|secs?\.|parts?|rules?|titles?|chapters?|appendix|§+)\s*"
    r"(?:\d+|[IVXLC]+|[A-Z]|one|first)(?!\w)|(?:preamble|appendix|schedule)\b)"
)


@dataclass(frozen=True, slots=True)
class Markup:
    """Signs in the pages of a code; an entry gives what is particular to it (`markup` in the file).

    Attributes:
        files: found in the path of a file that holds law of the code; others are not read.
        levels: words that begin the headings of containers, outermost first.
        section_mark: what may stand before the number in a section's heading.
        history: begins the paragraph with the history of a section, with which its law ends; without regard
            to case.
        credit: begins that paragraph where no word marks it: the names of the laws themselves, such as
            `Acts 1953, ch. 80`; None: a word always does.
        notes: words that begin notes, beside those that editors of all codes use.
    """

    files: re.Pattern[str] = re.compile(_FILES)
    levels: tuple[str, ...] = _LEVELS
    section_mark: re.Pattern[str] = re.compile(_MARK)
    history: re.Pattern[str] = re.compile(_HISTORY, re.IGNORECASE)
    credit: re.Pattern[str] | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Markup":
        """Return what a table of the registry says.

        Raises:
            TypeError: a field is unknown, or of the wrong type.
            re.error: a pattern is malformed.
        """
        fields = dict(values)
        read: dict[str, Any] = {}
        for name in ("levels", "notes"):
            if name in fields:
                read[name] = _words(name, fields.pop(name))
        for name in ("files", "section_mark", "history", "credit"):
            if name in fields:
                read[name] = re.compile(fields.pop(name), re.IGNORECASE if name == "history" else 0)
        if fields:
            raise TypeError(f"markup has no field {', '.join(sorted(fields))}")
        return cls(**read)

    @property
    def leads(self) -> re.Pattern[str]:
        """Pattern that begins an editor's note; its group is the topic."""
        return _leads(self.notes)

    def ends_law(self, words: str) -> bool:
        """Return whether a paragraph begins the history or a note."""
        return any(
            sign is not None and sign.match(words) is not None
            for sign in (self.history, self.credit, self.leads)
        )

    def heads_history(self, words: str) -> bool:
        """Return whether words, those of a heading or a paragraph, only say that a history follows."""
        bare = words.rstrip(" .:—–-")
        match = self.history.match(f"{bare}.")
        return match is not None and match.end() > len(bare)

    def announces(self, words: str, following: str) -> bool:
        """Return whether a paragraph only says that the history or notes begin, and the next one begins them.

        `History` alone may be a subject that is taught, and `Annotations` the heading of a form.
        """
        if self.heads_history(words):
            return self.credit is not None and self.credit.match(following) is not None
        lead = self.leads.fullmatch(f"{words.rstrip(' .:—–-')}.")
        return lead is not None and self.leads.match(following) is not None

    def is_history_with_notes(self, words: str, following: str) -> bool:
        """Return whether a paragraph names laws, by their chapters or pages, and the next one is a note.

        That is as sure as a word: `Acts 1990 are repealed.` before a paragraph on amendments is law.
        """
        if self.credit is None or self.credit.match(words) is None:
            return False
        return _PLACE_OF_A_LAW.search(words) is not None and self.leads.match(following) is not None

    @property
    def parts(self) -> re.Pattern[str]:
        """Pattern that begins the heading of a part within a section, such as an article of a compact."""
        return _PART


_PART = re.compile(_PARTS, re.IGNORECASE)
_PLACE_OF_A_LAW = re.compile(r"(?:\bc+h?s?\.|\bpp?\.|\bNo\.|§)\s*\d")


@lru_cache(maxsize=64)
def _leads(further: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join((*_EDITORIAL, *map(re.escape, further)))
    return re.compile(rf"(?P<topic>{words})\s*(?:[.:]\s*[—–-]?|[—–-])(?=\s|$|\d{{4}}\b)", re.IGNORECASE)


def _words(name: str, values: Sequence[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise TypeError(f"markup.{name} is a list of words")
    return tuple(values)
