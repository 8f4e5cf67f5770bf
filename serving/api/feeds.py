"""Feeds as readers of feeds take them: JSON Feed 1.1 and Atom (RFC 4287)."""

import re
import xml.etree.ElementTree as ET

import orjson

from serving.services.feeds import Feed

JSON_FEED, ATOM = "application/feed+json", "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold."""


def json_feed(feed: Feed, public_url: str) -> bytes:
    """Return a feed in JSON."""
    return orjson.dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": feed.title,
            "home_page_url": f"{public_url}/",
            "feed_url": f"{public_url}{feed.path}.json",
            "language": "en",
            "items": [
                {
                    "id": entry.id.urn,
                    "url": f"{public_url}{entry.page or entry.call}",
                    "title": entry.title,
                    "content_text": entry.text,
                    "date_published": entry.published,
                    **({} if entry.kind is None else {"tags": [entry.kind]}),
                    "_api": {"url": f"{public_url}{entry.call}"},
                }
                for entry in feed.entries
            ],
        }
    )


def atom_feed(feed: Feed, public_url: str) -> bytes:
    """Return a feed in XML."""
    address = f"{public_url}{feed.path}.atom"
    root = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _add(root, "id", f"urn:uuid:{feed.id}")
    _add(root, "title", feed.title)
    _add(root, "updated", feed.updated)
    _add(_add(root, "author"), "name", public_url)
    _add(root, "link", rel="self", type=ATOM, href=address)
    _add(root, "link", rel="alternate", type="text/html", href=f"{public_url}/")
    for entry in feed.entries:
        element = _add(root, "entry")
        _add(element, "id", entry.id.urn)
        _add(element, "title", entry.title)
        _add(element, "updated", entry.published)
        _add(element, "published", entry.published)
        if entry.page is not None:
            _add(element, "link", rel="alternate", type="text/html", href=f"{public_url}{entry.page}")
        rel = "alternate" if entry.page is None else "related"
        _add(element, "link", rel=rel, type="application/json", href=f"{public_url}{entry.call}")
        if entry.kind is not None:
            _add(element, "category", term=entry.kind)
        _add(element, "content", entry.text, type="text")
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _add(parent: ET.Element, name: str, text: str | None = None, **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, name, attributes)
    element.text = None if text is None else _NO_XML.sub("\ufffd", text)
    return element
