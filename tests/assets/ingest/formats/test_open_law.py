"""The reader for Open Law Library publishers: XML, sites and their editions, in small files of our own words."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from assets.ingest.accounting import squeeze
from assets.ingest.formats import open_law
from assets.ingest.model import Currency, Provision, SourceFiles, Unit
from assets.ingest.oracles.open_law import account
from assets.registry import CodeBody
from serving.contract.records import Note

Files = Callable[[dict[str, bytes]], SourceFiles]
Read = Callable[..., list[Unit]]

SPACES = 'xmlns="https://open.law/schemas/library" xmlns:xi="http://www.w3.org/2001/XInclude"'
CODE = "us/zz/cities/harbor/code"
ADDRESS = f"/{CODE}"

BODY = CodeBody(
    key="zz-harbor-code",
    name="Harbor Municipal Code",
    jurisdiction="zz-harbor",
    reader="open_law",
    root="/zz-harbor/code",
    source_root=ADDRESS,
    citation="Harbor Mun. Code § {num}",
    short_name="Harbor Mun. Code",
    publisher="this project",
    license="Apache-2.0",
)


def library(*, built: str | None = None, start: str = "2018-03-05") -> str:
    build = f"<build><build-date>2026-01-01</build-date><codified-date>{built}</codified-date></build>"
    meta = f"<history-start>{start}</history-start>{build if built else ''}"
    return f"<library {SPACES}><heading>Library</heading><meta>{meta}</meta></library>"


def document(body: str) -> str:
    meta = "<meta><effective>0001-01-02</effective></meta>"
    return f'<document {SPACES} id="Harbor Code"><heading>Harbor Code</heading>{meta}{body}</document>'


def container(word: str, num: str, heading: str, body: str = "", *, root: bool = False) -> str:
    spaces = f' {SPACES} containing-doc="Harbor Code"' if root else ""
    return f"<container{spaces}><prefix>{word}</prefix><num>{num}</num><heading>{heading}</heading>{body}</container>"


def section(num: str, heading: str, body: str, *, word: str = "") -> str:
    prefix = f"<prefix>{word}</prefix>" if word else ""
    return f"<section>{prefix}<num>{num}</num><heading>{heading}</heading>{body}</section>"


def xml_code(*titles: str) -> dict[str, str]:
    """A library in XML: a document that includes its titles, each in a file of its own."""
    includes = "".join(f'<xi:include href="./{number}.xml"/>' for number in range(1, len(titles) + 1))
    files = {f"xml/{CODE}/{number}.xml": title for number, title in enumerate(titles, 1)}
    return {"xml/index.xml": library(), f"xml/{CODE}/index.xml": document(includes), **files}


def page(kind: str, order: str, title: str, body: str = "", *, path: str = "") -> str:
    """A page of a site, with the frame that a site puts around it."""
    return (
        '<!DOCTYPE html SYSTEM "about:legacy-compat">\n<html lang="en-US"><head><meta charset="utf-8"/>'
        f'<title>{title} | Library</title><meta itemprop="order" content="{order}"/>'
        f'<meta itemprop="doc-type" content="{kind}"/></head><body><nav>Frame</nav><main>'
        f'<article class="content"><div class="tuf-authenticate"><h1 class="h__toc" id="{ADDRESS}{path}">{title}</h1>'
        f"{body}<hr/></div></article></main><footer>Frame</footer></body></html>"
    )


def contents(*lines: str) -> str:
    items = [
        f'<li><a href="{ADDRESS}/{line}">{line} X</a><span>§§ 1 – 2</span></li>'
        if line[0].isdigit()
        else line
        for line in lines
    ]
    return f'<nav class="toc"><ul class="toc__menu">{"".join(items)}</ul></nav>'


def site(*, day: str = "2020-03-04", **pages: str) -> dict[str, str]:
    """A site of title 2 with one chapter, whose sections are given by the number's end."""
    listed = [f"2.04.{number.removeprefix('s')}" for number in pages]
    metadata = f'{{"meta": {{"build": {{"build-date": "2020-02-11", "codified-date": "{day}"}}}}}}'
    base = f"html/{CODE}"
    return {
        "html/metadata.json": metadata,
        f"{base}.html": page("document", "", "Harbor Code.", contents("2")),
        f"{base}/2.html": page("container", "|2|", "Title 2 PIERS", contents("2.04"), path="/2"),
        f"{base}/2.04.html": page(
            "container", "|2|2.04|", "Chapter 2.04 MOORING", contents(*listed), path="/2.04"
        ),
        **{
            f"{base}/{number}.html": page(
                "section", f"|2|2.04|{number}|", f"{number} MOORING FEES.", body, path=f"/{number}"
            )
            for number, body in zip(listed, pages.values(), strict=True)
        },
    }


