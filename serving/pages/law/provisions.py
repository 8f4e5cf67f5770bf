"""The model of a provision's page: its text for reading, what stands around it, and where it comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from serving.contract.errors import NotFoundError
from serving.contract.records import IN_FORCE
from serving.pages.law.children import Children, children_of
from serving.pages.law.notices import Lead, lead_of
from serving.pages.law.reading import links_of, parts_of, readable
from serving.pages.law.shown_changes import ShownChange, changes_of
from serving.pages.law.structured_data import legislation
from serving.services.addresses import LAW, page_of, page_of_body
from serving.services.citing import citing_rows
from serving.services.notes import heading_of
from serving.services.requests import PageRequest
from serving.snapshot.store import Snapshot

FIRST_CITING = 10
"""Provisions that cite one which its own page lists; the rest have pages of their own."""
CITING_PER_PAGE = 100
SHORT, FEW = 16_384, 100
"""Bytes of an answer, and references to its provision, up to which a page is soon made: 19 of 20 are."""
DESCRIPTION = 300
"""Characters of the description for search engines, at most."""


@dataclass(frozen=True, slots=True)
class Step:
    """One level above a page: its name and its address."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class SourceNote:
    """A note of the source: its heading, and its lines as paragraphs."""

    heading: str
    text: Markup


@dataclass(frozen=True, slots=True)
class Citing:
    """Provisions that cite one: those of this page, and how many there are in all."""

    leads: tuple[Lead, ...]
    total: int
    page: int = 1
    pages: int = 1


@dataclass(frozen=True, slots=True)
class ProvisionPage:
    """The model of a provision's page.

    Attributes:
        answer: the provision's answer of the node endpoint.
        address: path of the page.
        steps: levels above it, from the list of all law down.
        text: its text for reading.
        is_plain: the text has no part whose label is a guess.
        successor: what it has become, where it has moved.
        citing: the first provisions that cite it.
        children: what stands below it; None where nothing does.
        data: its description for programs.
    """

    answer: Mapping[str, Any]
    address: str
    steps: tuple[Step, ...]
    text: Markup
    is_plain: bool
    notes: tuple[SourceNote, ...]
    previous: Lead | None
    next: Lead | None
    successor: Lead | None
    citing: Citing
    children: Children | None
    description: str
    data: Markup
    snapshot: str
    changes: tuple[ShownChange, ...] = ()


@dataclass(frozen=True, slots=True)
class CitingPage:
    """The model of a page with the provisions that cite one."""

    citation: str
    heading: str
    address: str
    steps: tuple[Step, ...]
    citing: Citing


def is_soon_made(snapshot: Snapshot, row: int) -> bool:
    """Return whether making a provision's page costs little more than a thread to make it: a short leaf."""
    nodes = snapshot.nodes
    return (
        nodes.answer_size(row) <= SHORT
        and not snapshot.browse.has_children(nodes.id(row))
        and snapshot.edges.count_to(row) <= FEW
    )


def provision_in_html(
    snapshot: Snapshot, row: int, *, page: int, public_url: str
) -> tuple[str, ProvisionPage]:
    """Return the template and the model of a provision's page; it takes what `provision_page` takes."""
    changes = changes_of(snapshot, row)
    return "law_provision.html", provision_page(
        snapshot, row, page=page, public_url=public_url, changes=changes
    )


