"""Tell provisions with one identifier apart by what does not move: the enacting law, else the heading."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from assets.ingest.model import Provision
from serving.contract.records import IN_FORCE


def tell_apart(
    provisions: Sequence[Provision], enacting_law: Callable[[Provision], str | None]
) -> list[Provision]:
    """Return the provisions with `@` and a mark added to every identifier that several of them share.

    A live provision that shares its identifier with dead ones only keeps it. Marks never follow the order of
    the provisions: the law of the source credit (`@pl-117-263`), else the heading, else the hash of the text.
    Children of a container whose identifier changes are not moved: containers that share an identifier and
    have children keep the first's place, so readers give containers distinct identifiers themselves.

    Args:
        provisions: of one code body or unit.
        enacting_law: the slug of the law that enacted a provision, or None where its source does not say.
    """
    sharing: dict[str, list[int]] = defaultdict(list)
    for index, provision in enumerate(provisions):
        sharing[provision.identifier].append(index)
    result = list(provisions)
    for indexes in sharing.values():
        if len(indexes) > 1:
            _mark(result, indexes, enacting_law)
    return result


def slug(text: str) -> str:
    """Return `text` as lower-case words joined by hyphens, at most eight of them."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())[:8])


def _mark(
    provisions: list[Provision], indexes: list[int], enacting_law: Callable[[Provision], str | None]
) -> None:
    live = [index for index in indexes if provisions[index].status == IN_FORCE]
    marked = [index for index in indexes if len(live) != 1 or index != live[0]]
    marks = {index: enacting_law(provisions[index]) or slug(provisions[index].heading) for index in marked}
    for finer in (_with_heading, _with_text):
        if len(set(marks.values())) == len(marks) and all(marks.values()):
            break
        marks = {index: finer(mark, provisions[index]) for index, mark in marks.items()}
    if len(set(marks.values())) < len(marks):
        marks = {index: f"{mark}-{_digest(provisions[index])}" for index, mark in marks.items()}
    copies: Counter[str] = Counter()
    for index, mark in marks.items():
        provision = provisions[index]
        copies[mark] += 1
        # The same words in the same file: nothing that stays could tell one copy from the other.
        copy = f"-copy-{copies[mark]}" if copies[mark] > 1 else ""
        provisions[index] = replace(provision, identifier=f"{provision.identifier}@{mark}{copy}")


def _with_heading(mark: str, provision: Provision) -> str:
    return "-".join(filter(None, (mark, slug(provision.heading))))


def _digest(provision: Provision) -> str:
    return hashlib.sha256(provision.text.encode()).hexdigest()[:8]


def _with_text(mark: str, provision: Provision) -> str:
    # Alike in law and heading: only their words differ, and where even these agree one of them is a copy.
    words = slug(provision.text) or slug(" ".join(note.text for note in provision.notes))
    return "-".join(filter(None, (mark, words, provision.file.rsplit("/", 1)[-1].removesuffix(".xml"))))
