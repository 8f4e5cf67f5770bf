"""The citation: its record and its making."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from serving.contract.citations.cited_numbers import CitedNumber, CitedNumbers
from serving.contract.citations.containers import Containers, ListedContainer
from serving.contract.citations.context import CitedCode, PrecedingNumbers
from serving.contract.citations.grammar import ActName
from serving.contract.citations.scheme import CitationScheme
from serving.contract.citations.spelling import (
    format_act_section,
    format_container,
    format_pin,
    format_section,
    spell_number,
)

SECTION, RULE, CONTAINER, POPULAR_NAME, PAGE = "section", "rule", "container", "popular_name", "page"
UNKNOWN_CODE, UNREAD = "unknown_code", "unread"


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation in a text.

    Attributes:
        start: character of the text where it begins; the members of a list each have their own span.
        end: character after its last.
        kind: `section`, `container`, `rule`, `act` (a public law), `constitution`, `page` (of a volume),
            `popular_name`, `unknown_code`, or `unread`: it is not understood, or not all of it.
        code: key of the code body that it names, held or not; None for popular names and unknown codes.
        scheme: key of the citation scheme; None where `code` is.
        title: as written, without leading zeros; None where the scheme has none.
        num: number of the section or rule, with hyphens; None for containers and bare popular names.
        through: last number of a range such as `§§ 101 to 103`; None where there is one number.
        ends: targets of the first and last number of a range; empty where there is one number.
        labels: labels of the pin cite, such as `("a", "1", "A")`, or `("Fourth",)` for `§ 152, Fourth`.
        labels_through: last labels of a range of pin cites such as `(a)-(c)`; empty where there is none.
        last_labels: labels of the pin cite of a range's last number: `("c", "2")` in `10a(1)-10c(2)`.
        containers: outermost first, such as `(("pt.", "II"), ("ch.", "10"))`.
        act: name of the act whose own numbering `num` follows: `Lanham Act § 43(a)`, or of a popular name.
        candidates: the acts that a popular name may mean; more than one where an abbreviation is ambiguous.
        appendix: the provision stands in the title's appendix.
        appendix_act: number of the act in the appendix, as in `18 U.S.C. app. 3 § 5`, which the provision's
            own citation does not have; None where none is said.
        note: a note under the section is cited, not the section.
        et_seq: the section and those that follow are cited.
        edition: year of an edition from before the code was numbered as it is; None: not so old.
        code_name: name of an unknown code, as it is written.
        unread: characters of an `unread` citation, from its start, that are understood.
        target: canonical citation of the provision alone, as its node carries it, without pin cite or note.
        listing: canonical citation of the whole list that it is a member of, since some sources give one
            provision several numbers: `24 U.S.C. §§ 1, 2`; None where one number alone is cited.
        place: members before it in its list, of sections, parts of one section, or containers.
        canonical: the whole citation as it should be written.
        inferred: the law is not named: it is that of a citation before.
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
    last_labels: tuple[str, ...] = ()
    containers: tuple[tuple[str, str], ...] = ()
    act: str | None = None
    candidates: tuple[str, ...] = ()
    appendix: bool = False
    appendix_act: str | None = None
    note: bool = False
    et_seq: bool = False
    edition: str | None = None
    code_name: str | None = None
    unread: int | None = None
    listing: str | None = None
    place: int = 0
    inferred: bool = False


def cite_sections(
    cited: CitedCode,
    numbers: CitedNumbers,
    *,
    before: PrecedingNumbers | None = None,
    parts: tuple[str, ...] = (),
) -> list[Citation]:
    """Return one citation for each number of a code.

    Args:
        cited: the code.
        numbers: the numbers.
        before: the numbers again, where they stand before the name of the code.
        parts: labels of a part that is named before the code: `subsection (b) of 18 U.S.C. § 2`.
    """
    members = numbers.members
    act = before.act if before else None
    outer = before.labels if before else parts
    listed = dict.fromkeys(_number(member) for member in members) if numbers.several else ()
    listing = _target(cited, ", ".join(listed), act) if len(listed) > 1 else None
    starts = [before.start if before else cited.start, *(member.start for member in members[1:])]
    ends = [*(member.end for member in members[:-1]), cited.end if before else members[-1].end]
    return _placed(
        _section(cited, member, start, end, outer, act, listing)
        for member, start, end in zip(members, starts, ends, strict=True)
    )


def cite_container(
    cited: CitedCode, inside: Containers, *, end: int, start: int | None = None
) -> list[Citation]:
    """Return the citation of a container, or of the whole title where `inside` is empty."""
    target = format_container(cited.scheme, inside, title=cited.title, appendix=cited.appendix)
    return [
        Citation(
            start=cited.start if start is None else start,
            end=end,
            kind=CONTAINER,
            code=cited.scheme.code,
            scheme=cited.scheme.key,
            target=target,
            canonical=target,
            title=cited.title,
            containers=inside,
            appendix=cited.appendix,
        )
    ]


def cite_containers(cited: CitedCode, listed: Sequence[ListedContainer]) -> list[Citation]:
    """Return the citations of a list of containers that stands before or after the name of their code."""
    starts = [min(cited.start, listed[0].start), *(one.start for one in listed[1:])]
    ends = [*(one.end for one in listed[:-1]), max(cited.end, listed[-1].end)]
    return _placed(
        citation
        for one, start, end in zip(listed, starts, ends, strict=True)
        for citation in cite_container(cited, one.inside, start=start, end=end)
    )


def cite_edition(read: Sequence[Citation], year: str, end: int) -> list[Citation]:
    """Return citations as those of an older edition; `end`: behind its year."""
    ends = [*(citation.end for citation in read[:-1]), max(end, read[-1].end)]
    return [
        replace(citation, end=last, edition=year, canonical=f"{citation.canonical} ({year} ed.)")
        for citation, last in zip(read, ends, strict=True)
    ]


def cite_unknown(name: str, title: str | None, number: str | None, start: int, end: int) -> Citation:
    """Return the citation of a code that no data lists; `title` with its unit, `number` with its mark."""
    written = f"{name} {', '.join(part for part in (title, number) if part)}".rstrip()
    return Citation(start, end, UNKNOWN_CODE, None, None, written, written, code_name=name)


def cite_unread(
    text: str, start: int, end: int, *, unread: int, scheme: CitationScheme | None = None
) -> Citation:
    """Return a citation that is not understood from character `unread` of a text on, as it is written."""
    written = " ".join(text[start:end].split())
    code, key = (scheme.code, scheme.key) if scheme else (None, None)
    return Citation(start, end, UNREAD, code, key, written, written, unread=unread - start)


def cite_act_sections(
    acts: Sequence[ActName],
    numbers: CitedNumbers,
    *,
    start: int,
    end: int | None = None,
    before: PrecedingNumbers | None = None,
) -> list[Citation]:
    """Return the citations of sections numbered by an act; of several acts where its name is ambiguous."""
    members = numbers.members
    outer = before.labels if before else ()
    starts = [start, *(member.start for member in members[1:])]
    ends = [*(member.end for member in members[:-1]), numbers.end if end is None else end]
    listed = dict.fromkeys(_number(member) for member in members) if numbers.several else ()
    listing = f"{_name(acts)} §§ {', '.join(listed)}" if len(listed) > 1 else None
    return _placed(
        _act_section(acts, member, start, end, outer, listing)
        for member, start, end in zip(members, starts, ends, strict=True)
    )


def cite_notes(read: Sequence[Citation], start: int) -> list[Citation]:
    """Return citations of sections as citations of the notes under them; `start`: where `note to` begins."""
    return [
        citation
        if citation.note or citation.et_seq or citation.kind not in (SECTION, RULE) or citation.act
        else replace(citation, note=True, canonical=f"{citation.canonical} note")
        for citation in (_begun(read[0], start), *read[1:])
    ]


def _begun(citation: Citation, start: int) -> Citation:
    """Return a citation as one that begins earlier."""
    unread = None if citation.unread is None else citation.unread + citation.start - start
    return replace(citation, start=start, unread=unread)


def cite_act(acts: Sequence[ActName], start: int, end: int) -> list[Citation]:
    """Return the citation of an act as a whole."""
    name = _name(acts)
    return [
        Citation(start, end, POPULAR_NAME, None, None, name, name, act=name, candidates=_candidates(acts))
    ]


def _placed(listed: Iterable[Citation]) -> list[Citation]:
    """Return the members of one list, each with its place in it."""
    return [replace(one, place=place) if place else one for place, one in enumerate(listed)]


def _name(acts: Sequence[ActName]) -> str:
    """Return the name of the act, or the abbreviation that several acts have in common."""
    is_one = len({act.popular.name for act in acts}) == 1
    return acts[0].popular.name if is_one else acts[0].short or acts[0].popular.name


def _candidates(acts: Sequence[ActName]) -> tuple[str, ...]:
    return tuple(act.popular.name for act in acts)


def _section(
    cited: CitedCode,
    read: CitedNumber,
    start: int,
    end: int,
    outer: tuple[str, ...],
    act: str | None,
    listing: str | None,
) -> Citation:
    scheme = cited.scheme
    labels, through = _labels(read, outer)
    pinned = _pinned(labels, through)
    last_labels = read.last_pin.labels if read.last_pin else ()
    last_pinned = _pinned(last_labels, read.last_pin.through) if read.last_pin else ""
    to = f" to {read.through}" if read.through else ""
    num = spell_number(scheme.kind, read.num)
    target = _target(cited, num + to, act)
    written = f"{num}{pinned}{to}{last_pinned}{_tail(read)}"
    canonical = target if written == num + to else _target(cited, written, act)
    if cited.appendix_act:
        canonical = canonical.replace("app. §", f"app. {cited.appendix_act} §", 1)
    return Citation(
        start=start,
        end=end,
        kind=scheme.kind,
        code=scheme.code,
        scheme=scheme.key,
        target=target,
        canonical=canonical,
        title=cited.title,
        num=num,
        through=read.through,
        ends=(_target(cited, num, act), _target(cited, read.through, act)) if read.through else (),
        labels=labels,
        labels_through=through,
        last_labels=last_labels,
        act=act,
        appendix=cited.appendix,
        appendix_act=cited.appendix_act,
        note=read.note,
        et_seq=read.et_seq,
        listing=listing,
    )


def _act_section(
    acts: Sequence[ActName],
    read: CitedNumber,
    start: int,
    end: int,
    outer: tuple[str, ...],
    listing: str | None,
) -> Citation:
    labels, through = _labels(read, outer)
    last_labels = read.last_pin.labels if read.last_pin else ()
    last_pinned = _pinned(last_labels, read.last_pin.through) if read.last_pin else ""
    target = f"{_name(acts)} {'§§' if read.through else '§'} {_number(read)}"
    return Citation(
        start=start,
        end=end,
        kind=POPULAR_NAME,
        code=None,
        scheme=None,
        target=target,
        canonical=target + _pinned(labels, through) + last_pinned + _tail(read),
        num=read.num,
        through=read.through,
        labels=labels,
        labels_through=through,
        last_labels=last_labels,
        act=_name(acts),
        candidates=_candidates(acts),
        note=read.note,
        et_seq=read.et_seq,
        listing=listing,
    )


def _labels(read: CitedNumber, outer: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if read.pin is None:
        return outer, ()
    return read.pin.labels + outer, read.pin.through


def _number(read: CitedNumber) -> str:
    return f"{read.num} to {read.through}" if read.through else read.num


def _target(cited: CitedCode, number: str, act: str | None) -> str:
    if act:
        head = format_container(cited.scheme, (), title=cited.title, appendix=cited.appendix)
        return format_act_section(act, number, head)
    return format_section(cited.scheme, number, title=cited.title, appendix=cited.appendix)


def _pinned(labels: tuple[str, ...], through: tuple[str, ...]) -> str:
    if not through:
        return format_pin(labels) if labels else ""
    shared = 0
    while shared < min(len(labels), len(through)) - 1 and labels[shared] == through[shared]:
        shared += 1
    return f"{format_pin(labels)}-{format_pin(through[shared:])}"


def _tail(read: CitedNumber) -> str:
    return " note" if read.note else " et seq." if read.et_seq else ""
