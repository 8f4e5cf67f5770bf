"""Canonical spelling of citations: sections, containers, pin cites."""

import re
from collections.abc import Sequence

from serving.contract.citations.pins import WORD_LABEL
from serving.contract.citations.scheme import CitationScheme

_FIELD = re.compile(r"\{title\}|\{num\}|§")
_TITLE_WORD = re.compile(r"(\w+\.) \{title\}")
_WORD_BEFORE_FIELD = re.compile(r"[, ]+(?:(?:tit|ch|r|art)\.)?\s*$")
_PLAIN = re.compile(WORD_LABEL)
_SHORTEST_WORD = len("Fifth")
_SEVERAL = re.compile(rf", (?!{WORD_LABEL})| to ")
"""Sign of several provisions in a number: `1, 2`, `1 to 5`; not in `152, Fourth`, which cites a part of
one."""

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


def format_section(
    scheme: CitationScheme, num: str, *, title: str | None = None, appendix: bool = False
) -> str:
    """Return the canonical citation of a provision: `50 U.S.C. app. § 5`, `3 U.S.C. §§ 202 to 204`.

    Args:
        scheme: scheme of the code.
        num: number of the node: one number, a range with `to`, or a list with commas.
        title: number of the title, if the template has one.
        appendix: the provision stands in the title's appendix.
    """
    template = scheme.template
    if appendix:
        template = template.replace("§", "app. §", 1)
    if _SEVERAL.search(num):
        template = template.replace("§ {num}", "§§ {num}", 1)
    return template.format(title=title, num=num)


def spell_number(kind: str, number: str) -> str:
    """Return the canonical spelling of a number, such as `art. III, § 2` for `Article III Section 2`."""
    if kind not in ("constitution", "act"):
        return number
    number = _WORD_OF_NUMBER.sub(lambda match: _SPELLED[match.group(1).lower().rstrip(".")] + " ", number)
    number = _BEFORE_PART.sub(", ", number)
    return _ROMAN_IN_NUMBER.sub(lambda match: match.group().upper(), number)


def format_act_section(act: str, num: str, container: str) -> str:
    """Return the canonical citation of an act's section in an appendix: `An Act § 3, 18 U.S.C. app.`."""
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
        scheme: scheme of the code.
        containers: abbreviation and number, outermost first, without the title.
        title: number of the title.
        appendix: the container stands in the title's appendix, or is it.
    """
    parts = [f"{word} {number}".rstrip() for word, number in containers]
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
    """Return the name of the code in the scheme's template, such as `U.S.C.`."""
    name = _FIELD.split(scheme.template.removeprefix("{title}"))[0]
    return _WORD_BEFORE_FIELD.sub("", name).strip()


def format_pin(labels: Sequence[str]) -> str:
    """Return the canonical spelling of a pin cite: `(a)(1)(A)`, `, Fourth`."""
    return "".join(
        [
            f", {label}" if len(label) >= _SHORTEST_WORD and _PLAIN.match(label) else f"({label})"
            for label in labels
        ]
    )
