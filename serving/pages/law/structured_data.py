"""Descriptions of pages for programs: of a provision and of the service, by schema.org, as JSON-LD."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from markupsafe import Markup

from serving.contract.records import IN_FORCE

CONTEXT = "https://schema.org"
_UNSAFE = ((b"<", b"\\u003c"), (b">", b"\\u003e"), (b"&", b"\\u0026"))
"""Characters with which a text could end the script element that it stands in."""


def legislation(
    answer: Mapping[str, Any], *, jurisdiction: str, url: str, above: Sequence[tuple[str, str]]
) -> Markup:
    """Return a provision as a schema.org `Legislation`, to be put into a page as it is.

    Args:
        answer: the provision's answer of the node endpoint.
        jurisdiction: name of its jurisdiction.
        url: address of the provision's page.
        above: names and addresses of the levels above it, the code body first.
    """
    name = ": ".join(part for part in (answer["citation"], answer["heading"].rstrip(".")) if part)
    part_name, part_url = above[-1]
    described: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "Legislation",
        "@id": url,
        "url": url,
        "name": name,
        "legislationIdentifier": answer["citation"],
        "legislationType": answer["level"],
        "legislationJurisdiction": {"@type": "AdministrativeArea", "name": jurisdiction},
        "legislationLegalForce": f"{CONTEXT}/{'InForce' if answer['status'] == IN_FORCE else 'NotInForce'}",
        "inLanguage": "en",
        "isPartOf": {"@type": "Legislation", "name": part_name, "url": part_url},
        "publisher": {"@type": "Organization", "name": answer["provenance"]["publisher"]},
        "encoding": [
            {
                "@type": "LegislationObject",
                "encodingFormat": media_type,
                "contentUrl": f"{url}?format={name}",
            }
            for name, media_type in (("json", "application/json"), ("markdown", "text/markdown"))
        ],
    }
    if answer["currentThroughDate"]:
        described["legislationDateVersion"] = answer["currentThroughDate"]
    if answer["provenance"]["sourceUrl"]:
        described["isBasedOn"] = answer["provenance"]["sourceUrl"]
    return script_data(described)


def website(public_url: str, name: str, description: str) -> Markup:
    """Return the service as a schema.org `WebSite` with its search, to be put into a page as it is."""
    return script_data(
        {
            "@context": CONTEXT,
            "@type": "WebSite",
            "url": f"{public_url}/",
            "name": name,
            "description": description,
            "potentialAction": {
                "@type": "SearchAction",
                "target": {"@type": "EntryPoint", "urlTemplate": f"{public_url}/search?q={{query}}"},
                "query-input": "required name=query",
            },
        }
    )


def script_data(value: Mapping[str, Any]) -> Markup:
    """Return a value as JSON that may stand in a script element."""
    written = orjson.dumps(value)
    for character, escaped in _UNSAFE:
        written = written.replace(character, escaped)
    return Markup(written.decode())  # noqa: S704 - it holds no character that could end its element
