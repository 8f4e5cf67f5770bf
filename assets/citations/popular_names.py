"""Names that the law gives its acts: `This chapter may be cited as the “Open Meetings Act”`."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assets.selection.selection import Selection
from serving.contract.citations import PopularName

_CITED = "cited as"
_NAMED = re.compile(
    r"(?:may|shall)(?: also)? be (?:known and )?cited as (?:the )?"
    r"(?:“(?:the )?(?P<outer>[^“”\n]{6,160})”|‘(?:the )?(?P<inner>[^“”\n]{6,160}?)[.,]?’(?=[.,;)”]|$))"
)
_NAME = re.compile(r"[A-Z0-9][^“”]*\b(?:Act|Code|Law|Compact)(?:\b[^“”]{0,40})?")
_SUBJECT = re.compile(
    r"[Tt]his (?P<unit>Act|section|(?:sub)?(?:chapter|part|title|division|article)|unit)"
    r"(?: \[(?P<bracket>[^\]]{0,3000})\])?,? (?:\([^)]{0,80}\),? )?$"
)
_ENACTING = re.compile(
    r"enacting this (?P<unit>section|(?:sub)?(?:chapter|part|title|division|article))"
    r"(?=$|;|,? (?:and )?(?:amending|repealing|redesignating|renumbering|omitting|transferring|enacting pro))"
)
_LONGEST_SUBJECT = 3_200
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class _Mention:
    """The place at which a name was read: position of the provision, and the note if it is in one."""

    position: int
    note: str | None


def names_in_law(selection: Selection, known: Iterable[PopularName]) -> list[PopularName]:
    """Return the names of acts that the law itself says are all of one provision or container.

    A name comes with the citation of what is called so: `this chapter` in the text of a section, or `this Act
    [enacting this chapter]` in a note. Names of acts of which the text does not say where they stand are left
    out, and so are those of `known`, where they say the same.
    """
    citations: list[str] = selection.provisions.column("citation").to_pylist()
    levels: list[str] = selection.provisions.column("level").to_pylist()
    parents: list[int] = selection.numbering.parents.tolist()
    told = {(name.name, name.citation) for name in known}
    found: dict[tuple[str, str], PopularName] = {}
    for mention, name, unit in _named(selection):
        position = mention.position
        while position >= 0 and levels[position] != unit:
            position = parents[position]
        if position < 0 or (name, citations[position]) in told:
            continue
        source = citations[mention.position] + (f" note ({mention.note})" if mention.note else "")
        itself = mention.position == position and mention.note is None
        named = PopularName(name, (), citations[position], source, whole=itself)
        found.setdefault((name, citations[position]), named)
    return [found[key] for key in sorted(found)]


def _named(selection: Selection) -> Iterator[tuple[_Mention, str, str]]:
    """Yield where a name was read, the name, and the level of what bears it."""
    for first, batch in selection.batches(["text", "notes"]):
        for position, row in enumerate(batch.to_pylist(), first):
            for name, unit in _names_of(row["text"], in_note=False):
                yield _Mention(position, None), name, unit
            for note in row["notes"]:
                for name, unit in _names_of(note["text"], in_note=True):
                    yield _Mention(position, note["heading"] or note["topic"]), name, unit


def _names_of(text: str, *, in_note: bool) -> Iterator[tuple[str, str]]:
    if _CITED not in text:
        return
    for match in _NAMED.finditer(text):
        name = (match["outer"] or match["inner"]).strip().rstrip(".,")
        subject = _SUBJECT.search(text, max(0, match.start() - _LONGEST_SUBJECT), match.start())
        if subject is None or _NAME.fullmatch(name) is None or len(name.split()) < _FEWEST_WORDS:
            continue
        unit = _unit(subject, in_note=in_note)
        if unit is not None:
            yield name, unit


def _unit(subject: re.Match[str], *, in_note: bool) -> str | None:
    """Return the level of what is called so, as it stands in the code; None where that is not said.

    In a note `this chapter` is one of the act that the note quotes, unless the editors say what was enacted.
    """
    if not in_note:
        return None if subject["unit"] == "Act" else subject["unit"]
    enacting = _ENACTING.match(subject["bracket"] or "")
    return enacting["unit"] if enacting else None
