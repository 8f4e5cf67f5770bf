"""Addresses of the pages for provisions, and the provisions that an address names in any of its spellings."""

import re
from dataclasses import dataclass

from serving.contract.identity import node_id
from serving.contract.manifest import CodeBodyEntry
from serving.services.citations.resolution import Outcome, Resolution
from serving.services.citations.resolve import resolve
from serving.services.jurisdictions import code_of as code_of_jurisdiction
from serving.snapshot.addresses import code_of
from serving.snapshot.store import Snapshot

LAW = "/law"
_BELOW_LAW = f"{LAW}/"
LONGEST = 300
"""Characters of an address that are examined; the longest of a provision has some hundred."""
_LABELS = re.compile(r"(?:\([0-9A-Za-z-]{1,12}\))+$")
_WORDS = re.compile(r"[0-9A-Za-z]+(?:-[0-9A-Za-z]+)*")
_THROUGH = ")-("
"""Between the first part of a range and its last: `(a)(1)-(3)`."""
NOTES = "notes"
"""The fragment of the notes on a provision's page."""


@dataclass(frozen=True, slots=True)
class Place:
    """The provision that an address names, or what it names instead.

    Attributes:
        row: the provision; None where there is none, or several.
        fragment: of the part that is named beside it; "" where none is.
        sharing: rows of the provisions that share the number.
        resolution: what reading the number as a citation gives, where no provision has that address.
    """

    row: int | None = None
    fragment: str = ""
    sharing: tuple[int, ...] = ()
    resolution: Resolution | None = None


def page_of(snapshot: Snapshot, row: int) -> str:
    """Return the path of a provision's page."""
    return f"{LAW}/{snapshot.addresses.of(row)}"


def page_of_body(body: CodeBodyEntry) -> str:
    """Return the path of a code body's page."""
    return f"{LAW}/{body.jurisdiction}/{code_of(body)}"


def body_at(snapshot: Snapshot, jurisdiction: str, code: str) -> CodeBodyEntry | None:
    """Return the code body that the first two steps of an address name, in letters of any case.

    Its jurisdiction is given by short code or by name.
    """
    known = {page_of_body(body): body for body in snapshot.code_bodies}
    found = known.get(f"{LAW}/{jurisdiction}/{code}".lower())
    if found is None and (named := code_of_jurisdiction(snapshot.manifest, jurisdiction)) is not None:
        found = known.get(f"{LAW}/{named}/{code}".lower())
    return found


def row_at(snapshot: Snapshot, path: str) -> int | None:
    """Return the row of the provision whose page has exactly this path; None where none has."""
    address = path.removeprefix(_BELOW_LAW)
    # Addresses are in small letters, and are found in any: what is spelled so is the very address.
    is_exact = len(address) < len(path) and address == address.lower()
    return snapshot.addresses.find(address) if is_exact else None


def fragment_of(label: str) -> str:
    """Return the fragment of a part, or of the first of a range: `a-1` for `(a)(1)`, `c_3A` for `(c-3A)`."""
    words = _WORDS.findall(label.partition(_THROUGH)[0])
    return "-".join([word.replace("-", "_") for word in words] if "-" in label else words)


def pinned(citation: str) -> str:
    """Return the fragment, with its sign, of the part that ends a citation; "" where none does."""
    labels = _LABELS.search(citation)
    return f"#{fragment_of(labels.group())}" if labels else ""


def find_place(snapshot: Snapshot, body: CodeBodyEntry, number: str) -> Place:
    """Return what the number in an address names: by its own spelling, the publisher's, or as a citation."""
    address = f"{body.jurisdiction}/{code_of(body)}/{number}"[:LONGEST]
    row = snapshot.addresses.find(address)
    if row is None:
        row = find_published(snapshot, f"/{address}")
    if row is not None:
        return Place(row)
    sharing = snapshot.addresses.sharing(address)
    if sharing:
        return Place(sharing=tuple(sharing))
    resolution = resolve(snapshot, _cited(snapshot, body, number[:LONGEST]))
    provision = resolution.provision
    if provision is None or resolution.outcome is Outcome.PIN_NOT_FOUND:
        return Place(resolution=resolution)
    pin = resolution.pin
    return Place(provision.row, fragment_of(pin.label) if pin and pin.found else "")


def find_published(snapshot: Snapshot, identifier: str) -> int | None:
    """Return the row of the provision with the publisher's identifier, such as `/us/usc/t17/s107`."""
    return snapshot.nodes.find(node_id(identifier[:LONGEST].rstrip("/")))


def _cited(snapshot: Snapshot, body: CodeBodyEntry, number: str) -> str:
    """Return the citation that a number in an address would have: that of a title where no number follows."""
    templates = (scheme.template for scheme in snapshot.grammar.schemes if scheme.key == body.key)
    template = next(templates, "{num}")
    title, slash, num = number.strip("/").partition("/")
    if "{title}" not in template:
        return template.format(num=number.strip("/"))
    if not slash:
        return template.partition("§")[0].format(title=title).strip()
    return template.format(title=title, num=num)
