"""The page on coverage names every field that a registry entry may have, and every reader."""

import re
from dataclasses import MISSING, fields

import pytest

from assets.ingest.readers import DIALECTS
from assets.registry import ADDRESSES, SIGNED, CodeBody, Layer, Markup
from serving.contract.citations.scheme import CitationScheme
from tests.docs.pages import PAGES

PAGE = PAGES["docs/coverage.md"]
GIVEN_BY_THE_BODY = {"key", "code", "jurisdiction", "template"}


def table(heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading, without its head."""
    section = PAGE.split(f"### {heading}\n")[1].split("\n#")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("|")]
    return rows[2:]


@pytest.mark.parametrize(
    ("heading", "record"), [("Fields of a code body", CodeBody), ("Fields of a layer", Layer)]
)
def test_every_field_of_an_entry_is_described(heading: str, record: type) -> None:
    needed = {one.name: one.default is MISSING and one.default_factory is MISSING for one in fields(record)}
    told = {row[0].strip("`"): row[1] == "yes" for row in table(heading)}
    assert told == needed


def test_every_field_of_citing_is_described() -> None:
    told = {row[0].strip("`") for row in table("Fields of `citing`")}
    assert told == {one.name for one in fields(CitationScheme)} - GIVEN_BY_THE_BODY


def test_every_field_of_markup_is_described() -> None:
    assert {row[0].strip("`") for row in table("Fields of `markup`")} == {one.name for one in fields(Markup)}


def test_every_field_of_a_connector_is_described() -> None:
    told = {(row[0].strip("`"), row[1].strip("`")) for row in table("Fields of `connector`")}
    needed = {(name, kind) for kind, names in ADDRESSES.items() for name in names}
    needed |= {("signed_by", kind) for kind in SIGNED}
    assert told == needed | {("kind", "all"), ("megabytes", "all"), ("stale_after_days", "all")}


def test_every_reader_is_described() -> None:
    assert {row[0].strip("`") for row in table("Readers")} == set(DIALECTS)


def test_the_example_is_an_entry() -> None:
    named = set(re.findall(r"^(\w+) = ", PAGE.split("```toml\n")[1].split("```")[0], re.MULTILINE))
    assert named >= {
        one.name for one in fields(CodeBody) if one.default is MISSING and one.default_factory is MISSING
    }
