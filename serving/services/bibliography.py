"""Citations of a provision for writers: as Bluebook words, and as entries for reference managers.

Formats: CSL-JSON (type `legislation`), RIS (type `STAT`) and BibTeX (`@misc`: it knows no statutes).
An entry gives no year: publishers say through when the law is current, not when it was printed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from uuid import UUID

import orjson

from serving.contract.identity import content_etag
from serving.contract.records import IN_FORCE
from serving.services.addresses import page_of
from serving.services.nodes import Rendition, find_node
from serving.snapshot.store import Snapshot

BLUEBOOK = "text/x-bibliography"
CSL_JSON = "application/vnd.citationstyles.csl+json"
RIS = "application/x-research-info-systems"
BIBTEX = "application/x-bibtex"

_NOT_IN_KEYS = re.compile(r"[^a-z0-9]+")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # BibTeX counts the braces of a value, also those behind a backslash.
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    **{sign: f"\\{sign}" for sign in "$&#_%"},
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A provision as reference managers list one.

    Attributes:
        key: short name, unique among provisions with different citations.
        citation: canonical citation.
        heading: its heading, or the citation where it has none.
        code: name of the code body.
        publisher: publisher of the text.
        title: number of the title that holds it, where the citation begins with it.
        section: its number, if it is a section.
        status: its status, as in `in_force`.
        through: the publisher's words on how current the text is.
        url: address of its page; publishers rarely have one for each provision.
        retrieved: day on which the text was taken from its publisher, YYYY-MM-DD, if known.
        note: how to check the text.
    """

    key: str
    citation: str
    heading: str
    code: str
    publisher: str
    title: str | None
    section: str | None
    status: str
    through: str | None
    url: str
    retrieved: str | None
    note: str


def bibliography_entry(snapshot: Snapshot, node: UUID, media_type: str, *, public_url: str) -> Rendition:
    """Return the citation of a node in a format of `FORMATS`.

    Args:
        snapshot: snapshot that holds the node.
        node: id of the node.
        media_type: media type of the format.
        public_url: address of this service, which has a page for the node.

    Raises:
        NotFoundError: the snapshot has no such node.
    """
    body = FORMATS[media_type](_entry(snapshot, node, public_url)).encode()
    return Rendition(content_etag(body), body)


def _entry(snapshot: Snapshot, node: UUID, public_url: str) -> Entry:
    row = find_node(snapshot, node)
    answer = snapshot.nodes.answer(row)
    provenance = answer["provenance"]
    key = _NOT_IN_KEYS.sub("-", answer["citation"].lower()).strip("-")
    if "duplicateOf" in answer:
        # Two provisions have this citation, and a list of references may hold both.
        key += f"-{answer['id'][:8]}"
    titles = [one["num"] for one in answer["ancestors"] if one["level"] == "title" and one["num"]]
    # A title's number is part of some citations (17 U.S.C. § 107), and of others not (D.C. Code § 29-801.02).
    leading = [num for num in titles if answer["citation"].startswith(f"{num} ")]
    return Entry(
        key=key,
        citation=answer["citation"],
        heading=" ".join(answer["heading"].split()) or answer["citation"],
        code=answer["codeBody"]["name"],
        publisher=provenance["publisher"],
        title=leading[0] if leading else None,
        section=answer["num"] if answer["level"] == "section" else None,
        status=answer["status"],
        through=answer["currentThrough"],
        url=f"{public_url}{page_of(snapshot, row)}",
        retrieved=provenance["retrievedAt"][:10] if provenance["retrievedAt"] else None,
        note=f"Snapshot {snapshot.id}; SHA-256 of the text: {answer['textSha256']}",
    )


def _state(entry: Entry) -> str:
    """Return what is said in parentheses of a citation: its status unless in force, and how current it is."""
    words = [] if entry.status == IN_FORCE else [entry.status.replace("_", " ")]
    if entry.through:
        words.append(f"current through {entry.through}")
    return "; ".join(words)


def _bluebook(entry: Entry) -> str:
    state = _state(entry)
    return f"{entry.citation} ({state}), {entry.url}.\n" if state else f"{entry.citation}, {entry.url}.\n"


def _csl_json(entry: Entry) -> str:
    fields: dict[str, Any] = {
        "id": entry.key,
        "type": "legislation",
        "title": entry.heading,
        "title-short": entry.citation,
        "container-title": entry.code,
        "volume": entry.title,
        "section": entry.section,
        "status": entry.status.replace("_", " "),
        "publisher": entry.publisher,
        "URL": entry.url,
        "accessed": entry.retrieved and {"date-parts": [[int(part) for part in entry.retrieved.split("-")]]},
        "note": _notes(entry),
    }
    given = {name: value for name, value in fields.items() if value is not None}
    return orjson.dumps([given], option=orjson.OPT_INDENT_2).decode() + "\n"


def _ris(entry: Entry) -> str:
    fields = [
        ("TY", "STAT"),
        ("ID", entry.key),
        ("TI", entry.heading),
        ("ST", entry.citation),
        ("T2", entry.code),
        ("VL", entry.title),
        ("SE", entry.section),
        ("PB", entry.publisher),
        ("UR", entry.url),
        ("Y2", entry.retrieved and entry.retrieved.replace("-", "/")),
        ("N1", _notes(entry)),
    ]
    lines = [f"{tag}  - {' '.join(value.split())}" for tag, value in fields if value is not None]
    return "\r\n".join([*lines, "ER  - ", ""])


def _bibtex(entry: Entry) -> str:
    # The inner braces keep capitals, which styles would lower.
    fields = {
        "title": f"{{{_latex(entry.heading)}}}",
        "howpublished": _latex(entry.citation),
        "publisher": _latex(entry.publisher),
        "note": _latex(_notes(entry)),
        "url": entry.url,
        "urldate": entry.retrieved,
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value is not None]
    return "\n".join([f"@misc{{{entry.key},", *lines, "}", ""])


def _notes(entry: Entry) -> str:
    state = _state(entry)
    return f"{state[:1].upper()}{state[1:]}. {entry.note}" if state else entry.note


def _latex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in " ".join(text.split()))


FORMATS: MappingProxyType[str, Callable[[Entry], str]] = MappingProxyType(
    {BLUEBOOK: _bluebook, CSL_JSON: _csl_json, RIS: _ris, BIBTEX: _bibtex}
)
"""Formats by media type: those that DOI resolvers answer, so that reference managers know them."""
SUFFIXES = MappingProxyType({BLUEBOOK: "bluebook", CSL_JSON: "csl", RIS: "ris", BIBTEX: "bib"})
"""Endings of files in each format."""
