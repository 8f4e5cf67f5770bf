"""One page of an Open Law Library site: what it is of, its caption, its contents, text and annotations."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.byte_ranges import element_ranges
from assets.ingest.formats.law_xml_names import Caption, plain_number
from assets.ingest.formats.law_xml_section import own_text
from assets.ingest.formats.open_law_names import as_range
from assets.ingest.model import SourceFile
from assets.ingest.white_space import collapse
from assets.ingest.xml import line_of, parse_xml

DOCUMENT, CONTAINER, SECTION = "document", "container", "section"

_ARTICLE = frozenset({"article"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a page's contents: a link to a page below it, or a subheading between links.

    Attributes:
        href: None for a subheading.
        line: where it stands in the file, 1-based.
    """

    text: str
    href: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page.

    Attributes:
        kind: DOCUMENT, CONTAINER or SECTION.
        address: where the library keeps what the page is of.
        caption: its number is as the library writes it, which may go on from those above.
        blocks: what stands below its title, in order.
        extent: [start, end) of the article in the bytes of the file.
        stated: what the library says of the publication, by its words in lower case, such as
            `current through`.
    """

    file: SourceFile
    kind: str
    address: str
    caption: Caption
    blocks: tuple[etree._Element, ...]
    extent: tuple[int, int]
    stated: Mapping[str, str]

    def contents(self) -> list[Entry]:
        """Return the lines of its table of contents."""
        entries = []
        for block in self.blocks:
            if is_contents(block):
                for element in block.iter("a", "h2", "h3"):
                    text = own_text(element)
                    entries.append(Entry(text, element.get("href"), line_of(element)))
        return entries


def open_page(file: SourceFile) -> Page:
    """Return a file as a page.

    Raises:
        MalformedFileError: it is not well formed, or no page of a document, container or section.
    """
    root = parse_xml(file)
    properties = {
        meta.get("itemprop"): meta.get("content") or "" for meta in root.iterfind("head/meta[@itemprop]")
    }
    article = root.find(".//article")
    title = None if article is None else article.find(".//h1")
    kind = properties.get("doc-type", "")
    if article is None or title is None or kind not in (DOCUMENT, CONTAINER, SECTION):
        raise MalformedFileError(
            file.path, "is no page of a code: it has no titled article", line=1, column=1
        )
    body = title.getparent()
    blocks = () if body is None else tuple(child for child in body if child is not title)
    numbers = properties.get("order", "").strip("|").rpartition("|")[2], properties.get("doc-num", "")
    return Page(
        file=file,
        kind=kind,
        address=title.get("id") or "",
        caption=_caption(own_text(title), *numbers),
        blocks=blocks,
        extent=element_ranges(file, _ARTICLE)[0],
        stated={own_text(name).lower(): own_text(name.getnext()) for name in root.iterfind(".//section/h3")},
    )


def is_contents(block: etree._Element) -> bool:
    """Return whether a block is a page's table of contents."""
    return block.tag == "nav"


def _caption(text: str, number: str, printed: str) -> Caption:
    """Return the caption in a page's title: `Chapter 27.20 R2 DISTRICTS`, `27.20.010 PERMITTED USES.`.

    Args:
        text: of the title.
        number: last part of the page's place; the title may write it in full: `01.01.1986.12` for `.12`.
        printed: what the page says is its number, `27.04.313.1` at `27.04.313-1`; empty where it does not.
    """
    for known in filter(None, (number, printed)):
        # A range stands at `1-7to1-8`, and is written with blanks.
        words = re.sub(r"(?<=\d)to(?=\d)", r"\\s*to\\s*", re.escape(known))
        pattern = rf"(?P<word>[^\d§]*?)[\s§]*(?<!\S)(?P<num>\S*{words})[.:]?(?:\s*[–—:]\s+|\s+|$)"
        match = re.match(pattern, text)
        if match is not None:
            heading = collapse(text[match.end() :])
            return Caption(
                collapse(match.group("word")).lower(),
                plain_number(as_range(match.group("num"))).rstrip(".:"),
                heading,
            )
    return Caption("", plain_number(number).rstrip(".:") or None, text)
