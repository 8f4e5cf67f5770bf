"""The reader for D.C. law-xml: hierarchy, numbers and inclusions of the real files, in small files of our own words."""

from collections.abc import Callable

import pytest

from assets.ingest.model import Currency, Provision, Unit
from tests.assets.ingest.formats.dc_law_files import (
    SPACES,
    TITLE,
    TOP,
    all_rows,
    container,
    include,
    problems,
    section,
    title,
    top,
)

# --- hierarchy


def test_code_gives_a_unit_for_divisions_and_one_a_title(read_dc_law: Callable[..., list[Unit]]) -> None:
    units = read_dc_law(
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


def test_source_root_may_sit_at_any_depth(read_dc_law: Callable[..., list[Unit]]) -> None:
    deep = {
        "a/b/index.xml": top('<xi:include href="titles/29/index.xml"/>'),
        "a/b/titles/29/index.xml": title(""),
        "index.xml": f"<library {SPACES}><heading>All laws</heading></library>",
    }
    assert [unit.key for unit in read_dc_law(deep)] == ["t29"]


def test_titles_are_read_without_a_top_document_in_natural_order(
    read_dc_law: Callable[..., list[Unit]],
) -> None:
    units = read_dc_law({f"titles/{num}/index.xml": title("", num=num) for num in ("10", "2", "2A")})
    assert [unit.key for unit in units] == ["t2", "t2A", "t10"]
    assert units[0].currency is None


def test_a_source_without_any_index_is_a_problem(read_dc_law: Callable[..., list[Unit]]) -> None:
    assert "no index.xml" in problems(read_dc_law({"notes.xml": section("29-101", "")}))[0]


def test_containers_are_named_by_their_own_words(read_dc_law: Callable[..., list[Unit]]) -> None:
    nested = container(
        "Chapter", "8", container("Subchapter", "I", container("PART", "H-i", container("Subpart", "2")))
    )
    units = read_dc_law({TITLE: title(nested + container("Article", "2A", container("Unit", "B")))})
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


def test_subheading_owns_what_follows_up_to_the_next_of_its_kind(
    read_dc_law: Callable[..., list[Unit]],
) -> None:
    units = read_dc_law(
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
    read_dc_law: Callable[..., list[Unit]],
) -> None:
    first = container("Part", "B", heading="Wicks.")
    second = container("Part", "B", heading="Oil.")
    dead = container("Part", "B", heading="Soot. [Repealed]")
    for body in (first + second, second + first):
        rows = all_rows(read_dc_law({TITLE: title(body)}))
        assert {row.identifier for row in rows[1:]} == {"/dc/code/t29/ptB@wicks", "/dc/code/t29/ptB@oil"}
        assert len({row.citation for row in rows}) == 3
    rows = all_rows(read_dc_law({TITLE: title(dead + first)}))
    assert [row.identifier for row in rows[1:]] == ["/dc/code/t29/ptB@soot-repealed", "/dc/code/t29/ptB"]


def test_byte_ranges_are_those_of_the_elements(read_dc_law: Callable[..., list[Unit]]) -> None:
    files = {
        TITLE: title("<!-- <container> -->" + container("Chapter", "8", include("29-101"))),
        "code/titles/29/sections/29-101.xml": "<!-- <section> -->\n"
        + section("29-101", "<text>Lamps burn.</text>").partition("\n")[2]
        + "<!-- </section> -->",
    }
    rows = all_rows(read_dc_law(dict(files)))
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
    read_dc_section: Callable[..., Provision], num: str, file: str, identifier: str, citation: str
) -> None:
    row = read_dc_section("<text>Lamps burn.</text>", num=num, file=file, before="<prefix>§</prefix>")
    assert (row.identifier, row.citation, row.citable) == (identifier, citation, True)
    assert row.num == identifier.removeprefix("/dc/code/")


