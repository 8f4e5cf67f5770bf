"""Exports of a provision, read back by the libraries of their formats: what each says must be what was written."""

import json
import re
import warnings
from collections.abc import Iterator
from uuid import UUID

import rispy
from bibtexparser.entrypoint import parse_string
from citeproc.source.json import CiteProcJSON

from serving.services.bibliography import BIBTEX, BLUEBOOK, CSL_JSON, RIS, bibliography_entry
from serving.services.nodes import node_markdown
from serving.snapshot.store import Snapshot

_ESCAPED = re.compile(r"\\([$&#_%])")
"""Signs behind a backslash. A library decodes all of LaTeX, at a hundred times the cost of all else that is read here."""


def unreadable(snapshot: Snapshot, node: UUID, *, citation: str, url: str, public_url: str) -> Iterator[str]:
    """Yield the formats in which a provision cannot be read back with its citation and the address of its page."""
    written = {
        media_type: bibliography_entry(snapshot, node, media_type, public_url=public_url).body.decode()
        for media_type in (BLUEBOOK, CSL_JSON, RIS, BIBTEX)
    }
    if not (written[BLUEBOOK].startswith(citation) and url in written[BLUEBOOK]):
        yield "bluebook"
    if not _is_csl(written[CSL_JSON], citation, url):
        yield "csl"
    if not _is_ris(written[RIS], citation, url):
        yield "ris"
    if not _is_bibtex(written[BIBTEX], citation, url):
        yield "bibtex"
    if not node_markdown(snapshot, node).body.startswith(b"# "):
        yield "markdown"


def _is_csl(text: str, citation: str, url: str) -> bool:
    (entry,) = json.loads(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it warns of a variable that CSL does not know
        (read,) = CiteProcJSON([entry]).values()
    return bool(read.type == "legislation" and entry["title-short"] == citation and entry["URL"] == url)


def _is_ris(text: str, citation: str, url: str) -> bool:
    (entry,) = rispy.loads(text)
    address = entry.get("url") or next(iter(entry.get("urls", [])), None)
    return bool(
        entry["type_of_reference"] == "STAT"
        and entry["short_title"] == " ".join(citation.split())
        and address == url
    )


def _is_bibtex(text: str, citation: str, url: str) -> bool:
    library = parse_string(text)
    if library.failed_blocks or len(library.entries) != 1:
        return False
    fields = {name: field.value for name, field in library.entries[0].fields_dict.items()}
    return bool(
        _ESCAPED.sub(r"\1", fields["howpublished"]) == " ".join(citation.split()) and fields["url"] == url
    )
