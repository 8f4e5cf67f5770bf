"""Make citations of what was read: spans, targets and canonical strings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from serving.contract.citations.before import Before
from serving.contract.citations.citation import (
    CONTAINER,
    POPULAR_NAME,
    RULE,
    SECTION,
    Citation,
    format_act_section,
    format_container,
    format_section,
    pin,
    spell_number,
)
from serving.contract.citations.containers import Containers
from serving.contract.citations.grammar import NamedAct
from serving.contract.citations.numbered import Numbered, Numbers
from serving.contract.citations.scheme import CitationScheme


@dataclass(frozen=True, slots=True)
class Place:
    """The name of a code with its title: over [start, end) of the text."""

    scheme: CitationScheme
    title: str | None
    appendix: bool
    start: int
    end: int
    appendix_act: str | None = None


def sections(place: Place, numbers: Numbers, *, before: Before | None = None) -> list[Citation]:
    """Return the citations of numbers of a code; `before`: they stand before its name."""
    members = numbers.members
    act = before.act if before else None
    outer = before.labels if before else ()
    listed = dict.fromkeys(_number(member) for member in members)
    listing = _target(place, ", ".join(listed), act) if numbers.several and len(listed) > 1 else None
    starts = [before.start if before else place.start, *(member.start for member in members[1:])]
    ends = [*(member.end for member in members[:-1]), place.end if before else members[-1].end]
    return [
        _section(place, member, start, end, outer, act, listing)
        for member, start, end in zip(members, starts, ends, strict=True)
    ]


def container(place: Place, inside: Containers, *, end: int, start: int | None = None) -> list[Citation]:
    """Return the citation of a container, or of the whole title."""
    target = format_container(place.scheme, inside, title=place.title, appendix=place.appendix)
    return [
        Citation(
            start=place.start if start is None else start,
            end=end,
            kind=CONTAINER,
            code=place.scheme.code,
            scheme=place.scheme.key,
            target=target,
            canonical=target,
            title=place.title,
            containers=inside,
            appendix=place.appendix,
        )
    ]


def act_sections(
    acts: Sequence[NamedAct],
    numbers: Numbers,
    *,
    start: int,
    end: int | None = None,
    before: Before | None = None,
) -> list[Citation]:
    """Return the citations of sections by an act's own numbering; several acts: the name may mean each."""
    members = numbers.members
    outer = before.labels if before else ()
    starts = [start, *(member.start for member in members[1:])]
    ends = [*(member.end for member in members[:-1]), numbers.end if end is None else end]
    return [
        _act_section(acts, member, start, end, outer)
        for member, start, end in zip(members, starts, ends, strict=True)
    ]


def as_notes(read: Sequence[Citation], start: int) -> list[Citation]:
    """Return citations of sections as those of the notes under them; `start`: where `note to` begins."""
    return [
        citation
        if citation.note or citation.et_seq or citation.kind not in (SECTION, RULE) or citation.act
        else replace(citation, note=True, canonical=f"{citation.canonical} note")
        for citation in (replace(read[0], start=start), *read[1:])
    ]


def bare_act(acts: Sequence[NamedAct], start: int, end: int) -> list[Citation]:
    """Return the citation of an act as a whole."""
    name = _name(acts)
    return [
        Citation(start, end, POPULAR_NAME, None, None, name, name, act=name, candidates=_candidates(acts))
    ]


def _name(acts: Sequence[NamedAct]) -> str:
    """Return the act's name, or the abbreviation where it is one of several acts."""
    return acts[0].popular.name if len(acts) == 1 else acts[0].short or acts[0].popular.name


def _candidates(acts: Sequence[NamedAct]) -> tuple[str, ...]:
    return tuple(act.popular.name for act in acts)


def _section(
    place: Place,
    read: Numbered,
    start: int,
    end: int,
    outer: tuple[str, ...],
    act: str | None,
    listing: str | None,
) -> Citation:
    scheme = place.scheme
    labels, through = _labels(read, outer)
    pinned = _pinned(labels, through)
    to = f" to {read.through}" if read.through else ""
    num = spell_number(scheme.kind, read.num)
    target = _target(place, num + to, act)
    canonical = _target(place, f"{num}{pinned}{to}{_tail(read)}", act)
    if place.appendix_act:
        canonical = canonical.replace("app. §", f"app. {place.appendix_act} §", 1)
    return Citation(
        start=start,
        end=end,
        kind=scheme.kind,
        code=scheme.code,
        scheme=scheme.key,
        target=target,
        canonical=canonical,
        title=place.title,
        num=num,
        through=read.through,
        ends=(_target(place, num, act), _target(place, read.through, act)) if read.through else (),
        labels=labels,
        labels_through=through,
        act=act,
        appendix=place.appendix,
        appendix_act=place.appendix_act,
        note=read.note,
        et_seq=read.et_seq,
        listing=listing,
    )


def _act_section(
    acts: Sequence[NamedAct], read: Numbered, start: int, end: int, outer: tuple[str, ...]
) -> Citation:
    labels, through = _labels(read, outer)
    target = f"{_name(acts)} {'§§' if read.through else '§'} {_number(read)}"
    return Citation(
        start=start,
        end=end,
        kind=POPULAR_NAME,
        code=None,
        scheme=None,
        target=target,
        canonical=target + _pinned(labels, through) + _tail(read),
        num=read.num,
        through=read.through,
        labels=labels,
        labels_through=through,
        act=_name(acts),
        candidates=_candidates(acts),
        note=read.note,
        et_seq=read.et_seq,
    )


def _labels(read: Numbered, outer: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if read.pin is None:
        return outer, ()
    return read.pin.labels + outer, read.pin.through


def _number(read: Numbered) -> str:
    return f"{read.num} to {read.through}" if read.through else read.num


def _target(place: Place, number: str, act: str | None) -> str:
    if act:
        head = format_container(place.scheme, (), title=place.title, appendix=place.appendix)
        return format_act_section(act, number, head)
    return format_section(place.scheme, number, title=place.title, appendix=place.appendix)


def _pinned(labels: tuple[str, ...], through: tuple[str, ...]) -> str:
    if not through:
        return pin(labels) if labels else ""
    shared = 0
    while shared < min(len(labels), len(through)) - 1 and labels[shared] == through[shared]:
        shared += 1
    return f"{pin(labels)}-{pin(through[shared:])}"


def _tail(read: Numbered) -> str:
    return " note" if read.note else " et seq." if read.et_seq else ""
