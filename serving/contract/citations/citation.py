"""The citation as it was read, and the canonical strings of provisions and citations."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from serving.contract.citations.ordinals import PLAIN_LABEL
from serving.contract.citations.scheme import CitationScheme

_FIELD = re.compile(r"\{title\}|\{num\}|§")
_TITLE_WORD = re.compile(r"(\w+\.) \{title\}")
_WORD_BEFORE_FIELD = re.compile(r"[, ]+(?:(?:tit|ch|r|art)\.)?\s*$")
_PLAIN = re.compile(PLAIN_LABEL)
_SEVERAL = re.compile(rf", (?!{PLAIN_LABEL})| to ")
"""In a number, what shows that it is of several provisions; `152, Fourth` is of one."""

_SPELLED = {
    **dict.fromkeys(("article", "art"), "art."),
    **dict.fromkeys(("amendment", "amend"), "amend."),
    **dict.fromkeys(("section", "sec", "§"), "§"),
    **dict.fromkeys(("clause", "cl"), "cl."),
}
_WORD_OF_NUMBER = re.compile(
    r"(article|art\.|amendment|amend\.|section|sec\.|§|clause|cl\.)(?: |(?=\d))", re.IGNORECASE
)
_BEFORE_PART = re.compile(r",? (?=§|cl\.)")
_ROMAN_IN_NUMBER = re.compile(r"(?<=(?:art|end)\. )[ivx]+", re.IGNORECASE)

SECTION, RULE, CONTAINER, POPULAR_NAME = "section", "rule", "container", "popular_name"


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation in a text.

    Attributes:
        start: character of the text where it begins; the members of a list each have their own span.
        end: character after its last.
        kind: `section`, `container`, `rule`, `act` (a public law), `constitution` or `popular_name`.
        code: key of the code body that it names, held or not; None for popular names.
        scheme: key of the citation scheme; None for popular names.
        title: as written, without leading zeros; None where the scheme has none.
        num: number of the section or rule, with hyphens; None for containers and bare popular names.
        through: last number of a range such as `§§ 101 to 103`; None where there is one number.
        ends: targets of the first and last number of a range; empty where there is one number.
        labels: of the pin cite, such as `("a", "1", "A")`, or `("Fourth",)` for `§ 152, Fourth`.
        labels_through: last labels of a range of pin cites such as `(a)-(c)`; empty where there is none.
        containers: outermost first, such as `(("pt.", "II"), ("ch.", "10"))`.
        act: name of the act whose own numbering `num` follows: `Lanham Act § 43(a)`, or of a popular name.
        candidates: the acts that a popular name may mean; more than one where an abbreviation is ambiguous.
        appendix: of the title's appendix.
        appendix_act: number of the act in the appendix, as in `18 U.S.C. app. 3 § 5`, which the provision's
            own citation does not have; None where none is said.
        note: of a note under the section, which is not the section.
        et_seq: of the section and those that follow.
        target: canonical citation of the provision alone, as its node carries it, without pin cite and note.
        listing: canonical citation of the list it is a member of, as some sources number one provision
            `24 U.S.C. §§ 1, 2`; None where it stands alone.
        canonical: the whole citation as it should be written.
    """

    start: int
    end: int
    kind: str
    code: str | None
    scheme: str | None
    target: str
    canonical: str
    title: str | None = None
    num: str | None = None
    through: str | None = None
    ends: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    labels_through: tuple[str, ...] = ()
    containers: tuple[tuple[str, str], ...] = ()
    act: str | None = None
    candidates: tuple[str, ...] = ()
    appendix: bool = False
    appendix_act: str | None = None
    note: bool = False
    et_seq: bool = False
    listing: str | None = None


def format_section(
    scheme: CitationScheme, num: str, *, title: str | None = None, appendix: bool = False
) -> str:
    """Return the canonical citation of a provision: `50 U.S.C. app. § 5`, `3 U.S.C. §§ 202 to 204`.

    Args:
        scheme: of the code.
        num: as the node carries it: one number, a range with `to`, or a list with commas.
        title: where the template has one.
        appendix: the provision stands in the title's appendix.
    """
    template = scheme.template
    if appendix:
        template = template.replace("§", "app. §", 1)
    if _SEVERAL.search(num):
        template = template.replace("§ {num}", "§§ {num}", 1)
    return template.format(title=title, num=num)


def spell_number(kind: str, number: str) -> str:
    """Return a number as it is to be written, such as `art. III, § 2` for `Article III Section 2`."""
    if kind not in ("constitution", "act"):
        return number
    number = _WORD_OF_NUMBER.sub(lambda match: _SPELLED[match.group(1).lower().rstrip(".")] + " ", number)
    number = _BEFORE_PART.sub(", ", number)
    return _ROMAN_IN_NUMBER.sub(lambda match: match.group().upper(), number)


def format_act_section(act: str, num: str, container: str) -> str:
    """Return the citation of a section that an act in an appendix numbers: `An Act § 3, 18 U.S.C. app.`."""
    mark = "§§" if _SEVERAL.search(num) else "§"
    return f"{act} {mark} {num}, {container}"


def format_container(
    scheme: CitationScheme,
    containers: Sequence[tuple[str, str]],
    *,
    title: str | None = None,
    appendix: bool = False,
) -> str:
    """Return the canonical citation of a container: `35 U.S.C. pt. II, ch. 10`, `D.C. Code tit. 29, ch. 8`.

    Args:
        scheme: of the code.
        containers: abbreviation and number, outermost first, without the title.
        title: number of the title.
        appendix: the container stands in the title's appendix, or is it.
    """
    parts = [f"{word} {number}" for word, number in containers]
    head = code_name(scheme)
    if title is not None and scheme.template.startswith("{title}"):
        head = f"{title} {head}"
    elif title is not None:
        word = _TITLE_WORD.search(scheme.template)
        parts.insert(0, f"{word.group(1) if word else 'tit.'} {title}")
    if appendix:
        head = f"{head} app."
    return f"{head} {', '.join(parts)}".strip()


def code_name(scheme: CitationScheme) -> str:
    """Return what the template calls the code, such as `U.S.C.`."""
    name = _FIELD.split(scheme.template.removeprefix("{title}"))[0]
    return _WORD_BEFORE_FIELD.sub("", name).strip()


def pin(labels: Sequence[str]) -> str:
    """Return a pin cite as it is written: `(a)(1)(A)`, `, Fourth`."""
    return "".join(f", {label}" if _PLAIN.match(label) else f"({label})" for label in labels)
