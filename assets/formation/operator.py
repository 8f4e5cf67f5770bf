"""The operator: where it files, what it charges, its founding offer, and its row of the comparison."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.errors import RegistryError
from assets.formation.facts import STATUSES, Fact, read_toml

ENTITY_TYPES = ("llc", "nonprofit")
EVERY_STATE = "all"


@dataclass(frozen=True, slots=True)
class Operator:
    """The publisher of the datasets. Prices are in cents.

    Attributes:
        states: postal codes in lower case of where it files; None: everywhere.
        service_fees: by type of entity.
        facts: its row of the comparison, by name.
    """

    key: str
    name: str
    url: str
    kind: str
    date: str
    states: tuple[str, ...] | None
    service_fees: dict[str, Fact]
    agent_first_year: Fact
    agent_renewal: Fact
    discount: int
    cap: int
    facts: dict[str, Fact]


def load_operator(path: Path) -> Operator:
    """Read `operator.toml`.

    Raises:
        RegistryError: it is missing or malformed.
    """
    content = read_toml(path)
    day = content["date"].isoformat()
    try:
        prices, offer, states = content["prices"], content["founding_offer"], content["states"]
        known = {"status": prices["status"], "source": prices["source"]}
        return Operator(
            key=content["key"],
            name=content["name"],
            url=content["url"],
            kind=content["kind"],
            date=day,
            states=None if states == EVERY_STATE else tuple(state.lower() for state in states),
            service_fees={
                entity: _fact({"value": prices["service_fee_cents"][entity], **known}, day)
                for entity in ENTITY_TYPES
            },
            agent_first_year=_fact({"value": prices["registered_agent_first_year_cents"], **known}, day),
            agent_renewal=_fact({"value": prices["registered_agent_renewal_cents"], **known}, day),
            discount=int(offer["discount_cents"]),
            cap=int(offer["cap"]),
            facts={entry["name"]: _fact(entry, day) for entry in content["fact"]},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RegistryError(f"{path} lacks or misnames {error}.") from None


def _fact(entry: dict[str, Any], day: str) -> Fact:
    value, status = entry["value"], entry["status"]
    if status not in STATUSES:
        raise ValueError(f"a status: {status!r}")
    return Fact(value == "yes" if value in ("yes", "no") else int(value), status, entry["source"], day, None)
