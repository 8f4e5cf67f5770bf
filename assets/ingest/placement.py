"""Place the provisions of one unit: the parent each hangs under, and its tags."""

from collections.abc import Container
from dataclasses import dataclass

from assets.ingest.model import Provision, Unit
from assets.ingest.tags import TagRules, subject_of

_APPENDIX = "appendix"
"""Collects what has no subject in common, under a heading that is often that of its first part."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Per provision of a unit: identifier of the parent, and tags.

    Attributes:
        moved: how many hang under another parent than theirs, which could not be read.
    """

    parents: tuple[str | None, ...]
    tags: tuple[tuple[str, ...], ...]
    moved: int


def place(unit: Unit, rules: TagRules, above: Container[str]) -> Placed:
    """Return parents and tags of a unit's provisions. The subject is that of the unit's top container.

    The parts of an appendix, such as `Federal Rules of Bankruptcy Procedure`, are top containers themselves.

    Where files of the unit could not be read, a provision whose parent is missing hangs under the nearest
    container that its identifier names, else under the unit's first provision. In a unit without problems a
    missing parent is the reader's error and left for the checks to report.

    Args:
        unit: as the reader gave it.
        rules: of the tags.
        above: identifiers of earlier units, such as the divisions that titles stand in.
    """
    parents: list[str | None] = []
    tags: list[tuple[str, ...]] = []
    subjects: dict[str | None, str | None] = {}
    appendices: set[str | None] = set()
    moved = 0
    for provision in unit.provisions:
        parent = provision.parent
        if unit.problems and parent is not None and parent not in subjects and parent not in above:
            parent = _nearest(provision.identifier, subjects)
            moved += 1
        parents.append(parent)
        on_top = parent not in subjects or parent in appendices
        subject = _own_subject(provision) if on_top else subjects[parent]
        if provision.level == _APPENDIX:
            appendices.add(provision.identifier)
        subjects[provision.identifier] = subject
        tags.append(_tags(provision, subject, rules))
    return Placed(tuple(parents), tuple(tags), moved)


def _own_subject(provision: Provision) -> str | None:
    return None if provision.level == _APPENDIX else subject_of(provision.heading)


def _nearest(identifier: str, known: dict[str | None, str | None]) -> str | None:
    while "/" in identifier:
        identifier = identifier.rpartition("/")[0]
        if identifier in known:
            return identifier
    return next(iter(known), None)


def _tags(provision: Provision, subject: str | None, rules: TagRules) -> tuple[str, ...]:
    kinds = rules.kinds(provision.heading, provision.text) if provision.citable else ()
    return kinds if subject is None or subject in kinds else (*kinds, subject)