@pytest.fixture
def read(source_files: Files) -> Read:
    """Read files given by path; where no file is broken, the oracle must agree on each file that is used."""

    def _read(files: dict[str, str], body: CodeBody = BODY) -> list[Unit]:
        source = source_files({path: text.encode() for path, text in files.items()})
        units = list(open_law.read(source, body))
        if not any(unit.problems for unit in units):
            _assert_nothing_lost(source, units)
        return units

    return _read


def _assert_nothing_lost(source: SourceFiles, units: list[Unit]) -> None:
    used = {row.file for unit in units for row in unit.provisions}
    aside = {path for unit in units for path in (*unit.unread, *unit.partly)}
    for file in source:
        if file.path in used or (file.path.endswith(".xml") and file.path not in aside):
            texts = [row.text for unit in units for row in unit.provisions if row.file == file.path]
            if file.path not in aside:
                assert squeeze("".join(texts)) == account(file).operative


def rows_of(units: list[Unit]) -> dict[str, Provision]:
    return {row.identifier: row for unit in units for row in unit.provisions}


def problems(units: list[Unit]) -> list[str]:
    return [str(problem) for unit in units for problem in unit.problems]


PIERS = container(
    "Title",
    "1",
    "PIERS",
    container(
        "Chapter",
        "1.04",
        "MOORING",
        section(
            "1.04.010",
            "FEES.",
            '<text>Fees under <cite path="1.04.020|(a)">Section 1.04.020(a)</cite> are due.</text>'
            "<para><num>(a)</num><text>Daily:</text><para><num>1.</num><text>boats;</text></para></para>"
            '<annotations><annotation doc="Harbor Ord. No. 2012-2" path="§1" type="History"/></annotations>',
        )
        + section("1.04.020", "[RESERVED]", ""),
    ),
    root=True,
)


def test_numbers_are_whole_and_containers_are_named_by_their_prefix(read: Read) -> None:
    rows = rows_of(read(xml_code(PIERS)))
    assert list(rows) == [
        "/zz-harbor/code/t1",
        "/zz-harbor/code/t1/ch1.04",
        "/zz-harbor/code/1.04.010",
        "/zz-harbor/code/1.04.020",
    ]
    fees = rows["/zz-harbor/code/1.04.010"]
    assert (fees.citation, fees.parent) == ("Harbor Mun. Code § 1.04.010", "/zz-harbor/code/t1/ch1.04")
    assert [(part.label, fees.text[part.start : part.end]) for part in fees.outline] == [
        ("(a)", "(a) Daily:\n1. boats;"),
        ("(a)(1)", "1. boats;"),
    ]
    assert fees.references[0].target == "1.04.020|(a)"
    assert fees.source_credit == "Harbor Ord. No. 2012-2, § 1"
    assert rows["/zz-harbor/code/1.04.020"].status == "reserved"


def test_numbers_that_begin_with_a_dot_go_on_from_their_containers(read: Read) -> None:
    regulation = section(".04", "Appeals - Repealed", "", word="Regulation")
    chapter = container("Chapter", "01", "Credits", regulation)
    title = container("Title", "10", "Health", container("Subtitle", "21", "Care", chapter), root=True)
    rows = rows_of(read(xml_code(title)))
    row = rows["/zz-harbor/code/10.21.01.04"]
    assert (row.num, row.level, row.citation) == (
        "10.21.01.04",
        "regulation",
        "Harbor Mun. Code § 10.21.01.04",
    )
    assert row.status == "repealed"


def test_bare_numbers_that_restart_are_told_by_their_containers(read: Read) -> None:
    titles = [
        container(
            "Title", str(number), "Peoples", section("101", "Short title.", "<text>Law.</text>"), root=True
        )
        for number in (1, 2)
    ]
    rows = rows_of(read(xml_code(*titles)))
    assert [row.num for row in rows.values() if row.citable] == ["1-101", "2-101"]
    assert [row.num for row in rows_of(read(xml_code(titles[0]))).values() if row.citable] == ["101"]


