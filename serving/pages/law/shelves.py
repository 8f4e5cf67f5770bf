"""Lists above the provisions: all jurisdictions, one with its codes and places, the top of one code."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from serving.contract.manifest import CodeBodyEntry
from serving.pages.law.children import Children, children_of
from serving.pages.law.provisions import Step
from serving.services.addresses import LAW, page_of_body
from serving.services.downloads import downloads_of
from serving.snapshot.store import Snapshot


@dataclass(frozen=True, slots=True)
class HeldBody:
    """A code body with its address and its entry of the coverage."""

    address: str
    told: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shelf:
    """A jurisdiction with the codes that are held of it, and what is known to be missing."""

    address: str
    name: str
    level: str
    bodies: tuple[HeldBody, ...]
    gaps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LawPage:
    """The model of the lists of codes: of all jurisdictions, or of one with those inside it.

    Attributes:
        title: name of the jurisdiction; "" for all.
        without: names of the jurisdictions of which nothing is held.
    """

    title: str
    address: str
    steps: tuple[Step, ...]
    shelves: tuple[Shelf, ...]
    without: tuple[str, ...]
    snapshot: str


@dataclass(frozen=True, slots=True)
class CodeBodyPage:
    """The model of a code body's page.

    Attributes:
        downloads: its files, as the list of downloads has them; None where it was published without.
    """

    body: CodeBodyEntry
    address: str
    steps: tuple[Step, ...]
    children: Children
    downloads: Mapping[str, Any] | None
    snapshot: str


def shelves_of(snapshot: Snapshot) -> Iterator[Shelf]:
    """Yield the jurisdictions of which law is held, as the coverage lists them."""
    bodies = {body.id: body for body in snapshot.code_bodies}
    for entry in _jurisdictions(snapshot):
        held = tuple(HeldBody(page_of_body(bodies[told["id"]]), told) for told in entry["codeBodies"])
        if held:
            address = f"{LAW}/{entry['shortCode']}"
            yield Shelf(address, entry["name"], entry["level"], held, tuple(entry["gaps"]))


def law_page(snapshot: Snapshot) -> LawPage:
    """Return the model of the list of all law."""
    without = tuple(entry["name"] for entry in _jurisdictions(snapshot) if not entry["codeBodies"])
    return LawPage("", LAW, (), tuple(shelves_of(snapshot)), without, snapshot.id)


def jurisdiction_page(snapshot: Snapshot, code: str) -> LawPage:
    """Return the model of the list of a jurisdiction's law, with that of the places in it."""
    address = f"{LAW}/{code}"
    own = tuple(
        shelf
        for shelf in shelves_of(snapshot)
        if shelf.address == address or shelf.address.startswith(f"{address}-")
    )
    return LawPage(snapshot.jurisdiction_names[code], address, (Step("Law", LAW),), own, (), snapshot.id)


def code_body_page(snapshot: Snapshot, body: CodeBodyEntry, *, page: int) -> CodeBodyPage:
    """Return the model of a code body's page.

    Raises:
        NotFoundError: the list has no such page.
    """
    names = snapshot.jurisdiction_names
    above = (
        Step("Law", LAW),
        Step(names.get(body.jurisdiction, body.jurisdiction), f"{LAW}/{body.jurisdiction}"),
    )
    children = children_of(snapshot, body, None, page)
    files = downloads_of(snapshot, body.id)
    return CodeBodyPage(body, page_of_body(body), above, children, files, snapshot.id)


def _jurisdictions(snapshot: Snapshot) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = orjson.loads(snapshot.static("coverage").plain)["jurisdictions"]
    return listed
