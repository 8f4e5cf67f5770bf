"""The oracle for D.C. law-xml: every character has a fate, and the reader agrees on real titles."""

import hashlib
import re
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.errors import MalformedFileError
from assets.ingest.accounting import Account, Fate, squeeze
from assets.ingest.formats import dc_law
from assets.ingest.model import SourceFile, SourceFiles, Unit
from assets.ingest.oracles.law_xml import account
from assets.registry import load_registry

ARCHIVE = Path("../shared/data/dc-code-2024-10-20.tar.xz")
REAL_TITLES = ("6", "12", "27A", "51", "99")
"""Few, so that the test stays fast; together they hold most quirks of the code."""

SPACES = 'xmlns="https://code.dccouncil.us/schemas/dc-library" xmlns:codify="https://code.dccouncil.us/schemas/codify"'


def audit(text: str) -> Account:
    content = text.encode()
    return account(SourceFile("sections/1-1.xml", hashlib.sha256(content).hexdigest(), content))


def section(body: str) -> str:
    return f"<section {SPACES}><num>1-1</num><heading>Lamps.</heading>{body}</section>"


def test_every_character_of_a_section_has_a_fate() -> None:
    text = section(
        "<prefix>§</prefix><reason>Subpoenas</reason><text>*NOTE: Old.*</text>"
        "<para><prefix>Article</prefix><num>I</num><heading>Wicks</heading><text>Trim <s>x</s>them.</text>"
        "<codify:insert><para><num>(b)</num></para></codify:insert>"
        "<para><num undesignated='true'>(c)</num></para></para>"
        "<annotations><annotation type='History'>May 1</annotation><text type='Notes'>Seen</text>"
        "<annotation type='History' display='false'>Hidden</annotation></annotations>"
    )
    result = audit(text)
    assert result.operative == "ArticleIWicksTrimthem."
    assert result.counts == {
        Fate.NUMBER: len("1-1"),
        Fate.HEADING: len("Lamps."),
        Fate.OPERATIVE: len(result.operative),
        Fate.NOTE: len("Subpoenas*NOTE:Old.*Seen"),
        Fate.CREDIT: len("May1"),
        Fate.DISCARDED: len("§x(b)(c)Hidden"),
    }
    assert result.discarded == {
        "section sign before the number": 1,
        "struck text": 1,
        "instruction to the codifiers": 3,
        "number that only the publisher gave": 3,
        "hidden by the publisher": len("Hidden"),
    }
    characters = squeeze(re.sub(r"<[^>]*>", "", text))
    assert sum(result.counts.values()) == len(characters)


@pytest.mark.parametrize(
    "line", ["Repealed.", "[Not funded].", "Recodified as § 1-2 [repealed].", "Expired. .", "Omitted."]
)
def test_line_that_says_why_there_is_no_text_is_a_note(line: str) -> None:
    result = audit(section(f"<text>{line}</text>"))
    assert result.operative == ""
    assert result.counts[Fate.NOTE] == len(squeeze(line))


def test_words_of_law_that_begin_alike_are_operative() -> None:
    assert (
        audit(section("<text>Repealed acts stay repealed.</text>")).operative == "Repealedactsstayrepealed."
    )
    within_a_part = section("<para><num>(a)</num><text>Repealed.</text></para>")
    assert audit(within_a_part).operative == "(a)Repealed."


def test_index_holds_numbers_and_headings_and_no_law() -> None:
    result = audit(
        f"<document {SPACES}><heading>Code</heading><meta><effective>0001</effective></meta>"
        "<subheading>Division I. Light.</subheading><container><prefix>Title</prefix><num>1</num>"
        "<heading>Lamps.<annotation type='History'>May</annotation></heading><reason>Repealed</reason>"
        "</container></document>"
    )
    assert result.operative == ""
    assert result.counts == {
        Fate.HEADING: len("CodeDivisionI.Light.Lamps."),
        Fate.NUMBER: len("Title1"),
        Fate.CREDIT: len("May"),
        Fate.NOTE: len("Repealed"),
        Fate.DISCARDED: len("0001"),
    }


def test_container_within_a_section_is_law() -> None:
    result = audit(section("<container><heading>ARTICLE I</heading><text>Shine.</text></container>"))
    assert result.operative == "ARTICLEIShine."


def test_file_of_another_kind_is_no_part_of_the_code() -> None:
    result = audit(f"<library {SPACES}><heading>All laws</heading></library>")
    assert result.discarded == {"catalogue of the library, no part of the code": len("Alllaws")}


def test_broken_file_is_named() -> None:
    with pytest.raises(MalformedFileError, match=r"sections/1-1\.xml:1:"):
        audit("<section>")


@pytest.fixture(scope="module")
def real_files() -> dict[str, bytes]:
    if not ARCHIVE.exists():
        pytest.skip("the shared data is missing")
    wanted = re.compile(rf".*/code/(index\.xml|titles/({'|'.join(REAL_TITLES)})/.*\.xml)")
    with tarfile.open(ARCHIVE) as archive:
        return {
            member.name.partition("/")[2]: stream.read()
            for member in archive
            if wanted.fullmatch(member.name) and (stream := archive.extractfile(member)) is not None
        }


@pytest.fixture
def real_units(
    real_files: dict[str, bytes], source_files: Callable[[dict[str, bytes]], SourceFiles]
) -> dict[str, Unit]:
    body = load_registry(Path("datasets/registry")).code_body("dc-code")
    return {unit.key: unit for unit in dc_law.read(source_files(real_files), body)}


@pytest.mark.real
def test_oracle_and_reader_agree_on_every_file_of_real_titles(
    real_files: dict[str, bytes], real_units: dict[str, Unit]
) -> None:
    texts: dict[str, list[str]] = {path: [] for path in real_files}
    for unit in real_units.values():
        for row in unit.provisions:
            texts[row.file].append(row.text)
    assert len(real_files) > 600
    for path, content in real_files.items():
        assert squeeze("".join(texts[path])) == account(SourceFile(path, "", content)).operative, path


@pytest.mark.real
def test_real_titles_are_complete_and_their_identifiers_unique(
    real_files: dict[str, bytes], real_units: dict[str, Unit]
) -> None:
    rows = [row for unit in real_units.values() for row in unit.provisions]
    sections = [path for path in real_files if not path.endswith("index.xml")]
    assert sum(row.level == "section" for row in rows) == len(sections)
    assert len({row.identifier for row in rows}) == len(rows)
    assert len({row.citation for row in rows}) == len(rows)
    assert len([unit for unit in real_units.values() if not unit.problems]) == 1 + len(REAL_TITLES)
    assert real_units["t7"].problems[0].reason.startswith("includes './titles/7/index.xml'")


@pytest.mark.real
def test_extents_are_those_of_the_elements_in_real_files(
    real_files: dict[str, bytes], real_units: dict[str, Unit]
) -> None:
    for unit in real_units.values():
        for row in unit.provisions:
            cut = real_files[row.file][row.byte_start : row.byte_end]
            name = cut[1:].split(None, 1)[0].split(b">")[0]
            assert name in (b"section", b"container", b"subheading")
            assert cut.endswith(b"</" + name + b">")
            assert row.heading == "" or row.heading.split()[0].encode() in cut


@pytest.mark.real
def test_no_text_kept_for_after_temporary_law_is_in_force(real_units: dict[str, Unit]) -> None:
    shelved = [row for row in real_units["t99"].provisions if row.level == "section"]
    assert len(shelved) == 194
    assert {row.status for row in shelved} <= {"reserved", "repealed", "omitted", "expired"}
