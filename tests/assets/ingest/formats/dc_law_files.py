"""Small files of D.C. law-xml in our own words, and what was read from them."""

from assets.ingest.model import Provision, Unit

SPACES = (
    'xmlns="https://code.dccouncil.us/schemas/dc-library" '
    'xmlns:codify="https://code.dccouncil.us/schemas/codify" '
    'xmlns:codified="https://code.dccouncil.us/schemas/codified" '
    'xmlns:xi="http://www.w3.org/2001/XInclude"'
)
TOP = "code/index.xml"
TITLE = "code/titles/29/index.xml"


def top(body: str) -> str:
    return (
        f'<document {SPACES} id="D.C. Code"><heading>Code of the Lantern District</heading>'
        '<meta><recency through="2024-10-08"><law doc="D.C. Law 25-218">Law</law></recency></meta>'
        f"{body}</document>"
    )


def title(body: str, *, num: str = "29", heading: str = "Lanterns.") -> str:
    return (
        f"<container {SPACES}><prefix>Title</prefix><num>{num}</num><heading>{heading}</heading>"
        f"{body}</container>"
    )


def container(word: str, num: str, body: str = "", *, heading: str = "General.", before: str = "") -> str:
    return (
        f"<container><prefix>{word}</prefix><num>{num}</num>{before}"
        f"<heading>{heading}</heading>{body}</container>"
    )


def include(name: str) -> str:
    return f'<xi:include href="./sections/{name}.xml"/>'


def section(num: str, body: str, *, heading: str = "Lighting.", before: str = "") -> str:
    return (
        f"<?xml version='1.0' encoding='utf-8'?>\n<section {SPACES}>{before}<num>{num}</num>"
        f"<heading>{heading}</heading>{body}</section>\n"
    )


def all_rows(units: list[Unit]) -> list[Provision]:
    return [row for unit in units for row in unit.provisions]


def problems(units: list[Unit]) -> list[str]:
    return [str(problem) for unit in units for problem in unit.problems]
