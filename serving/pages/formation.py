"""What the page of a formation shows: a choice, its price and what it takes. The reads block."""

from collections.abc import Mapping
from dataclasses import dataclass

from serving.accounts.billing import Billing
from serving.metering.records import Order
from serving.services.datasets import FoundingOffer, founding_offer
from serving.services.formation import (
    ENTITY_TYPES,
    START,
    Requirements,
    formation_states,
    name_hint,
    requirements,
)
from serving.services.naics import NaicsCode, naics_code
from serving.snapshot.store import Snapshot

ENTITIES = {"llc": "LLC", "nonprofit": "Nonprofit corporation"}
ITEMS = {
    "filing": "State filing fee",
    "processing": "Online processing charge",
    "companion": "Other charges of the state",
    "registeredAgentFirstYear": "Registered agent, first year",
    "serviceFee": "Our service fee",
}
"""Parts of a price as they are called here."""
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
    """What was chosen so far, as the address or the form has it; empty where nothing was."""

    state: str = ""
    entity: str = ENTITY_TYPES[0]
    name: str = ""
    naics: str = ""


@dataclass(frozen=True, slots=True)
class Formation:
    """A choice that can be priced, with all that the page shows of it. `hint` is of names of an LLC."""

    requirements: Requirements
    naics: NaicsCode | None
    offer: FoundingOffer | None
    hint: str | None

    @property
    def offer_total(self) -> int:
        """Cents that the formation costs with the founding offer, which is off the service fee at most."""
        price = self.requirements.price
        fee = next(item.cents or 0 for item in price.items if item.item == "serviceFee")
        return price.total_cents - (0 if self.offer is None else min(self.offer.discount, fee))


@dataclass(frozen=True, slots=True)
class FormationPage:
    """The page. `formation` is None until a state is chosen; `once_token` lets an order be opened once."""

    states: Mapping[str, str]
    choice: Choice
    formation: Formation | None
    once_token: str | None
    address: str


def read_formation(snapshot: Snapshot, billing: Billing, choice: Choice) -> Formation:
    """Read what the page shows of a choice.

    Raises:
        ValidationError: there is no such state, type of entity or NAICS code; `parameter` says which.
    """
    found = requirements(snapshot, choice.state, choice.entity)
    return Formation(
        requirements=found,
        naics=naics_code(snapshot, choice.naics) if choice.naics else None,
        offer=founding_offer(snapshot, taken=billing.orders.count_founding()),
        hint=name_hint(snapshot, found.state) if found.entity_type == "llc" else None,
    )


def states_of(snapshot: Snapshot) -> Mapping[str, str]:
    """Return the states that can be chosen."""
    return formation_states(snapshot)


def orders_state(orders: int) -> str:
    """Name the state of an account with so many orders: another one once an order was opened."""
    return f"order {orders}"


@dataclass(frozen=True, slots=True, repr=False)
class OpenedPage:
    """The page that shows a new order with its tracking token, this once. It is in no `repr`."""

    order: Order
    token: str
    formation: Formation


def is_start(address: str) -> bool:
    """Whether an address is that of the page, with or without a choice."""
    return address == START or address.startswith(f"{START}?")
