"""Identifiers, numbers, citations and statuses of USLM provisions: from what the markup says of a node."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from assets.ingest.duplicates import slug
from assets.registry import CodeBody
from serving.contract.citations.containers import ABBREVIATIONS
from serving.contract.records import IN_FORCE

DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
"""Every dash becomes the hyphen that lawyers type."""

_PUBLIC_LAW = re.compile(r"Pub\. ?L\. (\d+)-(\d+)")
_ACT = re.compile(r"(?:act )?(\w+)\.? (\d{1,2}), (\d{4}), ch\. ?(\w+)", re.IGNORECASE)
_FIRST_LAW = re.compile(r"(?:added |as added |act )*([^(;,]+)", re.IGNORECASE)
_LEADING = re.compile(
    r"^[\[“\"(\s]*(?:(?:§+|sec(?:tion|s)?\.?|(?:rule|title|chapter|part)s?)\s*)*", re.IGNORECASE
)
_TITLE = re.compile(r"0*(\d+)\s*([a-z]?)$", re.IGNORECASE)

LEVELS: Mapping[str, str] = {
    "courtRule": "rule",
    "courtRules": "rules",
    "reorganizationPlan": "plan",
    "reorganizationPlans": "plans",
    "compiledAct": "act",
}
"""Names of levels where the element's own name is not the word that people use."""

_SEGMENTS: Mapping[str, str] = {
    "title": "t",
    "subtitle": "st",
    "division": "d",
    "subdivision": "sd",
    "part": "pt",
    "subpart": "spt",
    "chapter": "ch",
    "subchapter": "sch",
    "article": "art",
    "subarticle": "sart",
    "section": "s",
    "courtRule": "rule",
}
"""First letters of a level's segment in USLM identifiers."""

_STATUS_WORDS: Mapping[str, str] = {
    "repealed": "repealed",
    "abrogated": "repealed",
    "rescinded": "repealed",
    "superseded": "repealed",
    "terminated": "expired",
    "expired": "expired",
    "omitted": "omitted",
    "eliminated": "omitted",
    "executed": "omitted",
    "deleted": "repealed",
    "vacant": "reserved",
    "reserved": "reserved",
    "transferred": "transferred",
    "redesignated": "renumbered",
    "renumbered": "renumbered",
}
_STATUS = re.compile(r"\b(" + "|".join(_STATUS_WORDS) + r")\b", re.IGNORECASE)
_BRACKETED = re.compile(r"\[\s*(" + "|".join(_STATUS_WORDS) + r")\s*\]", re.IGNORECASE)
_AT_END = re.compile(r"\S[—–]\s*(" + "|".join(_STATUS_WORDS) + r")\s*\]?$", re.IGNORECASE)
"""Ends the heading of a container: `SYSTEM UNITS AND RELATED AREAS—RESERVED`."""


NO_TITLE = "0"
"""Number of the unit of files that name no title; no code has a title of that number."""


@dataclass(frozen=True, slots=True)
class Title:
    """A title of a code body: `11a` is the appendix to title 11."""

    number: str

    @classmethod
    def parse(cls, text: str) -> "Title | None":
        """Return the title that `text` ends with, such as `/us/usc/t11a`, `usc09` or `Title 9`."""
        match = _TITLE.search(text.strip().rstrip("—.:- "))
        return None if match is None else cls(match.group(1) + match.group(2).lower())

    @property
    def order(self) -> tuple[int, str]:
        """Sort key: appendices follow their titles."""
        digits = re.match(r"\d+", self.number)
        number = digits.group() if digits else "0"
        return int(number), self.number[len(number) :]

    @property
    def is_appendix(self) -> bool:
        """True for the appendix of a title."""
        return not self.number.isdigit()

    @property
    def label(self) -> str:
        """The title in words."""
        if self.number == NO_TITLE:
            return "A file that names no title"
        return f"Title {self.order[0]} Appendix" if self.is_appendix else f"Title {self.number}"

    def identifier(self, body: CodeBody) -> str:
        """Return the canonical identifier of the title."""
        return f"{body.root}/t{self.number}"

    def citation(self, body: CodeBody) -> str:
        """Return what citations of the title's containers begin with, such as `11 U.S.C. app.`."""
        prefix = body.citation.partition("§")[0].format(title=self.order[0]).strip()
        return f"{prefix} app." if self.is_appendix else prefix


def clean_number(value: str | None, text: str) -> str | None:
    """Return a number such as `107`, `2000e-1`, `202 to 204` or `IV`, from the attribute or else the text."""
    raw = value or _LEADING.sub("", text)
    number = " ".join(raw.translate(DASHES).split()).strip(" .-:[]“”\"'")
    return number or None


