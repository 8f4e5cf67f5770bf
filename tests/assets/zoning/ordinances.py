"""Small codes made by hand, as linking reads them."""

from collections.abc import Mapping
from typing import Any

from assets.zoning.ordinance import Ordinance

Chapter = tuple[str, Mapping[str, tuple[str, str]]]
"""A chapter's heading, and its sections: heading and text by number."""


def ordinance_of(
    chapters: Mapping[str, Chapter], *, title: str = "ZONING", status: str = "in_force"
) -> Ordinance:
    """Return a code with one title; identifiers are `/t` and `/t/{chapter}` and `/t/{section}`."""
    rows = [_row("/t", None, "title", "27", title)]
    for number, (heading, sections) in chapters.items():
        rows.append(_row(f"/t/{number}", "/t", "chapter", number, heading))
        rows += [
            _row(f"/t/{section}", f"/t/{number}", "section", section, named, text, status=status)
            for section, (named, text) in sections.items()
        ]
    return Ordinance(rows)


def _row(
    identifier: str,
    parent: str | None,
    level: str,
    num: str,
    heading: str,
    text: str = "",
    status: str = "in_force",
) -> dict[str, Any]:
    return {
        "node_id": identifier,
        "identifier": identifier,
        "parent_id": parent,
        "level": level,
        "num": num,
        "heading": heading,
        "citation": f"{level} {num}",
        "citable": level == "section",
        "text": text,
        "status": status,
    }
