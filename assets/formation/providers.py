"""The comparison of formation providers: facts, the rubric, scores, and the answer made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.errors import RegistryError
from assets.formation.facts import REPORTED, UNKNOWN, VERIFIED, Fact, fact_of, read_table, read_toml
from assets.formation.operator import Operator, load_operator

PROVIDER_COLUMNS = ("provider", "name", "url", "kind")
FACT_COLUMNS = ("provider", "fact", "value", "status", "source", "date", "page_date")
KNOWN = (VERIFIED, REPORTED)
MEANINGS = {
    VERIFIED: "a primary source was opened on the stated date",
    REPORTED: "seen on the stated date in the named page, or in a stored copy of it that may be older",
    UNKNOWN: "not known, which is not a no",
}
PUBLISHER_NOTE = (
    "The publisher of this dataset is one of its providers, scored by the same rubric as the others."
)


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion of the rubric: its weight is scored where all of its facts are known and none is a no."""

    key: str
    weight: int
    full_points_when: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rubric:
    """The criteria, and the unknown weight above which a provider gets no score."""

    date: str
    criteria: tuple[Criterion, ...]
    rankable_unknown_weight: int

    @property
    def facts(self) -> tuple[str, ...]:
        """Names of all facts that are compared."""
        return tuple(fact for criterion in self.criteria for fact in criterion.facts)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of facts by a rubric; `points` is None where too much is unknown."""

    points: int | None
    unknown_weight: int


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider with what is known of it."""

    key: str
    name: str
    url: str
    kind: str
    facts: Mapping[str, Fact]
    is_publisher: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that is compared: the providers by name, the operator among them."""

    date: str
    rubric: Rubric
    providers: tuple[Provider, ...]


def load_comparison(folder: Path) -> Comparison:
    """Read the comparison from the folder of formation data.

    Raises:
        RegistryError: a file is missing or malformed, or a fact is of no provider of the list.
    """
    rubric = _load_rubric(folder / "rubric.toml")
    operator = load_operator(folder / "operator.toml")
    listed = read_table(folder / "providers.csv", PROVIDER_COLUMNS)
    facts = read_table(folder / "provider_facts.csv", FACT_COLUMNS)
    by_provider: dict[str, dict[str, Fact]] = {row["provider"]: {} for row in listed.rows}
    for row in facts.rows:
        if row["provider"] not in by_provider:
            raise RegistryError(f"provider_facts.csv has {row['provider']!r}, which providers.csv lacks.")
        where = f"provider_facts.csv: {row['provider']} {row['fact']}"
        by_provider[row["provider"]][row["fact"]] = fact_of(row, where)
    others = [
        Provider(row["provider"], row["name"], row["url"], row["kind"], by_provider[row["provider"]])
        for row in listed.rows
    ]
    everyone = sorted([*others, _publisher(operator)], key=lambda provider: provider.name.lower())
    return Comparison(max(facts.date, operator.date), rubric, tuple(everyone))


def score(facts: Mapping[str, Fact], rubric: Rubric) -> Score:
    """Score facts by a rubric. Only what is known counts; the weight of the rest is added up."""
    points = unknown = 0
    for criterion in rubric.criteria:
        found = [facts[name] for name in criterion.facts]
        if any(fact.status not in KNOWN for fact in found):
            unknown += criterion.weight
        elif _is_met(criterion, found):
            points += criterion.weight
    return Score(None if unknown > rubric.rankable_unknown_weight else points, unknown)


def comparison_answer(comparison: Comparison) -> dict[str, Any]:
    """Return the answer of the comparison endpoint."""
    rubric = comparison.rubric
    publisher = next(provider for provider in comparison.providers if provider.is_publisher)
    return {
        "date": comparison.date,
        "publisher": publisher.key,
        "note": PUBLISHER_NOTE,
        "statuses": MEANINGS,
        "rubric": {
            "date": rubric.date,
            "maxScore": sum(criterion.weight for criterion in rubric.criteria),
            "rankableUnknownWeight": rubric.rankable_unknown_weight,
            "criteria": [
                {
                    "key": camel(criterion.key),
                    "weight": criterion.weight,
                    "fullPointsWhen": criterion.full_points_when,
                    "facts": [camel(name) for name in criterion.facts],
                }
                for criterion in rubric.criteria
            ],
        },
        "providers": [_answer(provider, rubric) for provider in comparison.providers],
    }


def camel(name: str) -> str:
    """Return a name as the API writes it: `base_price_cents` as `basePriceCents`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _answer(provider: Provider, rubric: Rubric) -> dict[str, Any]:
    scored = score(provider.facts, rubric)
    return {
        "key": provider.key,
        "name": provider.name,
        "url": provider.url,
        "kind": provider.kind,
        "isPublisher": provider.is_publisher,
        "score": scored.points,
        "unknownWeight": scored.unknown_weight,
        "facts": {camel(name): provider.facts[name].answer() for name in rubric.facts},
    }


def _is_met(criterion: Criterion, facts: Sequence[Fact]) -> bool:
    """Return whether known facts meet a criterion: a price or a term does, and a yes; a no does not."""
    return len(criterion.facts) > 1 or facts[0].value is not False


def _publisher(operator: Operator) -> Provider:
    return Provider(operator.key, operator.name, operator.url, operator.kind, operator.facts, True)


def _load_rubric(path: Path) -> Rubric:
    content = read_toml(path)
    try:
        criteria = tuple(
            Criterion(entry["key"], entry["weight"], entry["full_points_when"], tuple(entry["facts"]))
            for entry in content["criterion"]
        )
        return Rubric(content["date"].isoformat(), criteria, content["rankable_unknown_weight"])
    except (KeyError, TypeError) as error:
        raise RegistryError(f"{path} lacks or misnames {error}.") from None