def status_of(attribute: str | None, *, number_text: str, heading: str, has_text: bool) -> str:
    """Return the status of a node: what its markup says, else what a bracketed or textless heading says."""
    if attribute:
        known = _STATUS_WORDS.get(attribute.lower())
        if known is not None:
            return known
    remark = _BRACKETED.search(heading) or _AT_END.search(heading)
    if remark and not has_text:
        return _STATUS_WORDS[remark.group(1).lower()]
    first = heading.lstrip("[ ")
    bracketed = number_text.lstrip().startswith("[") or heading.startswith("[")
    match = _STATUS.search(first)
    if match and (bracketed or (not has_text and match.start() == 0)):
        return _STATUS_WORDS[match.group().lower()]
    return IN_FORCE


def clean_heading(heading: str) -> str:
    """Return a heading without the bracket that encloses a dead provision's number and heading."""
    if heading.startswith("[") and heading.endswith("]") and heading.count("[") == 1:
        return heading[1:-1].strip()
    if heading.count("]") > heading.count("["):
        return heading.replace("]", "", 1).strip()
    return heading


def container_segment(element_name: str, number: str | None, heading: str) -> str:
    """Return the last segment of a container's identifier."""
    prefix = _SEGMENTS.get(element_name, element_name)
    if number is not None:
        return prefix + compact(number)
    return f"{prefix}-{slug(heading)}" if heading else prefix


def leaf_segment(element_name: str, number: str | None, heading: str) -> str:
    """Return the last segment of a section's, rule's or plan's identifier."""
    prefix = _SEGMENTS.get(element_name, element_name)
    return prefix + compact(number) if number is not None else f"{prefix}-{slug(heading)}"


def compact(number: str) -> str:
    """Return a number as identifiers carry it: `202 to 204` is `202...204`, `29, 29a` is `29,29a`."""
    return re.sub(r"\s+(?:to|through)\s+", "...", number).replace(" ", "")


def container_citation(
    parent: str, element_name: str, number: str | None, heading: str, *, below_title: bool
) -> str:
    """Return the citation of a container inside the one cited as `parent`: `35 U.S.C. pt. II, ch. 10`."""
    word = ABBREVIATIONS.get(element_name)
    own = (
        f"{word} {number}"
        if word and number
        else title_case(heading) or LEVELS.get(element_name, element_name)
    )
    return f"{parent}{'' if below_title else ','} {own}"


def section_citation(body: CodeBody, title: Title, number: str) -> str:
    """Return the citation of a section, such as `17 U.S.C. § 107` or `3 U.S.C. §§ 202 to 204`."""
    citation = body.citation.format(title=title.order[0], num=number)
    if title.is_appendix:
        citation = citation.replace("§", "app. §", 1)
    return _pluralised(citation, number)


def act_citation(act: str, number: str, title: str) -> str:
    """Return the citation of a section that an act in an appendix numbers: `An Act § 3, 18 U.S.C. app.`."""
    return _pluralised(f"{title_case(act)} § {number}, {title}", number)


def _pluralised(citation: str, number: str) -> str:
    plural = "," in number or " to " in number
    return citation.replace("§ ", "§§ ", 1) if plural else citation


def own_name(body: CodeBody, number: str | None, headings: list[str]) -> str | None:
    """Return the citation of a provision that goes by its own name; `headings` innermost first."""
    for heading in headings:
        for name in body.own_names:
            match = name.heading.search(heading)
            if match:
                return name.citation.format(num=number, **match.groupdict())
    return None


def title_case(heading: str) -> str:
    """Return a heading in capitals as a title: `FEDERAL RULES OF EVIDENCE` is `Federal Rules of Evidence`."""
    if heading != heading.upper():
        return heading
    small = {"a", "an", "and", "by", "for", "in", "of", "on", "or", "the", "to", "with"}
    words = heading.lower().split()
    return " ".join(
        word if index and word in small else word.capitalize() for index, word in enumerate(words)
    )


def law_slug(source_credit: str) -> str | None:
    """Return the first law of a source credit as a slug: `pl-117-263`, `act-1947-ch388`, else its words."""
    credit = source_credit.translate(DASHES)
    public_law, act = _PUBLIC_LAW.search(credit), _ACT.search(credit)
    if public_law and not (act and act.start() < public_law.start()):
        return f"pl-{public_law.group(1)}-{public_law.group(2)}"
    if act:
        return f"act-{act.group(3)}-ch{act.group(4).lower()}"
    first = _FIRST_LAW.search(credit.lstrip("( "))
    return slug(first.group(1)) or None if first else None


def natural_order(number: str | None) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key under which 9 precedes 10 and 2000e precedes 2000e-1."""
    parts = re.findall(r"\d+|[A-Za-z]+", number or "")
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)
