"""The states that formations are filed in: charges, and what an LLC takes there."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assets.errors import RegistryError
from assets.formation.facts import STATUSES, Fact, fact_of, read_table
from assets.formation.operator import ENTITY_TYPES, Operator

STATE_COLUMNS = ("state", "name", "office", "office_url", "llc_document")
FEE_COLUMNS = (
    *("state", "entity", "part", "cents", "status", "source", "date", "page_date", "what"),
    "at_least",
)
REQUIREMENT_COLUMNS = (
    *(
        "state",
        "document",
        "citation",
        "citation_status",
        "name_citation",
        "designators",
        "designators_status",
    ),
    *("agent", "management_statement", "management_status", "publication", "publication_status"),
)
FEE_PARTS = ("filing", "processing", "companion", "expedite", "report")
AGENT = ("required", "optional", "office_or_agent")
MANAGEMENT = ("yes", "no", "optional", "if_manager_managed", "unknown")


@dataclass(frozen=True, slots=True)
class Charge:
    """One charge of a state.

    Attributes:
        what: which it is where that is not plain, or how often it is due.
        at_least: whether more comes on top that is not known.
    """

    fact: Fact
    what: str | None
    at_least: bool


@dataclass(frozen=True, slots=True)
class Requirement:
    """A state's requirements for forming an LLC. Designators are a floor: the law may allow more.

    Attributes:
        agent: one of `AGENT`; likewise `management_statement` of `MANAGEMENT`.
        publication: whether the formation is to be published.
    """

    document: str
    citation: str
    citation_status: str
    name_citation: str
    designators: tuple[str, ...]
    designators_status: str
    agent: str
    management_statement: str
    management_status: str
    publication: bool
    publication_status: str


@dataclass(frozen=True, slots=True)
class State:
    """One state. `charges` are by type of entity, then by part; a part that is not listed does not apply."""

    code: str
    name: str
    office: str
    office_url: str
    charges: Mapping[str, Mapping[str, Charge]]
    llc: Requirement


@dataclass(frozen=True, slots=True)
class States:
    """The states that the operator files in, by name, and the date of what is known of them."""

    date: str
    states: tuple[State, ...]


def load_states(folder: Path, operator: Operator) -> States:
    """Read the states from the folder of formation data.

    Raises:
        RegistryError: a file is missing or malformed, or the operator files in a state that is not listed.
    """
    listed = read_table(folder / "states.csv", STATE_COLUMNS)
    fees = read_table(folder / "state_fees.csv", FEE_COLUMNS)
    required = read_table(folder / "requirements.csv", REQUIREMENT_COLUMNS)
    charges = _charges(fees.rows)
    llc = {row["state"]: _requirement(row) for row in required.rows}
    codes = {row["state"] for row in listed.rows}
    strangers = sorted((set(charges) | set(llc) | set(operator.states or ())) - codes)
    if strangers:
        raise RegistryError(f"states.csv lacks {', '.join(strangers)}.")
    missing = sorted(codes - (set(charges) & set(llc)))
    if missing:
        raise RegistryError(f"state_fees.csv or requirements.csv lacks {', '.join(missing)}.")
    chosen = codes if operator.states is None else set(operator.states)
    states = [
        State(
            code=row["state"],
            name=row["name"],
            office=row["office"],
            office_url=row["office_url"],
            charges=charges[row["state"]],
            llc=llc[row["state"]],
        )
        for row in listed.rows
        if row["state"] in chosen
    ]
    dates = (listed.date, fees.date, required.date)
    return States(max(dates), tuple(sorted(states, key=lambda state: state.name)))


def _charges(rows: tuple[dict[str, str], ...]) -> dict[str, dict[str, dict[str, Charge]]]:
    charges: dict[str, dict[str, dict[str, Charge]]] = {}
    for row in rows:
        where = f"state_fees.csv: {row['state']} {row['entity']} {row['part']}"
        if row["entity"] not in ENTITY_TYPES or row["part"] not in FEE_PARTS:
            raise RegistryError(f"{where}: the entity or the part is unknown.")
        parts = charges.setdefault(row["state"], {}).setdefault(row["entity"], {})
        if row["part"] in parts:
            raise RegistryError(f"{where} is listed twice.")
        if row["at_least"] not in ("", "yes"):
            raise RegistryError(f"{where}: at_least is {row['at_least']!r}, neither yes nor empty.")
        parts[row["part"]] = Charge(
            fact_of(row, where, value="cents"), row["what"] or None, row["at_least"] == "yes"
        )
    return charges


def _requirement(row: dict[str, str]) -> Requirement:
    where = f"requirements.csv: {row['state']}"
    for column in ("citation_status", "designators_status", "management_status", "publication_status"):
        if row[column] not in STATUSES:
            raise RegistryError(f"{where} has the {column} {row[column]!r}.")
    if row["agent"] not in AGENT or row["management_statement"] not in MANAGEMENT:
        raise RegistryError(f"{where} has an unknown word for the agent or the statement of management.")
    return Requirement(
        document=row["document"],
        citation=row["citation"],
        citation_status=row["citation_status"],
        name_citation=row["name_citation"],
        designators=tuple(filter(None, row["designators"].split("|"))),
        designators_status=row["designators_status"],
        agent=row["agent"],
        management_statement=row["management_statement"],
        management_status=row["management_status"],
        publication=row["publication"] == "yes",
        publication_status=row["publication_status"],
    )