ARTICLES = replace(BODY, citation="Harbor Code art. {title}, § {num}", short_name="Harbor Code")


def test_numbers_that_begin_anew_in_each_title_go_with_their_title(read: Read) -> None:
    body = section("1-1", "Scope.", "<text>Law.</text>", word="§")
    articles = [container("Article", num, "Boats", body, root=True) for num in ("7", "22A")]
    health = f'<container {SPACES} name="health"><heading>Health and Care</heading>{body}</container>'
    rows = rows_of(read(xml_code(*articles, health), ARTICLES))
    assert [(key, row.num, row.citation) for key, row in rows.items() if row.level == "section"] == [
        ("/zz-harbor/code/t7/s1-1", "1-1", "Harbor Code art. 7, § 1-1"),
        ("/zz-harbor/code/t22A/s1-1", "1-1", "Harbor Code art. 22A, § 1-1"),
        ("/zz-harbor/code/health/s1-1", None, "Harbor Code Health and Care, § 1-1"),
    ]


def test_footnotes_are_notes_and_their_marks_no_words(read: Read) -> None:
    part = (
        "<para><num>A.</num><text>Boats need<fn>2</fn> lamps.</text><footnotes><footnote><num>2</num>"
        "<text>Editor's Note: lamps are new.</text></footnote></footnotes></para>"
    )
    chapter = container(
        "Chapter",
        "306",
        "BOATS",
        '<annotations><annotation type="History">Adopted by Ord. No. 13-47<fn>1</fn></annotation></annotations>'
        "<footnotes><footnote><num>1</num><text>Superseded Ord. No. 80-17.</text></footnote></footnotes>"
        + section("306-1", "Lamps.", part),
        root=True,
    )
    above, row = rows_of(read(xml_code(chapter))).values()
    assert (above.text, above.source_credit) == ("", "Adopted by Ord. No. 13-47")
    assert above.notes == (Note("footnote", "1", "Superseded Ord. No. 80-17."),)
    assert (row.text, row.notes) == (
        "A. Boats need lamps.",
        (Note("footnote", "2", "Editor's Note: lamps are new."),),
    )


def test_footnotes_of_a_page_are_notes_and_their_marks_no_words(read: Read) -> None:
    anchor = '<a class="footnote-anchor" id="note-1" href="#footnote-1">1</a>'
    notes = (
        '<section role="doc-endnotes"><h3>Footnotes</h3><ol class="footnotes"><li id="footnote-1">'
        '<a href="#note-1">1. </a><p>Editor\'s Note: new.</p></li></ol></section>'
    )
    history = f'<aside class="annotations"><h2>History</h2><p>Ord. No. 13-47{anchor}</p></aside>'
    row = rows_of(read(site(s010=f"<p>Boats need{anchor} lamps.</p>{history}{notes}")))
    found = row["/zz-harbor/code/2.04.010"]
    assert (found.text, found.source_credit) == ("Boats need lamps.", "Ord. No. 13-47")
    assert found.notes == (Note("footnote", "1", "Editor's Note: new."),)


def test_why_a_part_has_no_words_is_what_it_says(read: Read) -> None:
    parts = (
        "<para><num>101.2</num><heading>Scope.</heading><reason>As in the model code</reason>"
        "<text>Boats are exempt.</text></para><para><num>(2)</num><reason>Repealed</reason></para>"
    )
    chapter = container("Chapter", "1", "BOATS", section("1-1", "Boats.", parts), root=True)
    row = rows_of(read(xml_code(chapter)))["/zz-harbor/code/1-1"]
    assert row.text == "101.2 Scope. As in the model code\nBoats are exempt.\n(2) Repealed"
    assert row.status == "in_force"


@pytest.mark.parametrize("reason", ["Transferred to § 1-5(c)", "Reserved"])
def test_a_reason_may_say_where_a_section_went(read: Read, reason: str) -> None:
    gone = f"<section><num>1-6</num><reason>{reason}</reason></section>"
    row = rows_of(read(xml_code(container("Chapter", "1", "BOATS", gone, root=True))))
    assert row["/zz-harbor/code/1-6"].status == reason.split(maxsplit=1)[0].lower()


