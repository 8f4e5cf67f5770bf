"""The page of a formation: a choice, its price and its requirements. The functions that read block."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from serving.accounts.billing import Billing
from serving.metering.records import Order
from serving.services.addresses import page_of
from serving.services.datasets import FoundingOffer, founding_offer
from serving.services.formation import (
    ENTITY_TYPES,
    Requirements,
    name_hint,
    requirements,
)
from serving.services.naics import NaicsCode, lookup_naics, naics_code
from serving.services.nodes import find_node
from serving.snapshot.store import Snapshot

MOST_BUSINESSES = 6
"""Most codes that are proposed for words."""
_DIGITS = 6
ENTITIES = {"llc": "LLC", "nonprofit": "Nonprofit corporation"}
ITEMS = {
    "filing": "State filing fee",
    "processing": "Online processing charge",
    "companion": "Other charges of the state",
    "registeredAgentFirstYear": "Registered agent, first year",
    "serviceFee": "Our service fee",
}
"""Names of the parts of a price on the page."""
STATUSES = {
    "verified": "checked at its source",
    "reported": "seen on a page",
    "unverified": "not confirmed",
}
AGENTS = {
    "required": "A registered agent in the state is required.",
    "optional": "A registered agent is optional.",
    "office_or_agent": "A registered office in the state is required; an agent may provide it.",
}
MANAGEMENT = {
    "yes": "The document says who manages the company.",
    "no": "The document need not say who manages the company.",
    "optional": "The document may say who manages the company.",
    "if_manager_managed": "The document says so if managers manage the company.",
    "unknown": "Whether the document says who manages the company is not known.",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice made so far, from the address or the form; fields not chosen yet are empty.

    Attributes:
        naics: a NAICS code, or words that say what the business does.
    """

    state: str = ""
    entity: str = ENTITY_TYPES[0]
    name: str = ""
    naics: str = ""

    @property
    def has_code(self) -> bool:
        """True if the business is named by a code of six digits, as an order names it."""
        return len(self.naics) == _DIGITS and self.naics.isascii() and self.naics.isdigit()


@dataclass(frozen=True, slots=True)
class Formation:
    """A choice that has a price, with everything that the page shows of it.

    Attributes:
        hint: what the name of an LLC must contain.
        pages: addresses of the provisions that the requirements rest on, by their ids.
    """

    requirements: Requirements
    pages: Mapping[str, str]
    naics: NaicsCode | None
    offer: FoundingOffer | None
    hint: str | None

    @property
    def offer_total(self) -> int:
        """Cents that the formation costs with the founding offer, which never exceeds the service fee."""
        price = self.requirements.price
        fee = next(item.cents or 0 for item in price.items if item.item == "serviceFee")
        return price.total_cents - (0 if self.offer is None else min(self.offer.discount, fee))


@dataclass(frozen=True, slots=True)
class FormationPage:
    """The page.

    Attributes:
        formation: None until a state is chosen.
        businesses: codes that fit the words of the choice, with the address of the page for each.
        once_token: allows one order to be opened.
    """

    states: Mapping[str, str]
    choice: Choice
    formation: Formation | None
    businesses: Mapping[NaicsCode, str]
    once_token: str | None
    address: str


def read_formation(snapshot: Snapshot, billing: Billing, choice: Choice) -> Formation:
    """Read everything that the page shows of a choice.

    Raises:
        ValidationError: there is no such state, type of entity or NAICS code; `parameter` says which.
    """
    found = requirements(snapshot, choice.state, choice.entity)
    return Formation(
        requirements=found,
        pages=pages_of(snapshot, found),
        naics=naics_code(snapshot, choice.naics) if choice.naics else None,
        offer=founding_offer(snapshot, taken=billing.orders.count_founding()),
        hint=name_hint(snapshot, found.state) if found.entity_type == "llc" else None,
    )


def pages_of(snapshot: Snapshot, found: Requirements) -> Mapping[str, str]:
    """Return the addresses of the provisions that requirements rest on, as far as they are held, by id."""
    acts = () if found.llc is None else (found.llc.act, found.llc.name_act)
    ids = (act.node_id for act in acts if act.node_id is not None)
    return {node: page_of(snapshot, find_node(snapshot, UUID(node))) for node in ids}


def businesses_of(snapshot: Snapshot, naics: str) -> tuple[NaicsCode, ...]:
    """Return the codes from which to choose: those that fit words best, or those right below a shorter code.

    Raises:
        ValidationError: there is nothing to look up.
        NotFoundError: there is no such code.
    """
    found: list[NaicsCode] = []
    for match in lookup_naics(snapshot, naics, limit=MOST_BUSINESSES).matches:
        found += match.children or (NaicsCode(match.code, match.title, match.level),)
    return tuple(dict.fromkeys(found))


def orders_state(orders: int) -> str:
    """Return a name for the state of an account with so many orders, which an opened order changes."""
    return f"order {orders}"


@dataclass(frozen=True, slots=True, repr=False)
class OpenedPage:
    """The page that shows a new order with its tracking token, only this once. It stays out of `repr`."""

    order: Order
    token: str
    formation: Formation
