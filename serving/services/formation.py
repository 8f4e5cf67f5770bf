"""Formation of an LLC or a nonprofit: the state's requirements, the price, and the link to its page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Annotated, Any
from urllib.parse import urlencode

import orjson

from serving.contract.answers import DETAIL, PRIVATE
from serving.contract.errors import ValidationError
from serving.contract.layout import FORMATION_PRICES, FORMATION_REQUIREMENTS
from serving.services.citations.resolution import Outcome, Provision
from serving.services.citations.resolve import resolve
from serving.services.jurisdictions import folded_name
from serving.services.naics import NaicsCode, naics_code
from serving.snapshot.store import Snapshot

START = "/formation/start"
"""Path of the page on which a person forms a company."""
ENTITY_TYPES = ("llc", "nonprofit")
MAX_NAME = 200

_WORD = re.compile(r"\w+")
_IN_FULL = {"ltd": "limited", "co": "company"}
"""Words of designators that may be abbreviated wherever they are written in full."""


@dataclass(frozen=True, slots=True)
class PriceItem:
    """One part of a price. `cents` is None if it is not known; `status` says how reliable it is.

    Attributes:
        item: `filing`, `processing`, `companion`, `registeredAgentFirstYear`, `serviceFee`, `expedite`,
            `report` or `registeredAgentRenewal`.
        what: name of a companion charge, or how often a report is due; None where `item` says enough.
        status: `verified`, `reported` or `unverified`.
        source: address of the page, or a path of this service.
        date: the day on which the source, or a stored copy of it, was read.
    """

    item: str
    what: str | None
    cents: int | None
    status: str
    source: str | None
    date: str | None


@dataclass(frozen=True, slots=True)
class Price:
    """The list price of one formation. The total is the sum of the known items.

    Attributes:
        total_status: the weakest of the items'.
        missing: items whose amount is not, or not fully, known.
        expedite, report, registered_agent_renewal: prices outside the total.
        office, office_url: office of the filing, and its address on the web.
    """

    state: Annotated[str, DETAIL]
    state_name: Annotated[str, DETAIL]
    entity_type: Annotated[str, DETAIL]
    office: str
    office_url: str
    items: tuple[PriceItem, ...]
    total_cents: int
    total_status: str
    complete: bool
    missing: tuple[str, ...]
    expedite: PriceItem
    report: PriceItem
    registered_agent_renewal: PriceItem
    date: Annotated[str, DETAIL]


@dataclass(frozen=True, slots=True)
class ActCitation:
    """A citation of the law that a requirement rests on, resolved where this snapshot holds the code.

    Attributes:
        status: reliability of the citation itself: `verified`, `reported` or `unverified`.
        outcome: outcome of resolving it, such as `found` or `outside_coverage`.
    """

    citation: str
    status: str
    outcome: str
    provision: Annotated[Provision | None, PRIVATE]
    node_id: str | None


@dataclass(frozen=True, slots=True)
class LlcRequirements:
    """Requirements for forming an LLC. Designators are a floor: the law may allow more.

    Attributes:
        agent: `required`, `optional` or `office_or_agent`.
        management_statement: `yes`, `no`, `optional`, `if_manager_managed` or `unknown`.
        publication: whether the formation must be published.
    """

    document: str
    act: ActCitation
    name_act: ActCitation
    designators: tuple[str, ...]
    designators_status: str
    agent: str
    management_statement: str
    management_status: str
    publication: bool
    publication_status: str


@dataclass(frozen=True, slots=True)
class Requirements:
    """Requirements of a state, and the price; `llc` is None for other entities, of which less is known."""

    state: str
    state_name: str
    entity_type: str
    llc: LlcRequirements | None
    price: Price
    date: str


@dataclass(frozen=True, slots=True)
class Handoff:
    """A link that takes a person to the page that opens an order, and the choices that it carries."""

    url: str
    state: str
    state_name: str
    entity_type: str
    entity_name: str | None
    naics: NaicsCode | None
    price: Price
    name_hint: str | None


def formation_states(snapshot: Snapshot) -> Mapping[str, str]:
    """Return the names of the states that formations are filed in, by postal code in lower case.

    Raises:
        NotFoundError: the snapshot was published without formation data; the functions below raise it
            likewise.
    """
    return {code: entry["name"] for code, entry in _required(snapshot).items()}


def price_of(snapshot: Snapshot, state: str, entity_type: str) -> Price:
    """Return the price of a formation.

    Raises:
        ValidationError: there is no such state or type of entity; `parameter` is `state` or `entityType`.
    """
    code, entity = _known_state(snapshot, state), _known_entity(entity_type)
    date, prices = _prices(bytes(snapshot.static(FORMATION_PRICES).plain))
    return _price(prices[code, entity], date)


def requirements(snapshot: Snapshot, state: str, entity_type: str = "llc") -> Requirements:
    """Return a state's requirements for forming an entity, with the law behind them if the snapshot holds it.

    Raises:
        ValidationError: there is no such state or type of entity; `parameter` is `state` or `entityType`.
    """
    price = price_of(snapshot, state, entity_type)
    entry = _required(snapshot)[price.state]
    llc = _llc(snapshot, price.state, entry["llc"]) if price.entity_type == "llc" else None
    return Requirements(price.state, price.state_name, price.entity_type, llc, price, price.date)


def handoff(
    snapshot: Snapshot,
    public_url: str,
    *,
    state: str,
    entity_type: str = "llc",
    entity_name: str | None = None,
    naics: str | None = None,
) -> Handoff:
    """Return the link to the page that opens an order, filled in with what is known.

    Raises:
        ValidationError: there is no such state, type of entity or NAICS code, or the name is not acceptable.
    """
    price = price_of(snapshot, state, entity_type)
    name = None if entity_name is None else clean_entity_name(entity_name)
    code = None if naics is None else naics_code(snapshot, naics)
    fields = {"state": price.state, "entity": price.entity_type, "name": name, "naics": code and code.code}
    query = urlencode({key: value for key, value in fields.items() if value is not None})
    hint = None
    if name is not None and not name_has_designator(snapshot, price.state, price.entity_type, name):
        hint = name_hint(snapshot, price.state)
    return Handoff(
        url=f"{public_url}{START}?{query}",
        state=price.state,
        state_name=price.state_name,
        entity_type=price.entity_type,
        entity_name=name,
        naics=code,
        price=price,
        name_hint=hint,
    )


def clean_entity_name(name: str) -> str:
    """Return a name with its white space folded.

    Raises:
        ValidationError: it is empty, too long, or has control characters.
    """
    folded = " ".join(name.split())
    if not 1 <= len(folded) <= MAX_NAME or not folded.isprintable():
        raise ValidationError(
            f"The name must be 1 to {MAX_NAME} characters long, without control characters.",
            parameter="entityName",
        )
    return folded


def name_has_designator(snapshot: Snapshot, state: str, entity_type: str, name: str) -> bool:
    """Return whether an LLC's name has a designator that the state is known to accept; True for others."""
    return entity_type != "llc" or _holds_one_of(name, _designators(snapshot, state))