def test_a_section_without_a_number_is_named_by_its_heading(read: Read) -> None:
    preamble = "<section><heading>Preamble.</heading><text>We, the people of the harbor.</text></section>"
    rows = rows_of(read(xml_code(container("Title", "1", "ALL", preamble, root=True))))
    row = rows["/zz-harbor/code/t1/preamble"]
    assert (row.num, row.citable, row.citation) == (None, False, "Harbor Mun. Code tit. 1, Preamble")


def test_other_words_and_full_stops_after_numbers_leave_plain_identifiers(read: Read) -> None:
    order = section("§ 12.", "Boats.", "<text>Law.</text>")
    year = container("Executive Orders", "1986", "", order)
    rows = rows_of(read(xml_code(container("Title", "1.", "ALL", year, root=True))))
    assert list(rows) == [
        "/zz-harbor/code/t1",
        "/zz-harbor/code/t1/executive-orders1986",
        "/zz-harbor/code/12",
    ]


def test_raised_digits_stay_apart_from_the_number_before(read: Read) -> None:
    table = "<text><table><tr><td>4,400<sup>2</sup></td><td>40<sup>th</sup></td>"
    table += "<td>5<sup> <em>1, 3</em></sup></td><td>6<sup>1</sup>⁄<sub>2</sub></td></tr></table></text>"
    rows = rows_of(
        read(xml_code(container("Title", "1", "LOTS", section("1.04.010", "LOTS.", table), root=True)))
    )
    assert rows["/zz-harbor/code/1.04.010"].text == "4,400² | 40th | 5 ¹, ³ | 6 1⁄2"


def test_a_title_filed_elsewhere_says_so_and_has_no_text(read: Read) -> None:
    filed = "<text>(DE-CODIFIED—TITLE FILED IN CITY CLERK'S OFFICE)</text>"
    (row,) = rows_of(read(xml_code(container("Title", "1", "PARKING", filed, root=True)))).values()
    assert (row.status, row.text, len(row.notes)) == ("omitted", "", 1)


def test_a_library_that_is_not_built_is_of_the_day_its_history_starts(read: Read) -> None:
    files = xml_code(PIERS)
    assert read(files)[0].currency == Currency("2018-03-05", "2018-03-05")
    built = read(files | {"xml/index.xml": library(built="2026-05-28")})
    assert built[0].currency == Currency("2026-05-28", "2026-05-28")


def test_a_title_that_is_listed_and_not_there_comes_from_the_file_that_was_replaced(read: Read) -> None:
    files = xml_code(PIERS, "")
    del files[f"xml/{CODE}/2.xml"]
    second = container("Title", "2", "DOCKS", section("2.04.010", "DOCKS.", "<text>Old.</text>"))
    files[f"xml/{CODE}/index.xml.bak"] = document(container("Title", "1", "PIERS") + second)
    first, other = read(files)
    assert other.provisions[1].text == "Old."
    assert other.partly == (f"xml/{CODE}/index.xml.bak",)
    assert not other.problems
    assert first.provisions[0].file.endswith("/1.xml")


def test_the_newest_edition_wins_and_an_older_one_fills_a_title_that_it_lacks(read: Read) -> None:
    pages = site(s010="<p>New.</p>")
    older = xml_code(PIERS)
    newest = read(older | pages)
    assert [unit.key for unit in newest] == ["t2"]
    assert set(newest[0].unread) == set(older)  # nothing of the older edition is held, so nothing is compared
    later = {**older, "xml/index.xml": library(built="2025-01-01")}
    later[f"xml/{CODE}/index.xml"] = document('<xi:include href="./1.xml"/><xi:include href="./2.xml"/>')
    first, second = read(later | pages)
    assert first.currency == Currency("2025-01-01", "2025-01-01")
    assert second.currency == Currency("2020-03-04", "2020-03-04")
    assert second.gaps == (
        "Title 2 is as of 2020-03-04: the edition of 2025-01-01 lists it and does not hold it.",
    )
    assert not problems([first, second])


def test_an_older_edition_that_lacks_a_listed_page_says_so(read: Read) -> None:
    pages = site(s010="<p>Law.</p>", s020="<p>Law.</p>")
    del pages[f"html/{CODE}/2.04.020.html"]
    newest = {**xml_code(PIERS), "xml/index.xml": library(built="2025-01-01")}
    newest[f"xml/{CODE}/index.xml"] = document('<xi:include href="./1.xml"/><xi:include href="./2.xml"/>')
    first, second = read(newest | pages)
    said = f"html/{CODE}/2.04.html:2:1: lists '{ADDRESS}/2.04.020', which is no page of the source"
    assert problems([first, second]) == [said]
    assert second.rest_is_whole


