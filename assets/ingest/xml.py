"""Parse XML from publishers as if it were hostile: no entities, no DTD, no network, no bombs."""

import re

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.model import SourceFile

_HTML = re.compile(rb"<!DOCTYPE html(?:\s+SYSTEM\s+[\"']about:legacy-compat[\"'])?\s*>", re.IGNORECASE)
"""The document type of pages, which declares nothing."""

_HEAD_BYTES = 1024

_PLACE = re.compile(r",\s*line \d+, column \d+$")


def parse_xml(file: SourceFile) -> etree._Element:
    """Return the root element of a pinned file, without its comments and processing instructions.

    Raises:
        MalformedFileError: it is empty, not well formed, or declares a document type; with line and column.
            It is set aside.
    """
    if file.refusal is not None:
        raise MalformedFileError(file.path, file.refusal)
    if not file.content or file.content.isspace():
        raise MalformedFileError(file.path, "the file is empty", line=1, column=1)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=False,
    )
    try:
        root = etree.fromstring(file.content, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        reason = _PLACE.sub("", error.msg or "").strip() or "is not well-formed XML"
        raise MalformedFileError(file.path, reason, line=max(line, 1), column=max(column, 1)) from None
    if root.getroottree().docinfo.internalDTD is not None and not _HTML.search(file.content[:_HEAD_BYTES]):
        # A document type can only declare entities and defaults here, and no publisher we read uses one.
        line = file.content[: max(file.content.find(b"<!DOCTYPE"), 0)].count(b"\n") + 1
        raise MalformedFileError(
            file.path, "declares a document type, which is not accepted", line=line, column=1
        )
    return root


def line_of(element: etree._Element) -> int:
    """Return the line that an element begins on, 1-based."""
    line: int | None = getattr(element, "sourceline", None)  # the stubs know no type for it
    return line or 1
