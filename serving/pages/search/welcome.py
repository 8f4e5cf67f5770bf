"""The model of the first page: what is held and how current it is, prices, and calls that work."""

from dataclasses import dataclass

from markupsafe import Markup

from serving.pages.dashboard import Prices
from serving.pages.law.shelves import Shelf, shelves_of
from serving.pages.law.structured_data import website
from serving.snapshot.examples import Example, example_of
from serving.snapshot.store import Snapshot

NAME = "Legal Research API"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the API: what it does, and its address."""

    title: str
    address: str


@dataclass(frozen=True, slots=True)
class WelcomePage:
    """The model of the page; `calls` and `example` are made from the snapshot in service."""

    shelves: tuple[Shelf, ...]
    provisions: int
    example: Example
    calls: tuple[Call, ...]
    prices: Prices
    summary: str
    snapshot: str
    created: str
    data: Markup


def welcome_page(snapshot: Snapshot, prices: Prices, public_url: str, summary: str) -> WelcomePage:
    """Return the model of the first page.

    Args:
        snapshot: the snapshot in service.
        prices: the price list.
        public_url: address of the service.
        summary: what the service is, in one sentence.
    """
    example = example_of(snapshot.nodes, snapshot.edges)
    titles = ("Search by words and meaning", "Check a citation", "Read a provision")
    return WelcomePage(
        shelves=tuple(shelves_of(snapshot)),
        provisions=len(snapshot.nodes),
        example=example,
        calls=tuple(
            Call(title, f"{public_url}/api/v1/{path}")
            for title, path in zip(titles, example.paths, strict=True)
        ),
        prices=prices,
        summary=summary,
        snapshot=snapshot.id,
        created=snapshot.manifest.created,
        data=website(public_url, NAME, summary),
    )