def test_a_broken_title_falls_back_and_stays_a_problem(read: Read) -> None:
    files = xml_code(PIERS, "<container")
    files["xml/index.xml"] = library(built="2025-01-01")
    first, second = read(files | site(s010="<p>Older.</p>"))
    assert not first.problems
    assert second.provisions[-1].text == "Older."
    assert [problem.file for problem in second.problems] == [f"xml/{CODE}/2.xml"]


def test_a_document_may_be_a_file_of_its_own(read: Read) -> None:
    charter = document(container("Article", "I", "CITY", section("101", "Name.", "<text>Law.</text>")))
    files = {**xml_code(PIERS), f"xml/{CODE.removesuffix('code')}charter.xml": charter}
    body = replace(BODY, source_root=ADDRESS.replace("code", "charter"))
    units = read(files, body)
    assert [(row.num, row.file) for row in rows_of(units).values() if row.citable] == [
        ("101", f"xml/{CODE.removesuffix('code')}charter.xml")
    ]
    assert f"xml/{CODE}/1.xml" in units[0].unread


def test_titles_of_another_document_are_not_taken_for_those_of_the_body(read: Read) -> None:
    units = read(xml_code(PIERS), replace(BODY, source_root=ADDRESS.replace("code", "charter")))
    assert not rows_of(units)
    assert "holds no document" in problems(units)[0]


def test_other_documents_of_the_library_are_left_alone(read: Read) -> None:
    charter = document(container("Article", "I", "CITY", section("1.01", "NAME.", "<text>Harbor.</text>")))
    files = xml_code(PIERS) | {"xml/us/zz/cities/harbor/charter/index.xml": charter}
    (unit,) = read(files)
    assert "xml/us/zz/cities/harbor/charter/index.xml" in unit.unread
    said = problems(read(files, replace(BODY, source_root=None)))
    assert said == ["index.xml: the source holds several documents (charter, code); name one as source_root"]


@pytest.mark.parametrize("prefix", ["", "code/", "harbor/code/", f"deep/down/{CODE}/"])
def test_a_source_may_begin_above_the_document_or_within_its_address(read: Read, prefix: str) -> None:
    files = {
        f"{prefix}index.xml": document('<xi:include href="./1.xml"/>'),
        f"{prefix}1.xml": PIERS,
    }
    assert len(rows_of(read(files))) == 4


def test_titles_alone_are_read_without_a_document(read: Read) -> None:
    (unit,) = read({"1.xml": PIERS})
    assert (unit.key, len(unit.provisions)) == ("t1", 4)


def test_a_source_without_the_document_says_what_it_looked_for(read: Read) -> None:
    assert problems(read({"readme.txt": "x"})) == [
        f"index.xml: the source holds no document of {ADDRESS} in XML or as a site"
    ]


