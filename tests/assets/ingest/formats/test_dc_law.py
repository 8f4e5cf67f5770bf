"""The reader for D.C. law-xml: every quirk of the real files, in small files of our own words."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from assets.ingest.accounting import squeeze
from assets.ingest.formats import dc_law
from assets.ingest.model import Currency, Effective, Provision, SourceFiles, Unit
from assets.ingest.oracles.law_xml import account
from assets.registry import CodeBody, load_registry

Files = Callable[[dict[str, bytes]], SourceFiles]

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


@pytest.fixture
def dc() -> CodeBody:
    return load_registry(Path("datasets/registry")).code_body("dc-code")


@pytest.fixture
def read(dc: CodeBody, source_files: Files) -> Callable[[dict[str, str | bytes]], list[Unit]]:
    """Read files given by path; where no file is broken, the oracle must agree on each."""

    def _read(files: dict[str, str | bytes]) -> list[Unit]:
        contents = {path: text if isinstance(text, bytes) else text.encode() for path, text in files.items()}
        source = source_files(contents)
        units = list(dc_law.read(source, dc))
        if not any(unit.problems for unit in units):
            _assert_nothing_lost(source, units)
        return units

    return _read


def _assert_nothing_lost(source: SourceFiles, units: list[Unit]) -> None:
    unread = {path for unit in units for path in unit.unread}
    for file in source:
        if file.path in unread:
            continue
        texts = [row.text for unit in units for row in unit.provisions if row.file == file.path]
        assert squeeze("".join(texts)) == account(file).operative


@pytest.fixture
def read_section(read: Callable[[dict[str, str | bytes]], list[Unit]]) -> Callable[..., Provision]:
    """Read one section of title 29 from its body."""

    def _read_section(body: str, *, num: str = "29-101", file: str = "", **parts: str) -> Provision:
        name = file or num
        units = read(
            {
                TITLE: title(include(name)),
                f"code/titles/29/sections/{name}.xml": section(num, body, **parts),
            }
        )
        assert not units[0].problems
        return units[0].provisions[1]

    return _read_section


def all_rows(units: list[Unit]) -> list[Provision]:
    return [row for unit in units for row in unit.provisions]


def problems(units: list[Unit]) -> list[str]:
    return [str(problem) for unit in units for problem in unit.problems]


# --- hierarchy


def test_code_gives_a_unit_for_divisions_and_one_a_title(read: Callable[..., list[Unit]]) -> None:
    units = read(
        {
            TOP: top(
                "<subheading>Division I. Light of District.</subheading>"
                '<xi:include href="./titles/28A/index.xml"/><xi:include href="./titles/29/index.xml"/>'
            ),
            "code/titles/28A/index.xml": title("", num="28A"),
            TITLE: title(""),
        }
    )
    assert [(unit.key, unit.label) for unit in units] == [
        ("top", "Code of the Lantern District"),
        ("t28A", "Title 28A"),
        ("t29", "Title 29"),
    ]
    division = units[0].provisions[0]
    assert (division.identifier, division.level, division.num) == ("/dc/code/dI", "division", "I")
    assert (division.heading, division.citation) == ("Light of District.", "D.C. Code div. I")
    assert [unit.provisions[0].parent for unit in units[1:]] == ["/dc/code/dI", "/dc/code/dI"]
    assert {unit.currency for unit in units} == {Currency("D.C. Law 25-218 (through 2024-10-08)", "25-218")}


def test_source_root_may_sit_at_any_depth(read: Callable[..., list[Unit]]) -> None:
    deep = {
        "a/b/index.xml": top('<xi:include href="titles/29/index.xml"/>'),
        "a/b/titles/29/index.xml": title(""),
        "index.xml": f"<library {SPACES}><heading>All laws</heading></library>",
    }
    assert [unit.key for unit in read(deep)] == ["t29"]


def test_titles_are_read_without_a_top_document_in_natural_order(read: Callable[..., list[Unit]]) -> None:
    units = read({f"titles/{num}/index.xml": title("", num=num) for num in ("10", "2", "2A")})
    assert [unit.key for unit in units] == ["t2", "t2A", "t10"]
    assert units[0].currency is None


def test_a_source_without_any_index_is_a_problem(read: Callable[..., list[Unit]]) -> None:
    assert "no index.xml" in problems(read({"notes.xml": section("29-101", "")}))[0]


def test_containers_are_named_by_their_own_words(read: Callable[..., list[Unit]]) -> None:
    nested = container(
        "Chapter", "8", container("Subchapter", "I", container("PART", "H-i", container("Subpart", "2")))
    )
    units = read({TITLE: title(nested + container("Article", "2A", container("Unit", "B")))})
    assert [(row.identifier, row.level, row.citation) for row in units[0].provisions] == [
        ("/dc/code/t29", "title", "D.C. Code tit. 29"),
        ("/dc/code/t29/ch8", "chapter", "D.C. Code tit. 29, ch. 8"),
        ("/dc/code/t29/ch8/schI", "subchapter", "D.C. Code tit. 29, ch. 8, subch. I"),
        ("/dc/code/t29/ch8/schI/ptH-i", "part", "D.C. Code tit. 29, ch. 8, subch. I, pt. H-i"),
        (
            "/dc/code/t29/ch8/schI/ptH-i/spt2",
            "subpart",
            "D.C. Code tit. 29, ch. 8, subch. I, pt. H-i, subpt. 2",
        ),
        ("/dc/code/t29/art2A", "article", "D.C. Code tit. 29, art. 2A"),
        ("/dc/code/t29/art2A/unitB", "unit", "D.C. Code tit. 29, art. 2A, unit B"),
    ]
    assert not any(row.citable for row in units[0].provisions)
    assert [row.parent for row in units[0].provisions[1:3]] == ["/dc/code/t29", "/dc/code/t29/ch8"]


def test_subheading_owns_what_follows_up_to_the_next_of_its_kind(read: Callable[..., list[Unit]]) -> None:
    units = read(
        {
            TITLE: title(
                container("Chapter", "1")
                + "<subheading>Subtitle I. Life.</subheading><subheading>Subdivision A. Short.</subheading>"
                + container("Chapter", "2")
                + "<subheading>Subdivision B. Long.</subheading>"
                + include("29-301")
                + "<subheading>Subtitle II. Repealed Provisions.</subheading>"
                + container("Chapter", "4")
            ),
            "code/titles/29/sections/29-301.xml": section("29-301", "<text>Lamps burn.</text>"),
        }
    )
    parents = {row.identifier: row.parent for row in units[0].provisions}
    assert parents["/dc/code/t29/ch1"] == "/dc/code/t29"
    assert parents["/dc/code/t29/stI/sdA/ch2"] == "/dc/code/t29/stI/sdA"
    assert parents["/dc/code/t29/stI/sdB"] == "/dc/code/t29/stI"
    assert parents["/dc/code/29-301"] == "/dc/code/t29/stI/sdB"
    assert parents["/dc/code/t29/stII/ch4"] == "/dc/code/t29/stII"
    statuses = {row.identifier: row.status for row in units[0].provisions}
    assert statuses["/dc/code/t29/stII"] == "repealed"
    assert statuses["/dc/code/t29/stI"] == "in_force"


def test_siblings_with_one_number_are_told_apart_by_heading_not_order(
    read: Callable[..., list[Unit]],
) -> None:
    first = container("Part", "B", heading="Wicks.")
    second = container("Part", "B", heading="Oil.")
    dead = container("Part", "B", heading="Soot. [Repealed]")
    for body in (first + second, second + first):
        rows = all_rows(read({TITLE: title(body)}))
        assert {row.identifier for row in rows[1:]} == {"/dc/code/t29/ptB@wicks", "/dc/code/t29/ptB@oil"}
        assert len({row.citation for row in rows}) == 3
    rows = all_rows(read({TITLE: title(dead + first)}))
    assert [row.identifier for row in rows[1:]] == ["/dc/code/t29/ptB@soot-repealed", "/dc/code/t29/ptB"]


def test_byte_ranges_are_those_of_the_elements(read: Callable[..., list[Unit]]) -> None:
    files = {
        TITLE: title("<!-- <container> -->" + container("Chapter", "8", include("29-101"))),
        "code/titles/29/sections/29-101.xml": "<!-- <section> -->\n"
        + section("29-101", "<text>Lamps burn.</text>").partition("\n")[2]
        + "<!-- </section> -->",
    }
    rows = all_rows(read(dict(files)))
    cut = {row.num: files[row.file].encode()[row.byte_start : row.byte_end].decode() for row in rows}
    assert cut["29"].startswith("<container xmlns")
    assert cut["29"].endswith("</container>")
    assert cut["8"].startswith("<container><prefix>Chapter")
    assert cut["8"].count("</container>") == 1
    assert cut["29-101"].startswith("<section xmlns")
    assert cut["29-101"].endswith("</section>")


# --- numbers


@pytest.mark.parametrize(
    ("num", "file", "identifier", "citation"),
    [
        ("29-801.02", "", "/dc/code/29-801.02", "D.C. Code § 29-801.02"),
        ("28:5-115", "28~5-115", "/dc/code/28:5-115", "D.C. Code § 28:5-115"),
        ("[29-572.01]", "", "/dc/code/29-572.01", "D.C. Code § 29-572.01"),
        ("29–3302.06a", "", "/dc/code/29-3302.06a", "D.C. Code § 29-3302.06a"),
        ("6B", "29-219(Perm)", "/dc/code/29-219(Perm)", "D.C. Code § 29-219(Perm)"),
        ("25-765", "25-765(Perm)", "/dc/code/25-765(Perm)", "D.C. Code § 25-765(Perm)"),
        ("25-765", "25-766(Perm)", "/dc/code/25-765", "D.C. Code § 25-765"),
    ],
)
def test_section_numbers_are_plain(
    read_section: Callable[..., Provision], num: str, file: str, identifier: str, citation: str
) -> None:
    row = read_section("<text>Lamps burn.</text>", num=num, file=file, before="<prefix>§</prefix>")
    assert (row.identifier, row.citation, row.citable) == (identifier, citation, True)
    assert row.num == identifier.removeprefix("/dc/code/")


def test_sections_with_one_number_are_told_apart_by_law_then_heading(
    read: Callable[..., list[Unit]],
) -> None:
    def history(law: str) -> str:
        return f'<annotations><annotation type="History">May 1, 2001, {law}, § 2</annotation></annotations>'

    units = read(
        {
            TITLE: title(include("a") + include("b") + include("c") + include("d")),
            "code/titles/29/sections/a.xml": section("29-1", "<text>A.</text>" + history("D.C. Law 14-7")),
            "code/titles/29/sections/b.xml": section("29-1", "<text>B.</text>" + history("Pub. L. 93-395")),
            "code/titles/29/sections/c.xml": section("29-2", "<text>C.</text>", heading="Wicks."),
            "code/titles/29/sections/d.xml": section("29-2", "<text>D.</text>", heading="Oil."),
        }
    )
    assert [row.identifier for row in units[0].provisions[1:]] == [
        "/dc/code/29-1@d-c-law-14-7",
        "/dc/code/29-1@pub-l-93-395",
        "/dc/code/29-2@wicks",
        "/dc/code/29-2@oil",
    ]


def test_section_without_number_is_a_problem_with_its_place(read: Callable[..., list[Unit]]) -> None:
    files = {TITLE: title(include("x")), "code/titles/29/sections/x.xml": section("", "<text>A.</text>")}
    assert problems(read(files)) == ["code/titles/29/sections/x.xml:2:1: has a section without a number"]


# --- inclusions


def test_broken_file_is_named_and_the_rest_of_the_title_is_read(read: Callable[..., list[Unit]]) -> None:
    folder = "code/titles/29/sections"
    broken = {
        "empty": b"",
        "torn": b"<section>\n  <num>29-2</num>\n  <heading>Wicks",
        "latin": "<?xml version='1.0' encoding='utf-8'?>\n<section><num>é</num></section>".encode("latin-1"),
        "doctype": b"<!DOCTYPE section [<!ENTITY lamp SYSTEM 'file:///etc/passwd'>]>\n<section>&lamp;</section>",
        "wide": section("29-3", "").replace("utf-8", "utf-16").encode("utf-16"),
        "other": b"<law/>",
    }
    units = read(
        {
            TITLE: title("".join(map(include, ["29-1", *broken, "29-9"]))),
            **{f"{folder}/{name}.xml": content for name, content in broken.items()},
            f"{folder}/29-1.xml": section("29-1", "<text>A.</text>"),
            f"{folder}/29-9.xml": section("29-9", "<text>B.</text>"),
        }
    )
    assert [row.num for row in units[0].provisions] == ["29", "29-1", "29-9"]
    assert [problem.file for problem in units[0].problems] == [f"{folder}/{name}.xml" for name in broken]
    places = {problem.file.rpartition("/")[2]: problem.line for problem in units[0].problems}
    assert (places["empty.xml"], places["torn.xml"], places["latin.xml"]) == (1, 3, 2)


@pytest.mark.parametrize(
    ("element", "reason"),
    [
        ('<xi:include href="./sections/none.xml"/>', "does not lead to a file of the source"),
        ('<xi:include href="../../../../../etc/passwd"/>', "does not lead to a file of the source"),
        ('<xi:include href="/etc/passwd"/>', "does not lead to a file of the source"),
        ('<xi:include href="http://127.0.0.1:9/x.xml"/>', "does not lead to a file of the source"),
        ("<xi:include/>", "does not lead to a file of the source"),
        ('<xi:include href="index.xml"/>', "included already or includes this file"),
        ('<xi:include href="./sections/29-1.xml" parse="text"/>', "other than as a whole XML file"),
    ],
)
def test_inclusion_that_cannot_be_followed_names_file_and_line(
    read: Callable[..., list[Unit]], element: str, reason: str
) -> None:
    files = {
        TITLE: title(f"\n{element}\n" + include("29-1").replace("29-1.xml", "29-2.xml")),
        "code/titles/29/sections/29-2.xml": section("29-2", "<text>A.</text>"),
    }
    if "29-1" in element:
        files["code/titles/29/sections/29-1.xml"] = section("29-1", "")
    units = read(files)
    assert "29-2" in {row.num for row in units[0].provisions}
    assert reason in problems(units)[0]
    assert problems(units)[0].startswith(f"{TITLE}:2:1: includes ")


def test_two_files_that_include_each_other_end(read: Callable[..., list[Unit]]) -> None:
    units = read(
        {
            TOP: top('<xi:include href="titles/29/index.xml"/>'),
            TITLE: title('<xi:include href="chapter.xml"/>'),
            "code/titles/29/chapter.xml": title('<xi:include href="index.xml"/>', num="8").replace(
                "Title</prefix>", "Chapter</prefix>"
            ),
        }
    )
    assert [row.identifier for row in all_rows(units)] == ["/dc/code/t29", "/dc/code/t29/ch8"]
    assert "includes this file" in problems(units)[0]


def test_missing_and_broken_titles_are_units_of_their_own(read: Callable[..., list[Unit]]) -> None:
    units = read(
        {
            TOP: top("".join(f'<xi:include href="./titles/{num}/index.xml"/>' for num in ("7", "8", "29"))),
            "code/titles/8/index.xml": b"<container><num>8</num>",
            "code/titles/8/sections/8-1.xml": section("8-1", "<text>A.</text>"),
            TITLE: title(""),
        }
    )
    assert [(unit.key, len(unit.provisions), len(unit.problems)) for unit in units] == [
        ("t7", 0, 1),
        ("t8", 0, 1),
        ("t29", 1, 0),
    ]
    assert problems(units)[0].startswith(f"{TOP}:1:1: includes './titles/7/index.xml'")
    assert [unit.unread for unit in units] == [(), ("code/titles/8/sections/8-1.xml",), ()]


def test_file_that_is_included_in_part_is_not_read_and_reported(read: Callable[..., list[Unit]]) -> None:
    path = "code/titles/29/sections/29-1.xml"
    part = include("29-1").replace("/>", ' parse="text"/>')
    units = read({TITLE: title(part), path: section("29-1", "<text>A.</text>")})
    assert [row.num for row in all_rows(units)] == ["29"]
    assert problems(units) == [f"{TITLE}:1:1: includes './sections/29-1.xml' other than as a whole XML file"]
    assert units[0].gaps == (f"Title 29 is read without 1 file that no index leads to: {path}.",)


def test_second_title_of_one_number_is_a_problem_and_the_first_is_read(
    read: Callable[..., list[Unit]],
) -> None:
    other = "code/titles/30/index.xml"
    units = read(
        {
            TITLE: title(include("29-1")),
            "code/titles/29/sections/29-1.xml": section("29-1", "<text>A.</text>"),
            other: title(include("29-2")),
            "code/titles/30/sections/29-2.xml": section("29-2", "<text>B.</text>"),
        }
    )
    assert [(unit.key, len(unit.provisions)) for unit in units] == [("t29", 2), (f"t29@{other}", 0)]
    assert problems(units) == [f"{other}: has the number of an index before it, Title 29"]
    assert units[1].unread == ("code/titles/30/sections/29-2.xml",)


def test_containers_alike_in_number_and_heading_keep_their_own_children(
    read: Callable[..., list[Unit]],
) -> None:
    numbers = ("29-1", "29-2")
    files = {f"code/titles/29/sections/{num}.xml": section(num, "<text>A.</text>") for num in numbers}
    files[TITLE] = title("".join(container("Chapter", "1", include(num)) for num in numbers))
    rows = {row.num: row for row in all_rows(read(files))}
    assert rows["29-1"].parent != rows["29-2"].parent


def test_broken_top_document_leaves_the_titles(read: Callable[..., list[Unit]]) -> None:
    units = read({TOP: b"<document", TITLE: title("")})
    assert [(unit.key, len(unit.provisions)) for unit in units] == [("top", 0), ("t29", 1)]


def test_title_included_twice_is_read_once(read: Callable[..., list[Unit]]) -> None:
    twice = '<xi:include href="./titles/29/index.xml"/>'
    units = read({TOP: top(twice + "\n" + twice), TITLE: title("")})
    assert [unit.key for unit in units] == ["top", "t29"]
    assert problems(units) == [f"{TOP}:2:1: includes {TITLE!r} more than once"]


def test_file_that_no_index_leads_to_is_a_gap_and_not_law(read: Callable[..., list[Unit]]) -> None:
    units = read(
        {
            TOP: top('<xi:include href="./titles/29/index.xml"/>'),
            TITLE: title(include("29-1")),
            "code/titles/29/sections/29-1.xml": section("29-1", "<text>A.</text>"),
            "code/titles/29/sections/29-2.xml": section("29-2", "<text>B.</text>"),
            "code/stray.xml": section("30-1", "<text>C.</text>"),
        }
    )
    assert [row.identifier for row in all_rows(units)] == ["/dc/code/t29", "/dc/code/29-1"]
    assert problems(units) == []
    stray, beside = "code/stray.xml", "code/titles/29/sections/29-2.xml"
    assert [(unit.key, unit.unread, unit.rest_is_whole) for unit in units] == [
        ("top", (stray,), True),
        ("t29", (beside,), True),
    ]
    assert [unit.gaps for unit in units] == [
        (f"Code of the Lantern District is read without 1 file that no index leads to: {stray}.",),
        (f"Title 29 is read without 1 file that no index leads to: {beside}.",),
    ]


def test_title_that_the_top_document_leaves_out_is_a_gap_with_all_its_files(
    read: Callable[..., list[Unit]],
) -> None:
    index, inside = "code/titles/30/index.xml", "code/titles/30/sections/30-1.xml"
    units = read(
        {
            TOP: top('<xi:include href="./titles/29/index.xml"/>'),
            TITLE: title(""),
            index: title('<xi:include href="./sections/30-1.xml"/>', num="30"),
            inside: section("30-1", "<text>A.</text>"),
        }
    )
    assert units[0].unread == (index, inside)
    assert [row.num for row in all_rows(units)] == ["29"]


@pytest.mark.parametrize("chapter", [b"<container><num>8</num>", None])
def test_title_is_not_whole_without_a_file_that_places_others(
    read: Callable[..., list[Unit]], chapter: bytes | None
) -> None:
    inside = "code/titles/29/8/29-1.xml"
    files: dict[str, str | bytes] = {
        TITLE: title('<xi:include href="./8/index.xml"/>' + include("29-2")),
        inside: section("29-1", "<text>A.</text>"),
        "code/titles/29/sections/29-2.xml": section("29-2", "<text>B.</text>"),
    }
    if chapter is not None:
        files["code/titles/29/8/index.xml"] = chapter
    (unit,) = read(files)
    assert [row.num for row in unit.provisions] == ["29", "29-2"]
    assert (unit.rest_is_whole, unit.unread, unit.gaps) == (False, (inside,), ())


def test_title_is_whole_save_for_a_broken_section(read: Callable[..., list[Unit]]) -> None:
    (unit,) = read(
        {
            TITLE: title(include("29-1") + include("29-2")),
            "code/titles/29/sections/29-1.xml": b"<section><num>29-1",
            "code/titles/29/sections/29-2.xml": section("29-2", "<text>B.</text>"),
        }
    )
    assert [row.num for row in unit.provisions] == ["29", "29-2"]
    assert str(unit.problems[0]).startswith("code/titles/29/sections/29-1.xml:1:")
    assert (unit.rest_is_whole, unit.unread, unit.gaps) == (True, (), ())


def test_containers_and_sections_may_stand_in_the_file_itself(read: Callable[..., list[Unit]]) -> None:
    inline = (
        "<container><prefix>Title</prefix><num>3</num><heading>Wicks.</heading>"
        "<section><num>3-1</num><heading>Trim.</heading><text>Trim wicks.</text></section></container>"
    )
    units = read({TOP: top(inline)})
    assert [unit.key for unit in units] == ["t3"]
    assert [row.identifier for row in units[0].provisions] == ["/dc/code/t3", "/dc/code/3-1"]
    assert units[0].provisions[1].text == "Trim wicks."


# --- text


def test_text_has_a_line_for_each_block_after_its_designators(read_section: Callable[..., Provision]) -> None:
    row = read_section(
        "<text>In this\n   chapter:</text>"
        "<para><num>(a)</num><heading>Fees. —</heading><text>Each lamp pays:</text>"
        "<para><num>(1)</num><text>One cent; or</text></para>"
        "<para><num>(2)</num><para><num>(A)</num><text>Two cents.</text></para>"
        "<para><num>[(B)]</num><text>Three.</text><text>And more.</text></para></para>"
        "<aftertext>as the Mayor says.</aftertext></para>"
        "<para><num>(b)</num><heading>Rest.</heading><para><num>(1)</num><text>Repealed.</text></para></para>"
    )
    assert row.text.split("\n") == [
        "In this chapter:",
        "(a) Fees. — Each lamp pays:",
        "(1) One cent; or",
        "(2)(A) Two cents.",
        "[(B)] Three.",
        "And more.",
        "as the Mayor says.",
        "(b) Rest.",
        "(1) Repealed.",
    ]
    spans = {part.label: row.text[part.start : part.end] for part in row.outline}
    assert list(spans) == ["(a)", "(a)(1)", "(a)(2)", "(a)(2)(A)", "(a)(2)(B)", "(b)", "(b)(1)"]
    assert spans["(a)"].startswith("(a) Fees.")
    assert spans["(a)"].endswith("as the Mayor says.")
    assert spans["(a)(1)"] == "(1) One cent; or"
    assert spans["(a)(2)"] == "(2)(A) Two cents.\n[(B)] Three.\nAnd more."
    assert spans["(a)(2)(A)"] == "(A) Two cents."
    assert spans["(a)(2)(B)"] == "[(B)] Three.\nAnd more."
    assert row.outline == tuple(sorted(row.outline, key=lambda part: (part.start, -part.end)))


def test_number_that_only_the_publisher_gave_is_no_text_and_no_label(
    read_section: Callable[..., Provision],
) -> None:
    row = read_section(
        "<para><num>(a)</num><text>Report:</text><para><num undesignated='true'>(a)</num>"
        "<para><num>(1)</num><text>Lamps.</text></para></para></para><para><num> </num><text>End.</text></para>"
    )
    assert row.text == "(a) Report:\n(1) Lamps.\nEnd."
    assert [part.label for part in row.outline] == ["(a)", "(a)(1)"]


def test_articles_of_a_compact_are_parts_of_the_section(read_section: Callable[..., Provision]) -> None:
    row = read_section(
        "<para><prefix>Article</prefix><num>I</num><heading>Aim</heading>"
        "<para><num>(a)</num><text>Light.</text></para></para>"
        "<container><heading>ARTICLE II</heading><text><h1>WORDS</h1></text>"
        "<para><num>1.</num><text>Lamp.</text></para></container>"
    )
    assert row.text == "Article I Aim\n(a) Light.\nARTICLE II\nWORDS\n1. Lamp."
    labels = [part.label for part in row.outline]
    assert labels == ["Article I", "Article I(a)", "ARTICLE II", "ARTICLE II(1)"]


def test_quoted_matter_is_text_but_its_parts_are_not_parts_of_the_section(
    read_section: Callable[..., Provision],
) -> None:
    row = read_section(
        "<para><num>(c)</num><text>Say:</text><include lvl='1'><para><num>(1)</num><text>I light.</text></para>"
        "</include><aftertext>and sign.</aftertext></para>"
    )
    assert row.text == "(c) Say:\n(1) I light.\nand sign."
    assert [part.label for part in row.outline] == ["(c)"]


def test_inline_elements_leave_no_stray_white_space(read_section: Callable[..., Provision]) -> None:
    row = read_section(
        "<text>The <em>lamp</em><u>,</u> 40 µg/ft<sup>2 </sup>on <strong>top<br/>floor</strong>"
        "<center>FORM</center>of\n <span style='x'>District</span> light.</text>"
    )
    assert row.text == "The lamp, 40 µg/ft² on top\nfloor\nFORM\nof District light."


def test_struck_text_is_left_out(read_section: Callable[..., Provision]) -> None:
    row = read_section("<text>Each card<s>s</s> of a third<s>-</s>party conform<s>s</s> to it.</text>")
    assert row.text == "Each card of a third party conform to it."


def test_tables_are_rows_of_cells(read_section: Callable[..., Provision]) -> None:
    row = read_section(
        "<para><num>(a)</num><text>Rates:<table><thead><tr><th>Lamp</th><th>Fee</th></tr></thead>"
        "<tbody><tr><td>Oil</td><td><p>1</p><p>cent</p></td></tr>"
        "<tr><td/><td>Gas</td><tr> </tr><td>Wax</td><td>2</td></tr></tbody></table>as said.</text></para>"
    )
    assert row.text == "(a) Rates:\nLamp | Fee\nOil | 1 cent\n| Gas\nWax | 2\nas said."


def test_text_within_text_is_a_line_of_its_own(read_section: Callable[..., Provision]) -> None:
    row = read_section(
        "<para><num>(b)</num><text>Only if:<text><num>(1)</num><text>Lit;</text></text></text></para>"
    )
    assert row.text == "(b) Only if:\n(1) Lit;"


def test_picture_in_the_place_of_text_leaves_a_note(read_section: Callable[..., Provision]) -> None:
    row = read_section('<text>See: <img src="./29-101-1.jpeg"/></text>')
    assert row.text == "See:"
    assert [(note.topic, note.text) for note in row.notes] == [("image", "./29-101-1.jpeg")]


def test_references_span_their_words_and_keep_the_target(read_section: Callable[..., Provision]) -> None:
    row = read_section(
        '<text>By <cite path="§42-404|(a)">§ 42-404(a)</cite>,</text><para><num>(a)</num><text>and '
        '<cite doc="D.C. Law 25-50" path="§7085">section 7085</cite>, <cite doc="Pub. L. 93-395">the Act</cite> '
        'or <cite doc="D.C. Code" path="7|16B">this chapter</cite><cite path="§1-1"/>.</text></para>'
    )
    assert row.text == "By § 42-404(a),\n(a) and section 7085, the Act or this chapter."
    assert [(row.text[ref.start : ref.end], ref.target) for ref in row.references] == [
        ("§ 42-404(a)", "§42-404|(a)"),
        ("section 7085", "D.C. Law 25-50|§7085"),
        ("the Act", "Pub. L. 93-395"),
        ("this chapter", "7|16B"),
    ]


def test_leftover_instructions_to_the_codifiers_are_not_law(read_section: Callable[..., Provision]) -> None:
    row = read_section(
        '<para><codify:insert after="(dd)"/><num>(a)</num><text>Lamps burn.</text>'
        '<codify:insert codified:path="§29-101|(b)"><para><num>(b)</num><text>[Expired].</text></para></codify:insert>'
        "<codify:find-replace><find>Lamps</find><replace>Lanterns</replace></codify:find-replace></para>"
        '<codify:annotation type="Applicability">Not yet.</codify:annotation><codify:marginalia display="x"/>'
    )
    assert row.text == "(a) Lamps burn."
    assert row.notes == ()


# --- notes and history


def test_history_becomes_the_credit_and_all_else_notes(read_section: Callable[..., Provision]) -> None:
    row = read_section(
        "<text>Lamps burn.</text><annotations>"
        '<text type="Editor\'s Notes">See <cite doc="D.C. Law 1-2">Law 1-2</cite>.</text>'
        '<annotation doc="D.C. Law 18-378" type="History">July 2, 2011, D.C. Law 18-378, § 2, 58 DCR 1720</annotation>'
        '<annotation doc="D.C. Law 24-342" eff="2023-04-06" path="§3|(a)" type="History" prefix="as added"/>'
        '<annotation doc="D.C. Law 25-1" eff="2023-09-06" path="§2|(a)" type="History"/>'
        '<annotation doc="D.C. Law 25-1" eff="2023-09-06" path="§2|(b)" type="History"/>'
        '<annotation doc="D.C. Law 25-9" eff="unknown" path="II|Q" type="History"/>'
        '<annotation doc="D.C. Law 9-9" eff="2023-01-01" path="§1" type="History" display="false"/>'
        '<annotation type="Applicability" display="false">Hidden.</annotation>'
        '<annotation type="Temporary Legislation"><text>One.</text><include><para><num>(2)</num>'
        "<text>Two.</text></para></include></annotation></annotations>"
    )
    assert row.source_credit == (
        "July 2, 2011, D.C. Law 18-378, § 2, 58 DCR 1720; as added Apr. 6, 2023, D.C. Law 24-342, § 3(a); "
        "Sept. 6, 2023, D.C. Law 25-1, §§ 2(a), 2(b); D.C. Law 25-9"
    )
    assert [(note.topic, note.heading, note.text) for note in row.notes] == [
        ("Editor's Notes", None, "See Law 1-2."),
        ("Temporary Legislation", None, "One.\n(2) Two."),
    ]


def test_editors_note_among_the_text_is_a_note_and_says_when_the_section_ends(
    read_section: Callable[..., Provision],
) -> None:
    row = read_section(
        "<text>\n   *NOTE: This section was created by temporary legislation that will expire on May 1, 2025.*\n"
        "</text><text>Lamps burn.</text>"
    )
    assert row.text == "Lamps burn."
    assert row.status == "in_force"
    assert row.effective == Effective(
        None,
        date(2025, 5, 1),
        "This section was created by temporary legislation that will expire on May 1, 2025.",
    )
    assert [note.topic for note in row.notes] == ["NOTE"]
    assert row.notes[0].text.startswith("This section was created by")


def test_expiry_of_amendments_or_on_a_misspelt_day_does_not_end_the_section(
    read_section: Callable[..., Provision],
) -> None:
    row = read_section(
        "<text>*NOTE: This section includes amendments by temporary legislation that will expire on "
        "May 1, 2025.*</text><text>*NOTE: This section will expire on Novemebr 21, 2024.*</text><text>Lamps.</text>"
    )
    assert row.effective.end is None
    assert len(row.notes) == 2


def test_container_keeps_its_annotations_text_and_expiry(read: Callable[..., list[Unit]]) -> None:
    row = all_rows(
        read(
            {
                TITLE: title(
                    '<annotation type="History" doc="D.C. Law 2-1" eff="2001-05-01" path="§4"/>'
                    "<text>This title stands alone.</text>",
                    heading='Lamps. [Expires September 30, 2024]<annotation type="Note">Old.</annotation>',
                )
            }
        )
    )[0]
    assert row.heading == "Lamps. [Expires September 30, 2024]"
    assert row.source_credit == "May 1, 2001, D.C. Law 2-1, § 4"
    assert [(note.topic, note.text) for note in row.notes] == [("Note", "Old.")]
    assert row.text == "This title stands alone."
    assert row.effective == Effective(None, date(2024, 9, 30), "[Expires September 30, 2024]")


# --- status


@pytest.mark.parametrize(
    ("reason", "line", "status"),
    [
        ("Repealed", "Repealed.", "repealed"),
        ("Repealed", "[Repealed].", "repealed"),
        ("Abolished", "Abolished.", "repealed"),
        ("Expired", "Expired. .", "expired"),
        ("Not Funded", "Not Funded.", "omitted"),
        ("Not Fundeded", "Not Fundeded.", "omitted"),
        ("Not Applicable", "Not Applicable.", "omitted"),
        ("Omitted", "Omitted.", "omitted"),
        ("Transferred", "Recodified as § 1-152.", "transferred"),
        ("Recodified", "Recodified as § 1-152 [repealed].", "renumbered"),
        ("Renumbered", "Renumbered as § 22-1006.01.", "renumbered"),
        ("", "Recodified at § 8-2221.30.", "renumbered"),
        ("Reserved", "Reserved for future codification.", "reserved"),
    ],
)
def test_reason_gives_the_status_and_its_line_is_no_law(
    read_section: Callable[..., Provision], reason: str, line: str, status: str
) -> None:
    row = read_section(f"<reason>{reason}</reason><text>{line}</text>")
    assert (row.status, row.text) == (status, "")
    assert row.notes[0].topic == "reason"
    assert row.notes[0].text == (reason or line.rstrip("."))
    assert row.notes[-1].text == line.strip("[]. ") or row.notes[-1].text == reason


def test_day_of_application_is_kept(read_section: Callable[..., Provision]) -> None:
    row = read_section(
        "<reason>Applicable as of October 1, 2027</reason><text>[Pursuant to section 4 of D.C. Law 25-59, "
        "this section shall apply as of October 1, 2027].</text>"
    )
    assert (row.status, row.text, row.effective.start) == ("omitted", "", date(2027, 10, 1))


def test_reason_that_is_no_status_leaves_the_law_in_force(read_section: Callable[..., Provision]) -> None:
    row = read_section("<reason>Subpoenas</reason><para><num>(a)</num><text>Come.</text></para>")
    assert (row.status, row.text) == ("in_force", "(a) Come.")
    assert [(note.topic, note.text) for note in row.notes] == [("reason", "Subpoenas")]


@pytest.mark.parametrize(
    ("heading", "status"),
    [
        ("Wicks. [Repealed].", "repealed"),
        ("Wicks. [Expired.]", "expired"),
        ("[Reserved].", "reserved"),
        ("Reserved", "reserved"),
        ("Report. [Recodified]", "renumbered"),
        ("Rights reserved to District.", "in_force"),
        ("Duties of the [repealed] Board.", "in_force"),
        ("[Sunsets].", "in_force"),
    ],
)
def test_heading_gives_the_status_where_no_reason_does(
    read_section: Callable[..., Provision], heading: str, status: str
) -> None:
    assert read_section("", heading=heading).status == status


def test_line_gives_the_status_where_reason_and_heading_do_not(
    read_section: Callable[..., Provision],
) -> None:
    assert read_section("<text>Expired.</text>").status == "expired"
    assert read_section("<text>Repealed statutes stay repealed.</text>").status == "in_force"


def test_texts_kept_for_after_temporary_law_are_not_in_force(read_section: Callable[..., Provision]) -> None:
    row = read_section(
        "<text>*NOTE: This codification is <u><b>not</b></u> the most current.*</text><text>Lamps.</text>",
        num="29-101(Perm)",
    )
    assert (row.status, row.text, row.num) == ("reserved", "Lamps.", "29-101(Perm)")


def test_containers_have_a_status_of_their_own(read: Callable[..., list[Unit]]) -> None:
    reasons = "<reason>Not Funded</reason><reason>Repealed</reason>"
    units = read(
        {
            TITLE: title(
                container("Chapter", "1", include("29-1"), before=reasons)
                + container("Chapter", "2", "<text>[This chapter has been removed from the Code.]</text>")
                + container("Chapter", "3", heading="Repealed and Expired Provisions.")
                + container("Chapter", "4", heading="Nonrevival of Previously Repealed Acts.")
            ),
            "code/titles/29/sections/29-1.xml": section("29-1", "<text>Lamps burn.</text>"),
        }
    )
    statuses = {row.num: row.status for row in units[0].provisions}
    assert statuses == {
        "29": "in_force",
        "1": "repealed",
        "29-1": "in_force",
        "2": "omitted",
        "3": "repealed",
        "4": "in_force",
    }
    assert [note.text for note in units[0].provisions[1].notes] == ["Not Funded", "Repealed"]


def test_other_namespaces_of_the_same_schema_are_read(read: Callable[..., list[Unit]]) -> None:
    files = {
        TITLE: title(include("29-1")),
        "code/titles/29/sections/29-1.xml": section("29-1", "<para><num>(a)</num><text>Lamps.</text></para>"),
    }
    elsewhere = {
        path: text.replace("code.dccouncil.us/schemas/dc-library", "open.law/schemas/library")
        for path, text in files.items()
    }
    assert all_rows(read(dict(elsewhere)))[1].text == "(a) Lamps."