def provision_page(
    snapshot: Snapshot, row: int, *, page: int, public_url: str, changes: tuple[ShownChange, ...] = ()
) -> ProvisionPage:
    """Return the model of a provision's page.

    Args:
        snapshot: the snapshot in service.
        row: the provision.
        page: page of the list of what stands below it.
        public_url: address of the service.
        changes: those that the snapshot brought to it.

    Raises:
        NotFoundError: the list has no such page.
    """
    answer = snapshot.nodes.answer(row)
    parts = parts_of(answer["outline"])
    links = list(links_of(answer["references"], lambda node: _address(snapshot, node)))
    address = page_of(snapshot, row)
    steps = steps_to(snapshot, answer, row)
    return ProvisionPage(
        answer=answer,
        address=address,
        steps=steps,
        text=readable(answer["text"], parts, links),
        is_plain=not any(part.uncertain for part in parts),
        notes=tuple(map(_note, answer["notes"])),
        previous=_lead(snapshot, answer["previousId"]),
        next=_lead(snapshot, answer["nextId"]),
        successor=_successor(snapshot, answer),
        citing=_citing(snapshot, row, PageRequest(limit=FIRST_CITING)),
        children=_children(snapshot, answer, row, page),
        description=description_of(answer),
        data=legislation(
            answer,
            jurisdiction=steps[1].name,
            url=public_url + address,
            above=[(step.name, public_url + step.address) for step in steps],
        ),
        snapshot=snapshot.id,
        changes=changes,
    )


def citing_page(snapshot: Snapshot, row: int, *, page: int) -> CitingPage:
    """Return the model of a page with the provisions that cite one."""
    answer = snapshot.nodes.answer(row)
    return CitingPage(
        citation=answer["citation"],
        heading=answer["heading"],
        address=page_of(snapshot, row),
        steps=steps_to(snapshot, answer, row),
        citing=_citing(snapshot, row, PageRequest(page=page, limit=CITING_PER_PAGE)),
    )


def steps_to(snapshot: Snapshot, answer: Mapping[str, Any], row: int) -> tuple[Step, ...]:
    """Return the levels above a provision: all law, its jurisdiction, its code body, and its containers."""
    body = snapshot.nodes.code_body(row)
    names = snapshot.jurisdiction_names
    above = [
        Step(named, _address(snapshot, ancestor["id"]) or LAW)
        for named, ancestor in zip(answer["breadcrumb"], answer["ancestors"], strict=True)
    ]
    return (
        Step("Law", LAW),
        Step(names.get(body.jurisdiction, body.jurisdiction), f"{LAW}/{body.jurisdiction}"),
        Step(body.name, page_of_body(body)),
        *above,
    )


def description_of(answer: Mapping[str, Any]) -> str:
    """Return the beginning of a provision in one line, for search engines."""
    begun = " ".join(answer["text"][: 2 * DESCRIPTION].split())
    line = ". ".join(part.rstrip(".") for part in (answer["citation"], answer["heading"], begun) if part)
    return line if len(line) <= DESCRIPTION else line[: DESCRIPTION - 1].rsplit(" ", 1)[0] + "…"


def _children(snapshot: Snapshot, answer: Mapping[str, Any], row: int, page: int) -> Children | None:
    if answer["childCount"]:
        return children_of(snapshot, snapshot.nodes.code_body(row), row, page)
    if page > 1:
        raise NotFoundError("Nothing stands below this provision.", kind="path")
    return None


def _citing(snapshot: Snapshot, row: int, page: PageRequest) -> Citing:
    rows = citing_rows(snapshot, row)
    shown = rows[page.offset : page.offset + page.limit]
    leads = tuple(lead_of(snapshot, one, _unless_in_force(snapshot.nodes.status(one))) for one in shown)
    return Citing(leads, len(rows), page.page, -(-len(rows) // page.limit))


def _unless_in_force(status: str) -> str:
    return "" if status == IN_FORCE else status.replace("_", " ")


def _address(snapshot: Snapshot, node: str) -> str | None:
    row = snapshot.nodes.find_written(node)
    return None if row is None else page_of(snapshot, row)


def _lead(snapshot: Snapshot, node: str | None) -> Lead | None:
    row = None if node is None else snapshot.nodes.find_written(node)
    return None if row is None else lead_of(snapshot, row)


def _successor(snapshot: Snapshot, answer: Mapping[str, Any]) -> Lead | None:
    told = answer.get("successor")
    if told is None:
        return None
    return _lead(snapshot, told["nodeId"]) or Lead("", told["citation"], "")


def _note(note: Mapping[str, Any]) -> SourceNote:
    return SourceNote(heading_of(note), readable(note["text"], (), ()))
