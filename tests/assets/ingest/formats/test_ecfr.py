"""The reader of the eCFR over small titles with what real ones hold, beside its oracle."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assets.ingest.accounting import Fate, squeeze
from assets.ingest.formats import ecfr
from assets.ingest.model import Provision, SourceFiles, Unit
from assets.ingest.oracles.ecfr import account
from assets.registry import load_registry

Read = Callable[..., list[Unit]]
Rows = Callable[..., dict[str, Provision]]

BODY = load_registry(Path(__file__).parents[4] / "datasets" / "registry").code_body("us-cfr")

BULK = """<?xml version="1.0" encoding="UTF-8" ?>
<DLPSTEXTCLASS><HEADER><FILEDESC><TITLESTMT><TITLE>Title {title}: Labor</TITLE></TITLESTMT><PUBLICATIONSTMT>
<IDNO TYPE="title">{title}</IDNO></PUBLICATIONSTMT></FILEDESC></HEADER>
<TEXT><BODY><ECFRBRWS><AMDDATE>{day}</AMDDATE>{volumes}</ECFRBRWS></BODY></TEXT></DLPSTEXTCLASS>"""
VOLUME = """<DIV1 N="{volume}" NODE="{title}:{volume}" TYPE="TITLE">
<HEAD>Title {title} - Labor--Volume {volume}</HEAD>
<CFRTOC><PTHD>Part</PTHD><CHAPTI><SUBJECT>chapter i</SUBJECT><PG>1</PG></CHAPTI></CFRTOC>{inner}</DIV1>"""


def bulk(*volumes: str, title: str = "29", day: str = "Dec. 29, 2022(fm)") -> bytes:
    """Return a title of the bulk data, of these volumes."""
    written = (
        VOLUME.format(volume=number, title=title, inner=inner) for number, inner in enumerate(volumes, 1)
    )
    return BULK.format(title=title, day=day, volumes="".join(written)).encode()


def part(number: str, inner: str, *, heading: str = "RULES") -> str:
    return f'<DIV5 N="{number}" TYPE="PART"><HEAD>PART {number} - {heading}</HEAD>{inner}</DIV5>'


def section(number: str, inner: str = "<P>Law.</P>", *, heading: str = "Scope.", mark: str = "§ ") -> str:
    head = f"<HEAD>{mark}{number}   {heading}</HEAD>"
    return f'<DIV8 N="{mark}{number}" TYPE="SECTION">{head}{inner}</DIV8>'


def appendix(heading: str, inner: str = "<P>Words.</P>", *, number: str = "Appendix A") -> str:
    return f'<DIV9 N="{number}" TYPE="APPENDIX"><HEAD>{heading}</HEAD>{inner}</DIV9>'


@pytest.fixture
def read(source_files: Callable[[dict[str, bytes]], SourceFiles]) -> Read:
    """Read files; what the oracle calls law in each must be what the provisions hold."""

    def run(files: dict[str, bytes] | bytes) -> list[Unit]:
        named = {"title-29.xml": files} if isinstance(files, bytes) else files
        source = source_files(named)
        units = list(ecfr.read(source, BODY))
        rows = [row for unit in units for row in unit.provisions]
        assert len({row.identifier for row in rows}) == len(rows)
        for path in {row.file for row in rows}:
            file = source.get(path)
            assert file is not None
            held = "".join(squeeze(row.text) for row in rows if row.file == path)
            assert held == account(file).operative
        for row in rows:
            content = named[row.file][row.byte_start : row.byte_end]
            assert content.startswith(b"<DIV")
            assert content.endswith(b">")
        return units

    return run


@pytest.fixture
def rows(read: Read) -> Rows:
    """Read one volume of title 29 and return its provisions by identifier, behind that of the title."""

    def run(*volumes: str) -> dict[str, Provision]:
        [unit] = read(bulk(*volumes))
        assert not unit.problems
        return {row.identifier.removeprefix("/us/cfr/t29").lstrip("/"): row for row in unit.provisions}

    return run


def test_divisions_become_the_tree_and_are_cited_by_number(rows: Rows) -> None:
    found = rows(
        '<DIV2 N="Subtitle B" TYPE="SUBTITLE"><HEAD>Subtitle B - Regulations</HEAD>'
        '<DIV3 N="XVII" TYPE="CHAPTER"><HEAD> CHAPTER XVII - SAFETY</HEAD>'
        '<DIV4 N="A" TYPE="SUBCHAP"><HEAD>SUBCHAPTER A - GENERAL</HEAD>'
        + part(
            "1910",
            '<DIV6 N="Z" TYPE="SUBPART"><HEAD>Subpart Z - Toxic</HEAD>'
            '<DIV7 N="12" TYPE="SUBJGRP"><HEAD>Dust</HEAD>' + section("1910.1000") + "</DIV7></DIV6>",
        )
        + "</DIV4></DIV3></DIV2>"
    )
    assert {name: (row.level, row.num, row.citation, row.citable) for name, row in found.items()} == {
        "": ("title", "29", "29 C.F.R.", False),
        "stB": ("subtitle", "B", "29 C.F.R. subtit. B", False),
        "chXVII": ("chapter", "XVII", "29 C.F.R. ch. XVII", False),
        "chXVII/schA": ("subchapter", "A", "29 C.F.R. ch. XVII, subch. A", False),
        "pt1910": ("part", "1910", "29 C.F.R. pt. 1910", False),
        "pt1910/sptZ": ("subpart", "Z", "29 C.F.R. pt. 1910, subpt. Z", False),
        "pt1910/sptZ/dust": ("subject group", None, "29 C.F.R. pt. 1910, subpt. Z, Dust", False),
        "s1910.1000": ("section", "1910.1000", "29 C.F.R. § 1910.1000", True),
    }
    assert found["s1910.1000"].parent == "/us/cfr/t29/pt1910/sptZ/dust"
    assert found["chXVII"].parent == "/us/cfr/t29/stB"
    assert (found[""].heading, found["pt1910"].heading) == ("Labor", "RULES")


def test_volumes_of_a_title_go_on_from_each_other(rows: Rows) -> None:
    def volume(inner: str, head: str, notes: str = "") -> str:
        return (
            f'<DIV3 N="I" TYPE="CHAPTER"><HEAD> CHAPTER I—AGENCY{head}</HEAD>{notes}'
            f'<DIV4 N="C" TYPE="SUBCHAP"><HEAD>SUBCHAPTER C—AIR{head}</HEAD>{inner}</DIV4></DIV3>'
        )

    note = "<EDNOTE><HED>Editorial Note:</HED><PSPACE>Of chapter I.</PSPACE></EDNOTE>"
    found = rows(
        volume(part("60", section("60.1")), ""),
        volume(part("60", section("60.2")) + part("61", section("61.1")), " (CONTINUED)", note),
    )
    assert list(found) == ["", "chI", "chI/schC", "pt60", "s60.1", "s60.2", "pt61", "s61.1"]
    assert [note.text for note in found["chI"].notes] == ["Of chapter I."]
    assert found["s60.2"].parent == "/us/cfr/t29/pt60"


def test_volumes_may_stand_in_files_of_their_own(read: Read) -> None:
    first = bulk(part("1", section("1.1")))
    second = first.replace(b'N="1" NODE="29:1"', b'N="2" NODE="29:2"').replace(b"1.1", b"2.1")
    [unit] = read(
        {
            "a.xml": first,
            "b.xml": second.replace(b"PART 1", b"PART 2").replace(b'"1" TYPE="PART', b'"2" TYPE="PART'),
        }
    )
    assert [row.identifier[12:] for row in unit.provisions] == ["", "pt1", "s1.1", "pt2", "s2.1"]
    [unit] = read({"a.xml": first, "b.xml": first})
    assert [str(problem) for problem in unit.problems] == [
        "b.xml:2:1: holds the same volume of a title as a.xml"
    ]
    assert len(unit.provisions) == 3


def test_the_point_in_time_service_gives_the_same(read: Read) -> None:
    inner = (
        '<DIV3 N="X" TYPE="CHAPTER"><HEAD>CHAPTER X—BUREAU</HEAD><DIV5 N="1026" TYPE="PART">'
        "<HEAD>PART 1026—TRUTH IN LENDING (REGULATION Z)</HEAD>"
        '<DIV8 N="1026.1" TYPE="SECTION"><HEAD>§ 1026.1   Authority.</HEAD><P>Law.</P></DIV8>'
        '<DIV9 N="Supplement I to Part 1026" TYPE="APPENDIX"><HEAD>Supplement I to Part 1026—Official '
        "Interpretations</HEAD><P>Words.</P></DIV9></DIV5></DIV3>"
    )
    file = (
        '<?xml version="1.0"?><ECFR><VOLUME N="9" AMDDATE="Feb. 12, 2024"/>'
        f'<DIV1 N="12" TYPE="TITLE"><HEAD>Title 12—Banks and Banking</HEAD>{inner}</DIV1></ECFR>'
    )
    [unit] = read({"title-12.xml": file.encode()})
    assert (unit.key, unit.currency and unit.currency.current_through) == ("t12", "amendments of 2024-02-12")
    assert [row.citation for row in unit.provisions] == [
        *("12 C.F.R.", "12 C.F.R. ch. X", "12 C.F.R. pt. 1026", "12 C.F.R. § 1026.1"),
        "12 C.F.R. pt. 1026, supp. I",
    ]
    assert unit.provisions[-1].heading == "Official Interpretations"
    assert unit.provisions[0].heading == "Banks and Banking"


@pytest.mark.parametrize(
    "number",
    [
        *("240.3a12-12", "1.401(a)-1", "1.501(c)(3)-1", "1.1400Z2(a)-1", "1.1502-13T", "5c.168(f)(8)-1"),
        *(
            "100.35T01-0125",
            "165.T01-0150",
            "52.212-3",
            "53.302-1419A",
            "53.303-DD-254",
            "60.40Da",
            "86.1811-04",
        ),
        *(
            "301-10.1",
            "101-26.100-1",
            "105-1.000-50",
            "60-1.4",
            "2091.0-3",
            "16A.126-1",
            "0.111",
            "275.206(4)-1",
        ),
        *("1910.1001", "128-1.5004", "571.105a", "2590.715-2719A", "1.42-0T", "12b.3", "109-38.301-1.51"),
    ],
)
def test_numbers_of_sections_are_those_of_the_code(rows: Rows, number: str) -> None:
    found = rows(part("1", section(number)))[f"s{number}"]
    assert (found.num, found.citation, found.heading) == (number, f"29 C.F.R. § {number}", "Scope.")
    assert found.citable


@pytest.mark.parametrize(
    ("written", "num"),
    [
        ("457.104-457.109", "457.104 to 457.109"),
        ("457.104–457.109", "457.104 to 457.109"),
        ("1.100-110", "1.100 to 1.110"),
        ("301-10.1-301-10.5", "301-10.1 to 301-10.5"),
        ("240.12b-1—240.12b-5", "240.12b-1 to 240.12b-5"),
        ("240.12b-1-240.12b-5", "240.12b-1 to 240.12b-5"),
        ("1.42-0T-1.42-3T", "1.42-0T to 1.42-3T"),
        ("1.5 through 1.9", "1.5 to 1.9"),
        ("1.46-1 and 1.46-2", "1.46-1, 1.46-2"),
    ],
)
def test_a_range_is_one_provision_and_reserved(rows: Rows, written: str, num: str) -> None:
    [found] = [
        row
        for row in rows(part("1", section(written, "", heading="[Reserved]", mark="§§ "))).values()
        if row.citable
    ]
    assert (found.num, found.status, found.citation) == (num, "reserved", f"29 C.F.R. §§ {num}")


def test_sections_without_a_mark_are_those_of_the_acquisition_regulations(rows: Rows) -> None:
    found = rows(
        '<DIV5 N="52" TYPE="PART"><HEAD>PART 52—CLAUSES</HEAD><DIV6 N="52.2" TYPE="SUBPART">'
        "<HEAD>Subpart 52.2—Text of Provisions and Clauses</HEAD>"
        '<DIV8 N="52.204-1" TYPE="SECTION"><HEAD>52.204-1   Approval of Contract.</HEAD><P>Law.</P></DIV8>'
        "</DIV6></DIV5>"
    )
    assert found["pt52/spt52.2"].citation == "29 C.F.R. pt. 52, subpt. 52.2"
    assert (found["s52.204-1"].num, found["s52.204-1"].heading) == ("52.204-1", "Approval of Contract.")


def test_what_counts_within_its_part_alone_has_no_number_of_the_code(rows: Rows) -> None:
    found = rows(
        part(
            "241",
            '<DIV8 N="Section 1" TYPE="SECTION"><HEAD>Section 1 Introduction.</HEAD><P>Law.</P></DIV8>'
            '<DIV8 N="Sec. 1-1" TYPE="SECTION"><HEAD>Sec. 1-1 Applicability.</HEAD><P>More.</P></DIV8>'
            '<DIV8 N="" TYPE="SECTION"><HEAD>Definitions.</HEAD><P>Terms.</P></DIV8>',
        )
    )
    assert [(name, row.citable, row.text) for name, row in found.items()][2:] == [
        ("pt241/section-1-introduction", False, "Law."),
        ("pt241/sec-1-1-applicability", False, "More."),
        ("pt241/definitions", False, "Terms."),
    ]
    assert found["pt241/definitions"].citation == "29 C.F.R. pt. 241, Definitions."


@pytest.mark.parametrize(
    ("heading", "name", "citation"),
    [
        ("Appendix A to Part 63 - Methods", "pt63/appA", "pt. 63, app. A"),
        ("Appendix to Part 63—Methods", "pt63/app", "pt. 63, app."),
        ("APPENDIX A-1 TO PART 63—METHODS", "pt63/appA-1", "pt. 63, app. A-1"),
        ("Appendix A to Subpart OOOOa of Part 63", "pt63/sptOOOOa/appA", "pt. 63, subpt. OOOOa, app. A"),
        ("Appendix to Subpart B of 29 CFR Part 63 - States", "pt63/sptB/app", "pt. 63, subpt. B, app."),
        ("Supplement No. 1 to Part 63—Country Groups", "pt63/supp1", "pt. 63, supp. 1"),
        (
            "Table 1 to Subpart HHHHHHH of Part 63—Limits",
            "pt63/sptHHHHHHH/tbl1",
            "pt. 63, subpt. HHHHHHH, tbl. 1",
        ),
        ("Table 2b to Subpart E of Part 63", "pt63/sptE/tbl2b", "pt. 63, subpt. E, tbl. 2b"),
        ("Exhibit A to Subpart B of Part 63", "pt63/sptB/exA", "pt. 63, subpt. B, ex. A"),
        ("Schedule B to Part 63", "pt63/schedB", "pt. 63, sched. B"),
        ("Appendix IV - General", "pt63/sptB/appIV", "pt. 63, subpt. B, app. IV"),
    ],
)
def test_an_appendix_is_cited_behind_what_it_belongs_to(
    rows: Rows, heading: str, name: str, citation: str
) -> None:
    inner = '<DIV6 N="B" TYPE="SUBPART"><HEAD>Subpart B—Law</HEAD>' + appendix(heading) + "</DIV6>"
    found = rows(part("63", inner))[name]
    assert (found.level, found.citation, found.citable) == ("appendix", f"29 C.F.R. {citation}", True)
    assert found.parent == "/us/cfr/t29/pt63/sptB"


def test_what_no_citation_reads_is_an_appendix_all_the_same(rows: Rows) -> None:
    found = rows(
        part(
            "1910",
            section("1910.66")
            + appendix("Appendix A to § 1910.66—Guidelines")
            + appendix("Special Federal Aviation Regulation No. 50-2", number="SFAR"),
        )
        + '<DIV3 N="XIV" TYPE="CHAPTER"><HEAD>CHAPTER XIV—FLRA</HEAD>'
        + appendix("Appendix A to 29 CFR Chapter XIV—Addresses")
        + "</DIV3>"
    )
    assert {name: (row.citation, row.citable) for name, row in found.items() if row.level == "appendix"} == {
        "s1910.66/appA": ("29 C.F.R. § 1910.66, app. A", False),
        "pt1910/special-federal-aviation-regulation-no-50-2": (
            "29 C.F.R. pt. 1910, Special Federal Aviation Regulation No. 50-2",
            False,
        ),
        "chXIV/appA": ("29 C.F.R. ch. XIV, app. A", True),
    }


def test_appendices_of_one_number_are_told_apart_by_their_headings(rows: Rows) -> None:
    both = appendix("Appendix A to Part 1 - Forms") + appendix("Appendix A to Part 1 - Fees")
    for inner in (both, appendix("Appendix A to Part 1 - Fees") + appendix("Appendix A to Part 1 - Forms")):
        assert set(rows(part("1", inner))) == {"", "pt1", "pt1/appA@forms", "pt1/appA@fees"}


@pytest.mark.parametrize(
    ("division", "name", "num"),
    [
        ('<DIV5 N="23-49" TYPE="PART"><HEAD>PARTS 23-49 [RESERVED]</HEAD></DIV5>', "pt23...49", "23 to 49"),
        (
            '<DIV5 N="x" TYPE="PART"><HEAD>PARTS 101–4—101–9 [Reserved]</HEAD></DIV5>',
            "pt101-4...101-9",
            "101-4 to 101-9",
        ),
        ('<DIV3 N="0" TYPE="CHAPTER"><HEAD> CHAPTER V [RESERVED]</HEAD></DIV3>', "chV", "V"),
        ('<DIV4 N="S C" TYPE="SUBCHAP"><HEAD>SUBCHAPTERS C-D [RESERVED]</HEAD></DIV4>', "schC...D", "C to D"),
        ('<DIV4 N="B [Reserved]" TYPE="SUBCHAP"><HEAD>[Reserved]</HEAD></DIV4>', "schB", "B"),
        (
            '<DIV6 N="C" TYPE="SUBPART"><HEAD>Subparts C, D, and E [Reserved]</HEAD></DIV6>',
            "sptC,D,E",
            "C, D, E",
        ),
        ('<DIV2 N="" TYPE="SUBTITLE"><RESERVED>Subtitle D—Other [Reserved]</RESERVED></DIV2>', "stD", "D"),
        ('<DIV6 N="J" TYPE="SUBPART"><HEAD>Subpart J [Removed and Reserved]</HEAD></DIV6>', "sptJ", "J"),
    ],
)
def test_reserved_containers_keep_their_number(rows: Rows, division: str, name: str, num: str) -> None:
    found = rows(division)[name]
    assert (found.num, found.status, found.citable) == (num, "reserved", False)


def test_a_heading_that_speaks_of_reserved_things_is_live(rows: Rows) -> None:
    found = rows(
        part(
            "1",
            section("1.1", heading="Reserved powers.")
            + section("1.2", heading="Fees. [Reserved]")
            + section("1.3", "", heading="Fees. [Reserved]")
            + section("1.4", "", heading="[Removed]"),
        )
    )
    assert [found[f"s1.{number}"].status for number in range(1, 5)] == [
        *("in_force", "in_force", "reserved", "repealed"),
    ]


def test_a_division_without_a_name_is_no_provision(rows: Rows) -> None:
    found = rows(part("1", f'<DIV6 N="0" TYPE="SUBPART"><HEAD></HEAD>{section("1.1")}</DIV6>'))
    assert found["s1.1"].parent == "/us/cfr/t29/pt1"


def test_containers_of_one_number_keep_what_stands_in_them(rows: Rows) -> None:
    def subpart(heading: str, inner: str) -> str:
        return f'<DIV6 N="A" TYPE="SUBPART"><HEAD>Subpart A—{heading}</HEAD>{inner}</DIV6>'

    found = rows(part("1", subpart("Old", section("1.1")) + subpart("New", section("1.2"))))
    assert found["s1.1"].parent == "/us/cfr/t29/pt1/sptA"
    assert found["s1.2"].parent == "/us/cfr/t29/pt1/sptA@new"


def test_sections_of_one_number_are_told_apart_by_where_they_were_published(rows: Rows) -> None:
    def version(words: str, page: str) -> str:
        return section("1.1", f"<P>{words}</P><CITA TYPE='N'>[{page}, June 1, 1999]</CITA>")

    found = rows(part("1", version("Old.", "64 FR 100") + version("New.", "70 FR 5")))
    assert {name: row.text for name, row in found.items() if row.citable} == {
        "s1.1@64-fr-100": "Old.",
        "s1.1@70-fr-5": "New.",
    }


def test_sources_and_notes_are_no_law(rows: Rows) -> None:
    inner = (
        '<XREF ID="1" REFID="2">Link to an amendment published at 88 FR 1, Jan. 3, 2023.</XREF>'
        "<P>(a) Law.</P><SECAUTH TYPE='N'>(Pub. L. 94-131)</SECAUTH><PARAUTH>(18 U.S.C. 1001)</PARAUTH>"
        "<APPRO TYPE='N'>(Approved by OMB under control number 0348-0056)</APPRO>"
        "<NOTE><HED>Note to § 1.1:</HED><P>See § 1.2.</P><P>And § 1.3.</P></NOTE>"
        "<CROSSREF><HED>Cross Reference:</HED><P>See also 54 FR 5.</P></CROSSREF>"
        "<EFFDNOT><HED>Effective Date Note:</HED><PSPACE>At 67 FR 4, set forth as follows:</PSPACE>"
        "<REVTXT><HEAD>§ 1.1   Fees.</HEAD><STARS/><P>(a) Words to come.</P></REVTXT></EFFDNOT>"
        "<AUTH><HED>Authority:</HED><PSPACE>5 U.S.C. 1.</PSPACE></AUTH>"
        "<CITA TYPE='N'>[37 FR 1, Nov. 4, 1972]</CITA><CITA>[38 FR 2]</CITA>"
    )
    found = rows(part("1", section("1.1", inner)))["s1.1"]
    assert (found.text, found.source_credit) == ("(a) Law.", "[37 FR 1, Nov. 4, 1972] [38 FR 2]")
    assert [(note.topic, note.heading, note.text) for note in found.notes] == [
        ("pendingAmendment", None, "Link to an amendment published at 88 FR 1, Jan. 3, 2023."),
        ("authority", None, "(Pub. L. 94-131)"),
        ("authority", None, "(18 U.S.C. 1001)"),
        ("approval", None, "(Approved by OMB under control number 0348-0056)"),
        ("note", "Note to § 1.1", "See § 1.2.\nAnd § 1.3."),
        ("crossReference", "Cross Reference", "See also 54 FR 5."),
        (
            "effectiveDate",
            "Effective Date Note",
            "At 67 FR 4, set forth as follows:\n§ 1.1 Fees.\n* * * * *\n(a) Words to come.",
        ),
        ("authority", "Authority", "5 U.S.C. 1."),
    ]


def test_footnotes_are_called_from_where_their_marks_stand(rows: Rows) -> None:
    inner = (
        "<P>Twelve days,<SU>1</SU><FTREF/> not 4,400<SU>2</SU> of them <SU>2</SU><FTREF/>.</P>"
        "<FTNT><P><SU>1</SU> Of a <I>month</I>.</P></FTNT><FTNT><P><SU>2</SU> See A.</P><P>And B.</P></FTNT>"
        "<EXTRACT><P>Class 3.</P><EFTNT><P>No mark.</P></EFTNT></EXTRACT>"
    )
    found = rows(part("1", section("1.1", inner)))["s1.1"]
    assert found.text == "Twelve days, not 4,400² of them.\nClass 3."
    assert [(note.heading, note.text, note.offset) for note in found.notes] == [
        ("1", "Of a month.", 13),
        ("2", "See A.\nAnd B.", 31),
        (None, "No mark.", None),
    ]


def test_the_mark_of_a_footnote_is_no_part_of_a_heading(rows: Rows) -> None:
    inner = "<P>Law.</P><FTNT><P><SU>1</SU> Words.</P></FTNT>"
    found = rows(part("1", section("1.1", inner, heading="Systems<SU>1</SU><FTREF/> and others.")))["s1.1"]
    assert (found.heading, found.notes[0].offset) == ("Systems and others.", 0)


def test_superscripts_of_headings_are_no_part_of_the_number_before_them(rows: Rows) -> None:
    """By the rule of texts: what no reference follows is no mark of a footnote."""
    heading = (
        'At 10<SU>3</SU> lamps/m<E T="51">2</E>, 1<SU>1</SU>/<E T="52">2</E> or 8<FR>1/4</FR> feet'
        "<sup>2</sup> <FTREF/> high<SU>4</SU>."
    )
    inner = "<P>Law.</P><FTNT><P><SU>2</SU> Words.</P></FTNT>"
    found = rows(part("1", section("1.1", inner, heading=heading)))["s1.1"]
    assert found.heading == "At 10³ lamps/m², 1 1/2 or 8 1/4 feet high⁴."
    assert [(note.heading, note.offset) for note in found.notes] == [("2", 0)]


def test_figures_stay_what_they_mean(rows: Rows) -> None:
    inner = (
        '<P>8<FR>1/2</FR> by 11 inches; 10 <FR>3/4</FR>; x<AC T="8"/>; m<E T="51">3</E>; CO<E T="52">2</E>; '
        '10<sup>6</sup>; 1<sup>7</sup>/<sub>10</sub>; 1<SU>1</SU>/<E T="52">2</E>; '
        "10<SU>6</SU>/ml; the i<SU>th</SU> day</P><STARS/>"
    )
    found = rows(part("1", section("1.1", inner)))["s1.1"]
    assert found.text == (
        "8 1/2 by 11 inches; 10 3/4; x\u0303; m³; CO2; 10⁶; 1 7/10; 1 1/2; 10⁶/ml; the ith day\n* * * * *"
    )


def test_tables_and_leaders_are_rows(rows: Rows) -> None:
    inner = (
        '<DIV width="100%"><P class="gpotbl_title">Limits</P><DIV class="gpotbl_div"><TABLE><THEAD><TR>'
        "<TH>Days</TH><TH>Fee<br/>in $</TH></TR></THEAD><TBODY><TR><TD>1</TD><TD></TD><TD>9</TD></TR></TBODY>"
        '</TABLE></DIV><DIV class="table_foot"><P class="gpotbl_note"><sup>1</sup> Net.</P></DIV></DIV>'
        "<LDRWK><FL-2>(1) Filing</FL-2><FL-2>(i) On paper</FL-2><LDRFIG>$375</LDRFIG><FL-2>(ii) Else</FL-2>"
        "<LDRFIG>$325</LDRFIG></LDRWK><SCOL2><LI>Gallon gal</LI><LI>quart qt</LI></SCOL2>"
        "<GPOTABLE><TTITLE>Rates</TTITLE><BOXHD><CHED>A</CHED><CHED>B</CHED></BOXHD>"
        "<ROW><ENT>1</ENT><ENT>2</ENT></ROW></GPOTABLE>"
    )
    assert rows(part("1", section("1.1", inner)))["s1.1"].text.split("\n") == [
        *("Limits", "Days | Fee in $", "1 | | 9", "¹ Net."),
        *("(1) Filing", "(i) On paper | $375", "(ii) Else | $325", "Gallon gal", "quart qt"),
        *("Rates", "A | B", "1 | 2"),
    ]


def test_pictures_are_noted_and_their_links_are_no_law(rows: Rows) -> None:
    inner = (
        '<P>As shown:</P><MATH DEEP="26"><img src="/graphics/er1.gif"/></MATH><TCAP>Chart</TCAP>'
        '<a href="/graphics/pdfs/er1.pdf">View or download PDF</a><P>See <a href="https://x.gov">x.gov</a>.</P>'
    )
    found = rows(part("1", section("1.1", inner)))["s1.1"]
    assert found.text == "As shown:\nChart\nSee x.gov."
    assert [note.text for note in found.notes] == ["/graphics/er1.gif", "/graphics/pdfs/er1.pdf"]


def test_examples_and_extracts_are_law(rows: Rows) -> None:
    inner = (
        "<P>(a) As in:</P><EXAMPLE><HED>Example 1.</HED><PSPACE>A owns B.</PSPACE><P>C sells.</P></EXAMPLE>"
        "<EXTRACT><HD1>Notice</HD1><FP-DASH>Date:</FP-DASH><FP>End</FP></EXTRACT><BOXTXT><P>Boxed.</P></BOXTXT>"
    )
    assert rows(part("1", section("1.1", inner)))["s1.1"].text.split("\n") == [
        *("(a) As in:", "Example 1. A owns B.", "C sells.", "Notice", "Date:", "End", "Boxed."),
    ]


def test_what_is_not_known_is_text(rows: Rows) -> None:
    inner = (
        "loose <NEWBLOCK>first <P>second</P> third</NEWBLOCK> tail<P>In a <NEWFACE>line</NEWFACE>, on.</P>"
        "<SECTNO>§ 1.200</SECTNO><SUBJECT>When it acts.</SUBJECT><INCORP>Kept.</INCORP>"
    )
    assert rows(part("1", section("1.1", inner)))["s1.1"].text.split("\n") == [
        *("loose", "first", "second", "third", "tail", "In a line, on.", "§ 1.200", "When it acts.", "Kept."),
    ]


def test_text_of_a_container_behind_its_sections_is_its_own(rows: Rows) -> None:
    found = rows(part("1", f"<TEXT><HED1>PATENTS</HED1></TEXT>{section('1.1')}<FP>Index of forms.</FP>"))
    assert (found["pt1"].text, found["s1.1"].text) == ("PATENTS\nIndex of forms.", "Law.")


def test_labels_are_read_from_the_text_by_the_levels_of_the_code() -> None:
    assert BODY.labels is not None
    assert BODY.labels.levels == ("(a)", "(1)", "(i)", "(A)", "(1)", "(i)")


def test_the_newest_day_of_amendment_is_the_release_point(read: Read) -> None:
    [unit] = read(bulk(part("1", section("1.1")), day="Sept. 5, 2022 and Foo"))
    assert unit.currency is not None
    assert (unit.currency.release_point, unit.currency.current_through) == (
        "2022-09-05",
        "amendments of 2022-09-05",
    )
    [unit] = read(bulk(part("1", section("1.1")), day=""))
    assert unit.currency is None


def test_titles_come_in_the_order_of_their_numbers(read: Read) -> None:
    units = read({f"title-{number}.xml": bulk(title=number) for number in ("10", "2", "1")})
    assert [unit.key for unit in units] == ["t1", "t2", "t10"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            b"<CFRDOC><AMDDATE/></CFRDOC>",
            "x.xml:1:1: has the root element 'CFRDOC' and no title of the eCFR in it",
        ),
        (
            b"<ECFR><DIV1 N='3' TYPE='TITLE'><P>x</P></DIV1></ECFR>",
            "x.xml:1:1: holds a title without a heading",
        ),
        (b"<ECFR><DIV1>", "x.xml:1:13:"),
        (b"", "x.xml:1:1: the file is empty"),
    ],
)
def test_a_broken_file_is_a_problem_of_its_title(read: Read, content: bytes, reason: str) -> None:
    units = read({"title-29.xml": bulk(part("1", section("1.1"))), "x.xml": content})
    problems = [str(problem) for unit in units for problem in unit.problems]
    assert len(problems) == 1
    assert problems[0].startswith(reason)
    assert sum(len(unit.provisions) for unit in units) == 3


def test_the_account_tells_what_every_character_is(
    source_files: Callable[[dict[str, bytes]], SourceFiles],
) -> None:
    inner = "<P>Law<SU>1</SU><FTREF/>.</P><FTNT><P><SU>1</SU> N.</P></FTNT><CITA>[x]</CITA>"
    file = source_files({"t.xml": bulk(part("1", section("1.1", inner)))}).get("t.xml")
    assert file is not None
    found = account(file)
    assert found.operative == "Law."
    assert (found.counts[Fate.NOTE], found.counts[Fate.CREDIT]) == (3, 3)
    assert set(found.discarded) == {"table of contents", "description of the file", "footnote mark"}