def name_has_any_designator(snapshot: Snapshot, entity_type: str, name: str) -> bool:
    """Return whether an LLC's name has a designator that any state is known to accept; True for others.

    The designators of a state are a floor: one that only another state is known to accept may be lawful there
    too.
    """
    return entity_type != "llc" or any(
        _holds_one_of(name, _designators(snapshot, state)) for state in formation_states(snapshot)
    )


def name_hint(snapshot: Snapshot, state: str) -> str:
    """Return a hint on what the name of an LLC must contain in a state."""
    listed = ", ".join(f"“{designator}”" for designator in _designators(snapshot, state))
    return (
        f"The name of an LLC in {formation_states(snapshot)[state]} must say that it is one. Known to be "
        f"taken: {listed}; the law may allow more."
    )


def _holds_one_of(name: str, designators: Sequence[str]) -> bool:
    words = f" {_plain_words(name)} "
    return any(f" {_plain_words(designator)} " in words for designator in designators)


def _designators(snapshot: Snapshot, state: str) -> tuple[str, ...]:
    return tuple(_required(snapshot)[state]["llc"]["designators"])


def _plain_words(text: str) -> str:
    """Return the words of a text in lower case and in full; an abbreviation with full stops is one word."""
    words = _WORD.findall(text.lower().replace(".", "").replace("’", "'"))
    return " ".join(_IN_FULL.get(word, word) for word in words)


