"""The price list, item by item for each state and type of entity, and the answer of the requirements."""

from typing import Any

from assets.formation.facts import UNKNOWN, UNVERIFIED, Fact, weakest
from assets.formation.operator import ENTITY_TYPES, Operator
from assets.formation.states import Charge, Requirement, State, States

MEANINGS = {
    "verified": "a primary source was opened on the stated date",
    "reported": "seen on the stated date in the named page, or in a stored copy of it that may be older",
    "unverified": "not confirmed by a page, or not known at all: ask the office before you rely on it",
}
NOT_KNOWN = Fact(None, UNKNOWN, None, None, None)
ITEMS = ("filing", "processing", "companion")
"""Parts that go to the state and into the total."""
BESIDE = ("expedite", "report")
"""Parts that are told beside the total: a faster filing, and the report that comes later."""

Json = dict[str, Any]


def price_list(states: States, operator: Operator) -> Json:
    """Return the answer of the price list, with the founding offer as it is before any order."""
    return {
        "date": max(states.date, operator.date),
        "currency": "USD",
        "statuses": MEANINGS,
        "prices": [price(state, entity, operator) for state in states.states for entity in ENTITY_TYPES],
        "foundingOffer": {
            "discount": operator.discount,
            "cap": operator.cap,
            "remaining": operator.cap,
        },
    }


def price(state: State, entity: str, operator: Operator) -> Json:
    """Return the price of one formation. The total is of the items whose amount is known."""
    charges = state.charges[entity]
    items = [
        *(_item(part, charges.get(part)) for part in ITEMS),
        _own("registeredAgentFirstYear", operator.agent_first_year),
        _own("serviceFee", operator.service_fees[entity]),
    ]
    partial = {part for part, charge in charges.items() if charge.at_least}
    missing = [item["item"] for item in items if item["cents"] is None or item["item"] in partial]
    beside = {part: _item(part, charges.get(part)) for part in BESIDE}
    return {
        "state": state.code,
        "stateName": state.name,
        "entityType": entity,
        "office": {"name": state.office, "url": state.office_url},
        "items": items,
        "total": {
            "cents": sum(item["cents"] or 0 for item in items),
            "status": weakest([item["status"] for item in items]),
            "complete": not missing,
            "missing": missing,
        },
        "expedite": beside["expedite"],
        "report": beside["report"],
        "registeredAgentRenewal": _own("registeredAgentRenewal", operator.agent_renewal),
    }


def requirements_answer(states: States) -> Json:
    """Return what the formation tools know of each state."""
    return {
        "date": states.date,
        "states": [
            {"state": state.code, "name": state.name, "llc": _requirement(state.llc)}
            for state in states.states
        ],
    }


def _item(part: str, charge: Charge | None) -> Json:
    fact = NOT_KNOWN if charge is None else charge.fact
    return _told(part, fact, None if charge is None else charge.what)


def _own(name: str, fact: Fact) -> Json:
    return _told(name, fact, None)


def _told(name: str, fact: Fact, what: str | None) -> Json:
    answer = fact.answer("cents")
    if answer["status"] == UNKNOWN:
        answer["status"] = UNVERIFIED
    return {"item": name, "what": what, **answer}


def _requirement(llc: Requirement) -> Json:
    return {
        "document": llc.document,
        "citation": llc.citation,
        "citationStatus": llc.citation_status,
        "nameCitation": llc.name_citation,
        "designators": list(llc.designators),
        "designatorsStatus": llc.designators_status,
        "agent": llc.agent,
        "managementStatement": llc.management_statement,
        "managementStatus": llc.management_status,
        "publication": llc.publication,
        "publicationStatus": llc.publication_status,
    }