def test_pages_give_text_parts_references_history_and_notes(read: Read) -> None:
    body = (
        f'<p>Fees under <a href="{ADDRESS}/2.04.020#(a)(1)">Section 2.04.020(a)(1)</a> and'
        ' <a href="https://law.example/1">elsewhere</a>:</p>'
        '<p class="text-indent-1"><span class="level-num" id="(a)">(a)</span>'
        ' <span class="level-heading">Daily.</span> Boats;</p>'
        '<p class="text-indent-2"><span class="level-num" id="(a)(1)">(1)</span>'
        '<span class="level-num" id="(a)(1)(A)">(A)</span> rafts;</p>'
        '<div class="table_wrap"><table><thead><tr><th>Boat</th><th>Fee</th></tr></thead>'
        "<tbody><tr><td>Raft</td><td>4,400<sup>2</sup></td></tr></tbody></table></div>"
        '<p>Flush words.</p><p class="text-indent-1"><span class="level-num" id="(b)">(b)</span> Ships.</p>'
        '<p class="quote"><span class="level-num" id="">(1)</span> Quoted.</p><ul><li>One</li><li>Two</li></ul>'
        '<p class=" img_wrap"><img alt="A map" src="data:image/png;base64,AAAA"/></p>'
        '<aside class="annotations"><p> (<a href="/us/zz/ordinances/2018/4">Ord. No. 2018-4 § 3</a>;'
        " prior code § 1(a).) </p><h4>Cross References</h4><p>Section 2.04.030</p></aside>"
    )
    row = rows_of(read(site(s010=body)))["/zz-harbor/code/2.04.010"]
    assert row.text.split("\n") == [
        "Fees under Section 2.04.020(a)(1) and elsewhere:",
        "(a) Daily. Boats;",
        "(1)(A) rafts;",
        "Boat | Fee",
        "Raft | 4,400²",
        "Flush words.",
        "(b) Ships.",
        "(1) Quoted.",
        "One",
        "Two",
    ]
    parts = {part.label: row.text[part.start : part.end] for part in row.outline}
    assert parts["(a)"].endswith("Flush words.")
    assert parts["(a)(1)"].startswith("(1)(A) rafts;")
    assert parts["(a)(1)(A)"].endswith("4,400²")
    assert parts["(b)"] == "(b) Ships.\n(1) Quoted.\nOne\nTwo"
    assert [(row.text[own.start : own.end], own.target) for own in row.references] == [
        ("Section 2.04.020(a)(1)", "2.04.020|(a)(1)"),
        ("elsewhere", "https://law.example/1"),
    ]
    assert row.source_credit == "Ord. No. 2018-4 § 3; prior code § 1(a)"
    assert [(note.topic, note.text) for note in row.notes] == [
        ("image", "A map"),
        ("Cross References", "Section 2.04.030"),
    ]


def test_words_after_a_list_belong_to_the_section_and_a_list_that_begins_anew_to_none(read: Read) -> None:
    item = '<p class="text-indent-1"><span class="level-num" id="({0})">({0})</span> Item {0}.</p>'
    body = (
        "".join(item.format(number) for number in (1, 2)) + "<p>Again:</p>" + item.format(1) + "<p>End.</p>"
    )
    row = rows_of(read(site(s010=body)))["/zz-harbor/code/2.04.010"]
    assert [row.text[part.start : part.end] for part in row.outline] == [
        "(1) Item 1.",
        "(2) Item 2.",
        "(1) Item 1.",
    ]


def test_indented_words_without_a_designator_belong_to_the_part_that_lies_so_deep(read: Read) -> None:
    part = '<p class="text-indent-{0}"><span class="level-num" id="x">{1}</span> Item.</p>'
    body = (
        part.format(1, "A.")
        + part.format(2, "1.")
        + part.format(3, "a.")
        + '<p class="text-indent-1 quote"><span class="level-num">1.</span> Quoted.</p>'
        + '<p class="text-indent-2">Words of 1.</p><p class="text-indent-1">Words of A.</p>'
        + part.format(1, "B.")
    )
    row = rows_of(read(site(s010=body)))["/zz-harbor/code/2.04.010"]
    assert {part.label: row.text[part.start : part.end].split("\n")[-1] for part in row.outline} == {
        "(A)": "Words of A.",
        "(A)(1)": "Words of 1.",
        "(A)(1)(a)": "1. Quoted.",
        "(B)": "B. Item.",
    }


def test_pages_say_what_is_repealed(read: Read) -> None:
    row = rows_of(read(site(s010="<p>[Repealed]</p>")))["/zz-harbor/code/2.04.010"]
    assert (row.status, row.text) == ("repealed", "")


def test_pages_say_in_braces_what_became_of_a_range(read: Read) -> None:
    pages = site(s7to8="", s6="")
    base = f"html/{CODE}"
    for number, title in (("2.04.7to8", "7 to 8. {Reserved}"), ("2.04.6", "6. {Transferred to § 5(c)}")):
        order = f"|2|2.04|{number.removeprefix('2.04.')}|"
        pages[f"{base}/{number}.html"] = page("section", order, title, path=f"/{number}")
    rows = [row for row in rows_of(read(pages)).values() if row.citable]
    assert {(row.num, row.status) for row in rows} == {("7-8", "reserved"), ("6", "transferred")}


def test_text_that_a_page_strikes_is_left_out_and_no_loss(read: Read) -> None:
    row = rows_of(read(site(s010="<p>A boat may carry<s>s</s> lamps <s>and oil</s>.</p>")))
    assert row["/zz-harbor/code/2.04.010"].text == "A boat may carry lamps ."


