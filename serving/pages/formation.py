"""The page of a formation: a choice, its price and its requirements. The functions that read block."""

from collections.abc import Mapping
from dataclasses import dataclass

from serving.accounts.billing import Billing
from serving.metering.records import Order
from serving.services.datasets import FoundingOffer, founding_offer
from serving.services.formation import (
    ENTITY_TYPES,
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
    """The choice made so far, from the address or the form; fields not chosen yet are empty."""

    state: str = ""
    entity: str = ENTITY_TYPES[0]
    name: str = ""
    naics: str = ""


@dataclass(frozen=True, slots=True)
class Formation:
    """A choice that has a price, with everything that the page shows of it. `hint` is about LLC names."""

    requirements: Requirements
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
    """The page. `formation` is None until a state is chosen; `once_token` allows one order to be opened."""

    states: Mapping[str, str]
    choice: Choice
    formation: Formation | None
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
        naics=naics_code(snapshot, choice.naics) if choice.naics else None,
        offer=founding_offer(snapshot, taken=billing.orders.count_founding()),
        hint=name_hint(snapshot, found.state) if found.entity_type == "llc" else None,
    )


def states_of(snapshot: Snapshot) -> Mapping[str, str]:
    """Return the states that can be chosen."""
    return formation_states(snapshot)


def orders_state(orders: int) -> str:
    """Return a name for the state of an account with so many orders, which an opened order changes."""
    return f"order {orders}"


@dataclass(frozen=True, slots=True, repr=False)
class OpenedPage:
    """The page that shows a new order with its tracking token, only this once. It stays out of `repr`."""

    order: Order
    token: str
    formation: Formation