def _known_state(snapshot: Snapshot, state: str) -> str:
    folded, known = folded_name(state), _required(snapshot)
    by_name = {folded_name(entry["name"]): key for key, entry in known.items()}
    found = folded if folded in known else by_name.get(folded)
    if found is None:
        near = get_close_matches(folded[:40], by_name, n=1)
        meant = f"; did you mean {known[by_name[near[0]]]['name']}?" if near else "."
        raise ValidationError(
            f"{state[:40]!r} is no state that formations are filed in: give the postal code or the name of a "
            f"state or of the District of Columbia{meant}",
            parameter="state",
        )
    return found


def _known_entity(entity_type: str) -> str:
    entity = entity_type.strip().lower()
    if entity not in ENTITY_TYPES:
        raise ValidationError(
            f"{entity_type[:40]!r} is no type of entity; there are {', '.join(ENTITY_TYPES)}.",
            parameter="entityType",
        )
    return entity


def _llc(snapshot: Snapshot, state: str, entry: dict[str, Any]) -> LlcRequirements:
    return LlcRequirements(
        document=entry["document"],
        act=_cited(snapshot, state, entry["citation"], entry["citationStatus"]),
        name_act=_cited(snapshot, state, entry["nameCitation"], entry["designatorsStatus"]),
        designators=tuple(entry["designators"]),
        designators_status=entry["designatorsStatus"],
        agent=entry["agent"],
        management_statement=entry["managementStatement"],
        management_status=entry["managementStatus"],
        publication=entry["publication"],
        publication_status=entry["publicationStatus"],
    )


def _cited(snapshot: Snapshot, state: str, citation: str, status: str) -> ActCitation:
    """Resolve a citation of a state's law; one that leads to no law of that state is of a code not held."""
    resolution = resolve(snapshot, citation)
    provision = resolution.provision
    if provision is not None and provision.jurisdiction != state:
        provision = None
    misread = resolution.provision is not None and provision is None
    outside = misread or resolution.outcome is Outcome.UNPARSED
    outcome = Outcome.OUTSIDE_COVERAGE if outside else resolution.outcome
    return ActCitation(citation, status, outcome, provision, provision.node_id if provision else None)


def _price(entry: dict[str, Any], date: str) -> Price:
    total = entry["total"]
    return Price(
        state=entry["state"],
        state_name=entry["stateName"],
        entity_type=entry["entityType"],
        office=entry["office"]["name"],
        office_url=entry["office"]["url"],
        items=tuple(_item(item) for item in entry["items"]),
        total_cents=total["cents"],
        total_status=total["status"],
        complete=total["complete"],
        missing=tuple(total["missing"]),
        expedite=_item(entry["expedite"]),
        report=_item(entry["report"]),
        registered_agent_renewal=_item(entry["registeredAgentRenewal"]),
        date=date,
    )


def _item(entry: dict[str, Any]) -> PriceItem:
    return PriceItem(
        entry["item"], entry["what"], entry["cents"], entry["status"], entry["source"], entry["date"]
    )


def _required(snapshot: Snapshot) -> dict[str, dict[str, Any]]:
    return _requirements_of(bytes(snapshot.static(FORMATION_REQUIREMENTS).plain))


@lru_cache(maxsize=4)
def _requirements_of(body: bytes) -> dict[str, dict[str, Any]]:
    return {entry["state"]: entry for entry in orjson.loads(body)["states"]}


@lru_cache(maxsize=4)
def _prices(body: bytes) -> tuple[str, dict[tuple[str, str], dict[str, Any]]]:
    answer = orjson.loads(body)
    return answer["date"], {(entry["state"], entry["entityType"]): entry for entry in answer["prices"]}