def test_subheadings_in_contents_own_what_follows_them(read: Read) -> None:
    pages = site(s010="<p>Law.</p>")
    chapter = contents('<h2 class="line subheading">Article II Open Water</h2>', "2.04.010")
    path = f"html/{CODE}/2.04.html"
    pages[path] = page("container", "|2|2.04|", "Chapter 2.04 MOORING", chapter, path="/2.04")
    rows = rows_of(read(pages))
    article = rows["/zz-harbor/code/t2/ch2.04/artII"]
    assert (article.level, article.num, article.heading) == ("article", "II", "Open Water")
    assert rows["/zz-harbor/code/2.04.010"].parent == article.identifier


def test_a_site_may_keep_pages_as_folders_and_number_them_from_their_containers(read: Read) -> None:
    base = f"html/{CODE}"
    files = {
        f"{base}/index.html": page("document", "", "Harbor Regulations", contents("10")),
        f"{base}/10/index.html": page("container", "|10|", "Title 10 HEALTH", contents("10.01"), path="/10"),
        f"{base}/10.01/index.html": page(
            "container", "|10|01|", "Chapter 01 Credits", contents("10.01.04"), path="/10.01"
        ),
        f"{base}/10.01.04/index.html": page(
            "section",
            "|10|01|.04|",
            "Executive Order 10.01.04<br/>Boats",
            '<div class="message message--info"><p>Pending.</p></div><p>Law.</p>'
            '<aside class="annotations"><h2>Administrative History</h2><p>Effective June 25, 1986.</p></aside>',
            path="/10.01.04",
        ),
    }
    files[f"{base}/10.01/index.full.html"] = "<html/>"
    row = rows_of(read(files))["/zz-harbor/code/10.01.04"]
    assert (row.num, row.level, row.heading, row.text) == ("10.01.04", "executive order", "Boats", "Law.")
    assert row.source_credit == "Effective June 25, 1986."


@pytest.mark.parametrize(
    ("line", "credit"),
    [
        (
            '(<a href="/us/zz/ordinances/2026/02">Ord. No. 2026-02 §§ 13, 14</a>.)',
            "Ord. No. 2026-02 §§ 13, 14",
        ),
        ("(Renumbered PR30-007 (part), 5/17/13.)", "Renumbered PR30-007 (part), 5/17/13"),
        (f'(See <a href="{ADDRESS}/2.04.010">Section 2.04.010</a>.)', None),
        ("(1983) and after (1990)", None),
        ("Adopted by Ord. No. 5 (1990).", None),
        ("(Reserved for boats.)", None),
    ],
)
def test_an_untitled_line_in_brackets_beside_a_container_is_its_history(
    read: Read, line: str, credit: str | None
) -> None:
    notes = (
        f'<section class="annotations"><p>{line}</p><h2>Cross References</h2><p>(Ord. No. 7.)</p></section>'
    )
    files = {
        f"html/{CODE}/index.html": page("document", "", "Harbor Regulations", contents("10")),
        f"html/{CODE}/10/index.html": page(
            "container", "|10|", "Title 10 HEALTH", contents() + notes, path="/10"
        ),
    }
    row = rows_of(read(files))["/zz-harbor/code/t10"]
    assert row.source_credit == credit
    told = [(note.topic, note.text) for note in row.notes]
    assert told[-1] == ("Cross References", "(Ord. No. 7.)")
    assert [topic for topic, _ in told[:-1]] == ([] if credit else ["annotation"])


def test_a_number_is_the_printed_one_where_a_page_stands_at_another(read: Read) -> None:
    pages = site(s010="<p>Law.</p>")
    path = f"html/{CODE}/2.04.010.html"
    stated = '<meta itemprop="doc-num" content="2.04.010.1"/></head>'
    pages[path] = pages[path].replace("2.04.010 MOORING", "2.04.010.1 MOORING").replace("</head>", stated)
    row = rows_of(read(pages))["/zz-harbor/code/2.04.010.1"]
    assert (row.num, row.heading) == ("2.04.010.1", "MOORING FEES.")


