"""Is the formation data whole, does it add up, are its sources sound, and how old are they? Verdicts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from assets.findings import Finding, Severity, Verdict
from assets.formation.facts import REPORTED, STATUSES, UNKNOWN, UNVERIFIED, VERIFIED, Fact, weakest
from assets.formation.operator import ENTITY_TYPES
from assets.formation.providers import Rubric, camel, score

PROVIDERS = 19
STATES = 51
MAX_AGE_DAYS = 365
"""A fact whose source was opened longer ago should be looked at again."""

_SOURCE = re.compile(r"https?://[^\s/]+\.[^\s]+|/[\w./-]*")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_PAGE_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
_NAICS_LEVELS = {2: 17, 3: 96, 4: 308, 5: 689, 6: 1012}
_NAICS_RANGES = 3

Json = dict[str, Any]


def every_provider_is_there(answer: Json, rubric: Rubric) -> Verdict:
    """Check that all providers are compared in all facts, the publisher once."""
    names = {camel(name) for name in rubric.facts}
    providers = answer["providers"]
    findings = [
        _error("fact_missing", provider["key"], f"lacks {', '.join(sorted(names - set(provider['facts'])))}.")
        for provider in providers
        if set(provider["facts"]) != names
    ]
    keys = [provider["key"] for provider in providers]
    publishers = [provider["key"] for provider in providers if provider["isPublisher"]]
    if len(set(keys)) != PROVIDERS or len(keys) != PROVIDERS:
        findings.append(_error("providers_wrong", "providers", f"are {len(keys)}, not {PROVIDERS}."))
    if publishers != [answer["publisher"]]:
        findings.append(_error("publisher_wrong", "providers", f"marks {publishers} as the publisher."))
    return Verdict(len(keys), findings)


def scores_recompute(answer: Json, rubric: Rubric) -> Verdict:
    """Score the published facts again by the rubric, whose weights add up to 100."""
    findings = []
    total = sum(criterion.weight for criterion in rubric.criteria)
    if total != 100 or answer["rubric"]["maxScore"] != total:
        findings.append(_error("weights_wrong", "rubric", f"has weights that add up to {total}."))
    for provider in answer["providers"]:
        facts = {name: _fact(provider["facts"][camel(name)]) for name in rubric.facts}
        again = score(facts, rubric)
        if (provider["score"], provider["unknownWeight"]) != (again.points, again.unknown_weight):
            message = f"has {provider['score']} ({provider['unknownWeight']} unknown), not {again}."
            findings.append(_error("score_differs", provider["key"], message))
    return Verdict(len(answer["providers"]), findings)


def every_state_is_priced(answer: Json, requirements: Json) -> Verdict:
    """Check that each state has a price for each type of entity, and what an LLC takes."""
    priced = {(entry["state"], entry["entityType"]) for entry in answer["prices"]}
    states = {entry["state"]: entry["llc"] for entry in requirements["states"]}
    wanted = {(state, entity) for state in states for entity in ENTITY_TYPES}
    findings = [
        _error("price_missing", f"{state} {entity}", "has no price.")
        for state, entity in sorted(wanted - priced)
    ]
    findings += [
        _error("requirement_missing", state, "has no document or no designator.")
        for state, llc in states.items()
        if not llc["document"] or not llc["designators"]
    ]
    return Verdict(len(priced), findings, {"states": len(states), "known states": STATES})


def totals_add_up(answer: Json) -> Verdict:
    """Add up the items again; a total is as well known as its least known item."""
    findings = []
    for entry in answer["prices"]:
        where = f"{entry['state']} {entry['entityType']}"
        known = [item["cents"] for item in entry["items"] if item["cents"] is not None]
        unknown = {item["item"] for item in entry["items"] if item["cents"] is None}
        total = entry["total"]
        missing = set(total["missing"])
        if total["cents"] != sum(known):
            findings.append(_error("total_wrong", where, f"adds up to {sum(known)}, not {total['cents']}."))
        # What is known in part is missing as well.
        if not unknown <= missing <= {item["item"] for item in entry["items"]} or total["complete"] is bool(
            missing
        ):
            lacking = ", ".join(sorted(unknown | missing)) or "nothing"
            findings.append(_error("total_incomplete", where, f"lacks {lacking}."))
        if total["status"] != weakest([item["status"] for item in entry["items"]]):
            findings.append(_error("status_wrong", where, "has a total better known than its items."))
    return Verdict(len(answer["prices"]), findings)


def sources_are_sound(facts: Sequence[tuple[str, Json, str]]) -> Verdict:
    """Check each fact: a value that is known has a source and a day, and none that is not known has one.

    Args:
        facts: where each stands, the fact, and the name of its value.
    """
    findings = [
        _error("fact_unsound", where, problem)
        for where, fact, value in facts
        for problem in _problems(fact, fact[value])
    ]
    return Verdict(len(facts), findings)


def facts_are_fresh(facts: Sequence[tuple[str, Json, str]], *, today: date) -> Verdict:
    """Warn of facts whose source was opened long ago."""
    findings = []
    oldest = 0
    for where, fact, _ in facts:
        if fact["date"] is None:
            continue
        age = (today - date.fromisoformat(fact["date"])).days
        oldest = max(oldest, age)
        if age > MAX_AGE_DAYS:
            message = f"was looked up {age} days ago, on {fact['date']}."
            findings.append(Finding("fact_stale", where, message, Severity.WARNING))
    return Verdict(len(facts), findings, {"oldest in days": oldest})


def naics_is_whole(codes: Sequence[Mapping[str, Any]], vectors: tuple[int, int], dimension: int) -> Verdict:
    """Check the counts of codes by length, that each stands under another, and the shape of the vectors."""
    listed = [code["code"] for code in codes]
    findings = []
    ranges = [code for code in listed if "-" in code]
    for length, expected in _NAICS_LEVELS.items():
        found = sum(len(code) == length and "-" not in code for code in listed)
        if found != expected:
            findings.append(_error("codes_wrong", f"{length} digits", f"are {found} codes, not {expected}."))
    if len(ranges) != _NAICS_RANGES or len(set(listed)) != len(listed):
        findings.append(_error("codes_wrong", "sectors", f"have {len(ranges)} ranges, or a code twice."))
    sectors = {str(sector) for code in ranges for sector in range(int(code[:2]), int(code[3:]) + 1)} | set(
        listed
    )
    findings += [
        _error("code_orphaned", code, "stands under no other code.")
        for code in listed
        if "-" not in code and len(code) > 2 and code[:-1] not in sectors
    ]
    phrases = sum(1 + len(code["terms"]) for code in codes if len(code["code"]) == 6)
    if vectors != (phrases, dimension):
        findings.append(_error("vectors_wrong", "vectors", f"are {vectors}, not {(phrases, dimension)}."))
    return Verdict(len(listed), findings, {"phrases": phrases})


def facts_of_comparison(answer: Json) -> list[tuple[str, Json, str]]:
    """Return the facts of the comparison, each with where it stands."""
    return [
        (f"{provider['key']} {name}", fact, "value")
        for provider in answer["providers"]
        for name, fact in provider["facts"].items()
    ]


def facts_of_prices(answer: Json) -> list[tuple[str, Json, str]]:
    """Return the charges of the price list, each with where it stands."""
    return [
        (f"{entry['state']} {entry['entityType']} {item['item']}", item, "cents")
        for entry in answer["prices"]
        for item in (*entry["items"], entry["expedite"], entry["report"], entry["registeredAgentRenewal"])
    ]


def _problems(fact: Json, value: object) -> Iterator[str]:
    status, source, day = fact["status"], fact["source"], fact["date"]
    if status not in STATUSES:
        yield f"has the status {status!r}."
    elif status in (VERIFIED, REPORTED):
        if value is None:
            yield f"is {status} without a value."
        if source is None or not _SOURCE.fullmatch(source):
            yield f"has no sound source: {source!r}."
        if day is None or not _DAY.fullmatch(day):
            yield f"has no day on which its source was opened: {day!r}."
    elif status == UNKNOWN and value is not None:
        yield f"is unknown and has the value {value!r}."
    elif status in (UNKNOWN, UNVERIFIED) and source is not None:
        yield f"is {status} and names a source."
    if fact["pageDate"] is not None and not _PAGE_DATE.fullmatch(fact["pageDate"]):
        yield f"has a page date that is none: {fact['pageDate']!r}."


def _fact(entry: Json) -> Fact:
    return Fact(entry["value"], entry["status"], entry["source"], entry["date"], entry["pageDate"])


def _error(code: str, where: str, message: str) -> Finding:
    return Finding(code, where, message)
