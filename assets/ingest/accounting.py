"""The account of a source file: where every character of it went. Oracles keep it; readers do not.

An oracle is a module under `assets/ingest/oracles` that walks a file with plain lxml and its own rules and
gives each run of text a fate. What it calls operative must be what the reader's provisions hold.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from lxml import etree

from assets.ingest.model import SourceFile
from assets.ingest.xml import parse_xml
from serving.contract.raised_digits import LOWERED_DIGITS


class Fate(StrEnum):
    """Fates of a run of characters."""

    OPERATIVE = "operative"
    NOTE = "note"
    CREDIT = "credit"
    HEADING = "heading"
    NUMBER = "number"
    DISCARDED = "discarded"


@dataclass(frozen=True, slots=True)
class Account:
    """The account of one file. Counts are of characters that are not white space.

    Attributes:
        operative: the operative characters in document order, squeezed by `squeeze`.
        counts: per fate; DISCARDED is split by reason in `discarded`.
        discarded: per reason, such as `table of contents`.
    """

    file: str
    operative: str
    counts: Counter[Fate]
    discarded: Counter[str]


Ruling = tuple[Fate, str]
"""The fate of an element's own text, and the reason where it is discarded."""

OPERATIVE: Ruling = (Fate.OPERATIVE, "")

Judge = Callable[[etree._Element, list[str], Ruling], Ruling]
"""Rules on an element: given are its path of local names, itself last, and the ruling on its parent."""


def keep_account(file: SourceFile, judge: Judge) -> Account:
    """Return the account of an XML file, in which `judge` rules on every element.

    Raises:
        MalformedFileError: the file cannot be parsed.
    """
    counts: Counter[Fate] = Counter()
    discarded: Counter[str] = Counter()
    operative: list[str] = []
    path: list[str] = []
    rulings: list[Ruling] = []

    def book(text: str | None, ruling: Ruling) -> None:
        characters = squeeze(text) if text else ""
        if not characters:
            return
        fate, reason = ruling
        counts[fate] += len(characters)
        if fate is Fate.DISCARDED:
            discarded[reason] += len(characters)
        elif fate is Fate.OPERATIVE:
            operative.append(characters)

    for event, element in etree.iterwalk(parse_xml(file), events=("start", "end")):
        if event == "start":
            path.append(etree.QName(element).localname)
            rulings.append(judge(element, path, rulings[-1] if rulings else OPERATIVE))
            book(element.text, rulings[-1])
        else:
            path.pop()
            rulings.pop()
            if rulings:
                book(element.tail, rulings[-1])
    return Account(file.path, "".join(operative), counts, discarded)


def squeeze(text: str) -> str:
    """Return `text` without white space and without `|`, which the readers put between table cells.

    Raised digits count as digits: that they are raised is markup in the files.
    """
    squeezed = "".join(text.split()).replace("|", "")
    return squeezed if squeezed.isascii() else squeezed.translate(LOWERED_DIGITS)