def test_broken_missing_and_unlisted_pages_are_named_and_cost_themselves(read: Read) -> None:
    pages = site(s010="<p>Law.</p>", s020="<p>Law.</p>", s030="<p>Law.</p>")
    base = f"html/{CODE}"
    pages[f"{base}/2.04.010.html"] = pages[f"{base}/2.04.010.html"].replace("</article>", "")
    del pages[f"{base}/2.04.020.html"]
    pages[f"{base}/2.04.040.html"] = pages[f"{base}/2.04.030.html"]
    pages[f"{base}/2.04.050.html"] = "<html><body/></html>"
    (unit,) = read(pages)
    assert [row.num for row in unit.provisions] == ["2", "2.04", "2.04.030"]
    said = problems([unit])
    assert said[0].startswith(f"{base}/2.04.010.html:2:")
    assert said[1] == f"{base}/2.04.html:2:1: lists '{ADDRESS}/2.04.020', which is no page of the source"
    unlisted = (f"{base}/2.04.040.html", f"{base}/2.04.050.html")
    assert (len(said), unit.unread, unit.rest_is_whole) == (2, unlisted, True)
    named = ", ".join(unlisted)
    assert unit.gaps == (f"Title 2 is read without 2 files that no table of contents leads to: {named}.",)


def test_missing_page_of_a_chapter_costs_the_pages_that_it_would_list(read: Read) -> None:
    pages = site(s010="<p>Law.</p>")
    base = f"html/{CODE}"
    del pages[f"{base}/2.04.html"]
    (unit,) = read(pages)
    assert [row.num for row in unit.provisions] == ["2"]
    assert (unit.unread, unit.rest_is_whole, unit.gaps) == ((f"{base}/2.04.010.html",), False, ())


def test_pages_that_only_a_broken_page_lists_are_set_aside_not_called_unlisted(read: Read) -> None:
    pages = site(s010="<p>Law.</p>")
    base = f"html/{CODE}"
    for broken in ("2", "2.04"):
        (unit,) = read(pages | {f"{base}/{broken}.html": ""})
        assert problems([unit]) == [f"{base}/{broken}.html:1:1: the file is empty"]
        assert f"{base}/2.04.010.html" in unit.unread


def test_a_page_that_lists_itself_ends(read: Read) -> None:
    pages = site(s010="<p>Law.</p>")
    path = f"html/{CODE}/2.04.html"
    pages[path] = page("container", "|2|2.04|", "Chapter 2.04 MOORING", contents("2.04", "2.04.010"))
    (unit,) = read(pages)
    assert problems([unit]) == [
        f"{path}:2:1: lists '{ADDRESS}/2.04', which is listed before",
    ]


def test_an_edition_whose_first_page_is_broken_makes_every_title_a_problem(read: Read) -> None:
    """It may be newer than what can be read: the last good build is kept, not an older text published."""
    pages = site(s010="<p>New.</p>")
    pages[f"html/{CODE}.html"] = "<html>"
    (unit,) = read(xml_code(PIERS) | pages)
    assert unit.provisions
    assert [problem.file for problem in unit.problems] == [f"html/{CODE}.html"]


def test_byte_ranges_hold_the_article(read: Read, source_files: Files) -> None:
    pages = site(s010="<p>Law.</p>")
    row = rows_of(read(pages))["/zz-harbor/code/2.04.010"]
    held = pages[row.file].encode()[row.byte_start : row.byte_end]
    assert held.startswith(b"<article")
    assert held.endswith(b"</article>")


@pytest.mark.parametrize(
    ("num", "heading", "found"),
    [
        (".06", "— .08 Recodified", ("1.06-.08", "Recodified", "renumbered")),
        (".06", "— .08 Repealed.", ("1.06-.08", "Repealed.", "repealed")),
        (".06", ". Reserved.", ("1.06", ". Reserved.", "reserved")),
        (".06", "— 8 Feet Wide", ("1.06", "— 8 Feet Wide", "in_force")),
        ("1-110 through 1-112", "[Repealed].", ("1-110-1-112", "[Repealed].", "repealed")),
        ("1-110 to 1-112", "Reserved", ("1-110-1-112", "Reserved", "reserved")),
    ],
)
def test_a_range_may_go_on_in_the_heading_or_in_words(
    read: Read, num: str, heading: str, found: tuple[str, str, str]
) -> None:
    rows = rows_of(read(xml_code(container("Chapter", "1", "BOATS", section(num, heading, ""), root=True))))
    assert [(row.num, row.heading, row.status) for row in rows.values() if row.citable] == [found]