def test_sections_with_one_number_are_told_apart_by_law_then_heading(
    read_dc_law: Callable[..., list[Unit]],
) -> None:
    def history(law: str) -> str:
        return f'<annotations><annotation type="History">May 1, 2001, {law}, § 2</annotation></annotations>'

    units = read_dc_law(
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


def test_section_without_number_is_a_problem_with_its_place(read_dc_law: Callable[..., list[Unit]]) -> None:
    files = {TITLE: title(include("x")), "code/titles/29/sections/x.xml": section("", "<text>A.</text>")}
    assert problems(read_dc_law(files)) == [
        "code/titles/29/sections/x.xml:2:1: has a section without a number"
    ]


# --- inclusions


def test_broken_file_is_named_and_the_rest_of_the_title_is_read(
    read_dc_law: Callable[..., list[Unit]],
) -> None:
    folder = "code/titles/29/sections"
    broken = {
        "empty": b"",
        "torn": b"<section>\n  <num>29-2</num>\n  <heading>Wicks",
        "latin": "<?xml version='1.0' encoding='utf-8'?>\n<section><num>é</num></section>".encode("latin-1"),
        "doctype": b"<!DOCTYPE section [<!ENTITY lamp SYSTEM 'file:///etc/passwd'>]>\n<section>&lamp;</section>",
        "wide": section("29-3", "").replace("utf-8", "utf-16").encode("utf-16"),
        "other": b"<law/>",
    }
    units = read_dc_law(
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
    read_dc_law: Callable[..., list[Unit]], element: str, reason: str
) -> None:
    files = {
        TITLE: title(f"\n{element}\n" + include("29-1").replace("29-1.xml", "29-2.xml")),
        "code/titles/29/sections/29-2.xml": section("29-2", "<text>A.</text>"),
    }
    if "29-1" in element:
        files["code/titles/29/sections/29-1.xml"] = section("29-1", "")
    units = read_dc_law(files)
    assert "29-2" in {row.num for row in units[0].provisions}
    assert reason in problems(units)[0]
    assert problems(units)[0].startswith(f"{TITLE}:2:1: includes ")


def test_two_files_that_include_each_other_end(read_dc_law: Callable[..., list[Unit]]) -> None:
    units = read_dc_law(
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


def test_missing_and_broken_titles_are_units_of_their_own(read_dc_law: Callable[..., list[Unit]]) -> None:
    units = read_dc_law(
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


def test_file_that_is_included_in_part_is_not_read_and_reported(
    read_dc_law: Callable[..., list[Unit]],
) -> None:
    path = "code/titles/29/sections/29-1.xml"
    part = include("29-1").replace("/>", ' parse="text"/>')
    units = read_dc_law({TITLE: title(part), path: section("29-1", "<text>A.</text>")})
    assert [row.num for row in all_rows(units)] == ["29"]
    assert problems(units) == [f"{TITLE}:1:1: includes './sections/29-1.xml' other than as a whole XML file"]
    assert units[0].gaps == (f"Title 29 is read without 1 file that no index leads to: {path}.",)


def test_second_title_of_one_number_is_a_problem_and_the_first_is_read(
    read_dc_law: Callable[..., list[Unit]],
) -> None:
    other = "code/titles/30/index.xml"
    units = read_dc_law(
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
    read_dc_law: Callable[..., list[Unit]],
) -> None:
    numbers = ("29-1", "29-2")
    files = {f"code/titles/29/sections/{num}.xml": section(num, "<text>A.</text>") for num in numbers}
    files[TITLE] = title("".join(container("Chapter", "1", include(num)) for num in numbers))
    rows = {row.num: row for row in all_rows(read_dc_law(files))}
    assert rows["29-1"].parent != rows["29-2"].parent


def test_broken_top_document_leaves_the_titles(read_dc_law: Callable[..., list[Unit]]) -> None:
    units = read_dc_law({TOP: b"<document", TITLE: title("")})
    assert [(unit.key, len(unit.provisions)) for unit in units] == [("top", 0), ("t29", 1)]


def test_title_included_twice_is_read_once(read_dc_law: Callable[..., list[Unit]]) -> None:
    twice = '<xi:include href="./titles/29/index.xml"/>'
    units = read_dc_law({TOP: top(twice + "\n" + twice), TITLE: title("")})
    assert [unit.key for unit in units] == ["top", "t29"]
    assert problems(units) == [f"{TOP}:2:1: includes {TITLE!r} more than once"]


def test_file_that_no_index_leads_to_is_a_gap_and_not_law(read_dc_law: Callable[..., list[Unit]]) -> None:
    units = read_dc_law(
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
    read_dc_law: Callable[..., list[Unit]],
) -> None:
    index, inside = "code/titles/30/index.xml", "code/titles/30/sections/30-1.xml"
    units = read_dc_law(
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
    read_dc_law: Callable[..., list[Unit]], chapter: bytes | None
) -> None:
    inside = "code/titles/29/8/29-1.xml"
    files: dict[str, str | bytes] = {
        TITLE: title('<xi:include href="./8/index.xml"/>' + include("29-2")),
        inside: section("29-1", "<text>A.</text>"),
        "code/titles/29/sections/29-2.xml": section("29-2", "<text>B.</text>"),
    }
    if chapter is not None:
        files["code/titles/29/8/index.xml"] = chapter
    (unit,) = read_dc_law(files)
    assert [row.num for row in unit.provisions] == ["29", "29-2"]
    assert (unit.rest_is_whole, unit.unread, unit.gaps) == (False, (inside,), ())


def test_title_is_whole_save_for_a_broken_section(read_dc_law: Callable[..., list[Unit]]) -> None:
    (unit,) = read_dc_law(
        {
            TITLE: title(include("29-1") + include("29-2")),
            "code/titles/29/sections/29-1.xml": b"<section><num>29-1",
            "code/titles/29/sections/29-2.xml": section("29-2", "<text>B.</text>"),
        }
    )
    assert [row.num for row in unit.provisions] == ["29", "29-2"]
    assert str(unit.problems[0]).startswith("code/titles/29/sections/29-1.xml:1:")
    assert (unit.rest_is_whole, unit.unread, unit.gaps) == (True, (), ())


def test_containers_and_sections_may_stand_in_the_file_itself(read_dc_law: Callable[..., list[Unit]]) -> None:
    inline = (
        "<container><prefix>Title</prefix><num>3</num><heading>Wicks.</heading>"
        "<section><num>3-1</num><heading>Trim.</heading><text>Trim wicks.</text></section></container>"
    )
    units = read_dc_law({TOP: top(inline)})
    assert [unit.key for unit in units] == ["t3"]
    assert [row.identifier for row in units[0].provisions] == ["/dc/code/t3", "/dc/code/3-1"]
    assert units[0].provisions[1].text == "Trim wicks."


def test_other_namespaces_of_the_same_schema_are_read(read_dc_law: Callable[..., list[Unit]]) -> None:
    files = {
        TITLE: title(include("29-1")),
        "code/titles/29/sections/29-1.xml": section("29-1", "<para><num>(a)</num><text>Lamps.</text></para>"),
    }
    elsewhere = {
        path: text.replace("code.dccouncil.us/schemas/dc-library", "open.law/schemas/library")
        for path, text in files.items()
    }
    assert all_rows(read_dc_law(dict(elsewhere)))[1].text == "(a) Lamps."
