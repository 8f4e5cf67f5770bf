"""The D.C. Code as its files have it: what the tables of contents lead to, by rules of this module alone."""

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from tests.quality.changes.trees import Unit, container_name, plain, state_of

_CODE = "dc/council/code/index.xml"
_UNREAD = {"num", "heading", "prefix", "reason", "annotations", "annotation"}
_HELD = {"container", "section", "include", "subheading"}
_SUPPRESSED = {"toc", "s"}
_REMARK = re.compile(r"\*\s*NOTE")
"""Begins a remark of the editors among the text."""
_BRACKETS = re.compile(r"\[([^\[\]]+)\]\.?$")
_SHELVED = "(Perm)"
"""Ends the number of a text that is kept for when temporary legislation expires."""


def read_tree(folder: Path) -> Iterator[Unit]:
    """Yield the sections and containers that the index of the code leads to, below a folder."""
    (index,) = folder.rglob(_CODE)
    yield from _inside(etree.parse(str(index)).getroot(), index.parent, ())


def _inside(element: etree._Element, folder: Path, place: tuple[str, ...]) -> Iterator[Unit]:
    division = place
    for child in element.iterchildren(etree.Element):
        name = etree.QName(child).localname
        if name == "subheading":
            heading = _words(child)
            label, _, heading = heading.partition(". ")
            yield Unit(container_name(place, label.lower()), "", heading, "", (), place)
            division = (*place, label.lower())
        elif name == "include":
            path = folder / str(child.get("href"))
            if path.is_file():
                yield from _unit(etree.parse(str(path)).getroot(), path.parent, division)
        elif name in ("container", "section"):
            yield from _unit(child, folder, division)


def _unit(element: etree._Element, folder: Path, place: tuple[str, ...]) -> Iterator[Unit]:
    is_section = etree.QName(element).localname == "section"
    number, heading, prefix = (_child(element, name) for name in ("num", "heading", "prefix"))
    label = plain(number.strip("[]")) if is_section else f"{prefix} {number}".lower()
    lines = [
        _words(child)
        for child in element.iterchildren(etree.Element)
        if etree.QName(child).localname not in {*_UNREAD, *(() if is_section else _HELD)}
    ]
    remarks = [line for line in lines if _REMARK.match(line)]
    text = " ".join(line for line in lines if line not in remarks)
    reasons = [_words(child) for child in element.iterchildren("{*}reason")]
    said = reasons or _BRACKETS.findall(heading)
    states = {state for remark in said if (state := state_of(remark))}
    if number.endswith(_SHELVED) and not states:
        states = {"reserved"}
    named = label if is_section else container_name(place, label)
    yield Unit(named, "|".join(sorted(states)), heading, text, (*reasons, *remarks, *_notes(element)), place)
    if not is_section:
        yield from _inside(element, folder, (*place, label))


def _notes(element: etree._Element) -> list[str]:
    """Return the annotations that are shown: their words, else the law that they name, once with all places."""
    notes: list[str] = []
    laws: dict[str, set[str]] = {}
    beside = (*element.iterfind("{*}annotations/*"), *element.iterfind("{*}annotation"))
    for note in beside:
        if _is_hidden(note):
            continue
        words = _words(note)
        stated = f"{note.get('type')}: {words or ' '.join(str(note.get(name)) for name in ('doc', 'eff'))}"
        if words or stated not in laws:
            notes.append(stated)
        if not words:
            laws.setdefault(stated, set()).add(str(note.get("path")))
    return [f"{note} {' '.join(sorted(laws.get(note, ())))}" for note in notes]


def _child(element: etree._Element, name: str) -> str:
    return " ".join(_words(child) for child in element.iterchildren(f"{{*}}{name}"))


def _words(element: etree._Element) -> str:
    return " ".join("".join(_texts(element)).split())


def _texts(element: etree._Element) -> Iterator[str]:
    """Yield the texts of an element, without what the publisher does not show as law."""
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str) and not _is_hidden(child):
            yield from _texts(child)
        yield child.tail or ""


def _is_hidden(element: etree._Element) -> bool:
    name = etree.QName(element)
    if (name.namespace or "").endswith("/codify") or name.localname in _SUPPRESSED:
        return True
    return element.get("undesignated") == "true" or element.get("display") == "false"
