"""The readers of law: one file of a small source is broken, and what is wrong with it is told by name."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from hypothesis import strategies as st

from assets.errors import MalformedFileError
from assets.ingest.readers import Dialect, dialect
from assets.registry import CodeBody, load_registry
from serving.contract.errors import LawError
from tests.assets.ingest.conftest import MemoryFiles
from tests.assets.ingest.formats.test_ecfr import appendix, bulk, part, section
from tests.assets.ingest.formats.test_open_law import BODY, PIERS, site, xml_code
from tests.fuzz.inputs import mutated
from tests.fuzz.markup import rearranged
from tests.fuzz.target import Target

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
SAMPLES = DATASETS / "sample"
REGISTRY = load_registry(DATASETS / "registry")
PIECES = (
    *(
        b"<",
        b">",
        b"/>",
        b"</",
        b"&amp;",
        b"&x;",
        b"&#0;",
        b"&#xD800;",
        b"]]>",
        b"<![CDATA[",
        b"<!--",
        b"-->",
    ),
    *(
        b"<?xml version='1.0' encoding='utf-16'?>",
        b"<?x y?>",
        b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
        b"<a>" * 300,
    ),
    *(
        b"xmlns='urn:x'",
        b"xmlns:x='urn:x' x:",
        b'identifier=""',
        b'identifier="/us/usc/t1/s1"',
        b'status="x"',
    ),
    *(
        b'temporalId="x"',
        b"<num>",
        b"<num/>",
        b"<num value='1'>",
        b"</num>",
        b"<heading>",
        b"<text>",
        b"<para>",
    ),
    *(b"<section>", b"</section>", b"<content>", b"<ref href='/x'>", b"<note>", b"<table><tr><td>", b"<p/>"),
    *(
        b"<xi:include href='index.xml'/>",
        b"<cite path='1|(a)'>",
        b"<prefix>",
        b"<container>",
        b"<annotations>",
    ),
    *(b"<annotation type='History' doc=''>", b"<meta>", b"<effective>9999-99-99</effective>", b"<repealed/>"),
    *(
        b"<h1 class='h__toc' id='/'>",
        b'<meta itemprop="order" content="|"/>',
        b"<li><a href='/'>",
        b"{",
        b"}",
    ),
    *("§§ 1–2".encode(), "½".encode(), "İ".encode(), b"(a)(1)(A)(i)(I)(aa)(AA)", b"IVXLCDM", b"9" * 400),
)


WORDS = (
    *(
        "",
        " ",
        "1",
        "0",
        "-1",
        "1a",
        "101",
        "§ 101.",
        "§§ 1–2",
        "(a)",
        "(a)(1)",
        "(i)",
        "a",
        "IV",
        "½",
        "İ",
        "ß",
    ),
    *(
        "[Repealed]",
        "[Reserved]",
        "Repealed.",
        "Omitted",
        "Transferred",
        "Renumbered § 5",
        "repealed",
        "reserved",
    ),
    *(
        "/us/usc/t1/s1",
        "/",
        "//",
        "|",
        "1|(a)",
        "2.04|",
        "|2|2.04|",
        "1~2-3",
        "1-101 to 1-105",
        "1, 2",
        "x" * 5_000,
    ),
    *(
        "9999-99-99",
        "2020-02-30",
        "0001-01-01",
        "section",
        "title",
        "chapter",
        "para",
        "Title 2 PIERS",
        "99999999999",
    ),
    *(
        "index.xml",
        "./1.xml",
        "../../x.xml",
        "(A)\n(B)",
        "e\u0301",
        "\U0001f600",
        "\u00a0",
        "\u2028",
        "\u200f",
    ),
)


def broken(files: Mapping[str, bytes]) -> st.SearchStrategy[bytes]:
    """The path of a file, and what it holds now."""
    paths = st.sampled_from([path.encode() for path in files])
    marked = [content for path, content in files.items() if path.endswith((".xml", ".html"))]
    contents = mutated(list(files.values()), PIECES) | rearranged(marked, WORDS) | rearranged(marked, WORDS)
    return st.tuples(paths, contents).map(b"\n".join)


def read(files: Mapping[str, bytes], speech: Dialect, body: CodeBody, data: bytes) -> None:
    """Read the source with one file in the place of its own, and account for that file."""
    path, _, content = data.partition(b"\n")
    name = path.decode("utf-8", "replace")
    source = MemoryFiles({**files, (name if name in files else next(iter(files))): content})
    # What cannot be used as a whole is told by name, too.
    with suppress(LawError):
        for unit in speech.reader.read(source, body):
            for row in unit.provisions:
                file = source.get(row.file)
                assert file is not None
                assert 0 <= row.byte_start <= row.byte_end <= len(file.content)
                assert all(0 <= part.start <= part.end <= len(row.text) for part in row.outline)
                assert all(0 <= one.start <= one.end <= len(row.text) for one in row.references)
            assert all(problem.file and problem.reason for problem in unit.problems)
    for file in source:
        if file.path.endswith((".xml", ".html")):
            with suppress(MalformedFileError):
                speech.oracle(body)(file)


def _files(folder: Path, *paths: str) -> dict[str, bytes]:
    return {path: (folder / path).read_bytes() for path in paths}


def _encoded(files: Mapping[str, str]) -> dict[str, bytes]:
    return {path: text.encode() for path, text in files.items()}


def _target(name: str, reader: str, body: CodeBody, files: Mapping[str, bytes]) -> Target:
    return Target(name, broken(files), check=partial(read, files, dialect(reader), body), examples=100)


CITY = "titles/3/sections"
FEE = "<p>New.</p><p>(a) A fee of 4,400<sup>2</sup> dollars.</p><table><tr><td>1</td><td>2</td></tr></table>"
NOTED = (
    '<P>Twelve<SU>1</SU><FTREF/> m<E T="51">2</E>, 8<FR>1/2</FR>.</P><FTNT><P><SU>1</SU> Or so.</P></FTNT><STARS/>'
    "<TABLE><TR><TD>1</TD><TD>2</TD></TR></TABLE><CITA>[37 FR 1]</CITA>"
)
RULES = bulk(
    part("1", section("1.1", NOTED) + section("1.2-1.9", "", heading="[Reserved]", mark="§§ ")),
    part("2", section("2.1") + appendix("Appendix A to Subpart B of Part 2 - Forms")),
)
TARGETS = (
    _target(
        "uslm",
        "uslm",
        REGISTRY.code_body("sample-code"),
        _files(SAMPLES / "sample-code", "title03.xml", "title03a.xml"),
    ),
    _target(
        "dc_law",
        "dc_law",
        REGISTRY.code_body("sample-city-code"),
        _files(
            SAMPLES / "sample-city-code",
            "index.xml",
            "titles/3/index.xml",
            *(f"{CITY}/{name}.xml" for name in ("3~2A-103", "3~1-201", "3~1-101")),
        ),
    ),
    _target("open_law_xml", "open_law", BODY, _encoded(xml_code(PIERS))),
    _target("open_law_site", "open_law", BODY, _encoded(site(s010=FEE, s020="<p>Old.</p>"))),
    _target("ecfr", "ecfr", REGISTRY.code_body("us-cfr"), {"title-29.xml": RULES}),
)
