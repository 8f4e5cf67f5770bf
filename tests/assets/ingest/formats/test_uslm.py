"""The USLM reader: every quirk of the real files, in small files of our own words."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.ingest.accounting import squeeze
from assets.ingest.formats import uslm
from assets.ingest.model import Provision, SourceFiles, Unit
from assets.ingest.oracles.uslm import account
from assets.registry import CodeBody, load_registry

Files = Callable[[dict[str, bytes]], SourceFiles]

USLM_1 = "http://xml.house.gov/schemas/uslm/1.0"
USLM_2 = "http://schemas.gpo.gov/xml/uslm"


@pytest.fixture
def usc() -> CodeBody:
    return load_registry(Path("datasets/registry")).code_body("us-usc")


@pytest.fixture
def read(usc: CodeBody, source_files: Files) -> Callable[..., list[Unit]]:
    def _read(**files: str) -> list[Unit]:
        contents = {name.replace("__", "/") + ".xml": text.encode() for name, text in files.items()}
        units = list(uslm.read(source_files(contents), usc))
        _assert_nothing_lost(source_files(contents), units)
        return units

    return _read


def _assert_nothing_lost(files: SourceFiles, units: list[Unit]) -> None:
    broken = {problem.file for unit in units for problem in unit.problems}
    for file in files:
        if file.path not in broken:
            rows = [row for unit in units for row in unit.provisions if row.file == file.path and row.text]
            assert squeeze("".join(row.text for row in rows)) == account(file).operative


def title(body: str, *, number: str = "7", namespace: str = USLM_1, release: str = "@119-36") -> str:
    return (
        f'<?xml version="1.0"?><uscDoc xmlns="{namespace}" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        f'identifier="/us/usc/t{number}"><meta><dc:title>Title {number}</dc:title>'
        f"<docPublicationName>Online{release}</docPublicationName></meta><main>"
        f'<title identifier="/us/usc/t{number}"><num value="{number}">Title {number}—</num>'
        f"<heading>LANTERNS</heading>{body}</title></main></uscDoc>"
    )


def section(number: str, body: str, *, heading: str = "Lighting", attributes: str = "") -> str:
    return (
        f'<section {attributes} identifier="/us/usc/t7/s{number}"><num value="{number}">§\u202f{number}.</num>'
        f"<heading> {heading}</heading>{body}</section>"
    )


def sections_of(units: list[Unit]) -> list[Provision]:
    return [row for unit in units for row in unit.provisions if row.citable]


def one(units: list[Unit]) -> Provision:
    (row,) = sections_of(units)
    return row


def test_a_section_has_its_identity_and_its_place(read: Callable[..., list[Unit]]) -> None:
    units = read(
        usc07=title(
            '<part identifier="/us/usc/t7/ptII"><num value="II">PART II—</num><heading>OIL</heading>'
            '<chapter identifier="/us/usc/t7/ptII/ch10"><num value="10">CHAPTER 10—</num>'
            f"<heading>WICKS</heading>{section('107', '<content>Trim the wick.</content>')}</chapter></part>"
        )
    )
    row = one(units)
    assert row.identifier == "/us/usc/t7/s107"
    assert row.parent == "/us/usc/t7/ptII/ch10"
    assert (row.num, row.heading, row.citation) == ("107", "Lighting", "7 U.S.C. § 107")
    assert row.text == "Trim the wick."
    containers = [(r.level, r.num, r.citation, r.parent) for r in units[0].provisions if not r.citable]
    assert containers == [
        ("title", "7", "7 U.S.C.", None),
        ("part", "II", "7 U.S.C. pt. II", "/us/usc/t7"),
        ("chapter", "10", "7 U.S.C. pt. II, ch. 10", "/us/usc/t7/ptII"),
    ]
    assert units[0].key == "t7"
    assert units[0].currency is not None
    assert units[0].currency.release_point == "119-36"
    assert units[0].currency.current_through == "Public Law 119-36"


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        ("under section 1144<sup>1</sup> of it", "under section 1144¹ of it"),
        ("sections 79(j)(1)\u202f<sup>1</sup> and 86", "sections 79(j)(1) ¹ and 86"),
        ("10<sup>33–34</sup>cm<sup>-2</sup>", "10³³–³⁴cm-²"),
        ("multiplied by 1<sup>7</sup>⁄<sub>10</sub> percent", "multiplied by 1 7⁄10 percent"),
        (
            "1<sup>7</sup>/<sub>10</sub> of 10<sup>6</sup>/ml at 5 m<sup>2</sup>/24 h",
            "1 7/10 of 10⁶/ml at 5 m²/24 h",
        ),
        ("reduced by <sup>1</sup>⁄<sub>12</sub>th", "reduced by 1⁄12th"),
        ("the 30<sup>th</sup> CO<sub>2</sub>", "the 30th CO2"),
        ("<html:p>$1,314<html:sup>1</html:sup></html:p>", "$1,314¹"),
        ('oil<sup><ref class="footnoteRef" idref="f">1</ref></sup> of it', "oil of it"),
    ],
)
def test_superscripts_are_no_part_of_the_number_before_them(
    read: Callable[..., list[Unit]], markup: str, said: str
) -> None:
    space = 'xmlns:html="http://www.w3.org/1999/xhtml"'
    inner = f"<content {space}>{markup}</content>"
    note = f"<note {space}><heading>On lamps {markup}</heading><p>{markup}</p></note>"
    row = one(read(usc07=title(section("5", inner + note))))
    assert row.text == said
    assert [(found.heading, found.text) for found in row.notes] == [(f"On lamps {said}", said)]


def test_parts_are_lines_with_cumulative_labels(read: Callable[..., list[Unit]]) -> None:
    row = one(
        read(
            usc07=title(
                section(
                    "5",
                    '<subsection><num value="a">(a)</num><heading> Scope.—</heading><chapeau>A lamp—</chapeau>'
                    '<paragraph><num value="1">(1)</num><content> burns;</content></paragraph>'
                    '<paragraph><num value="2">(2)</num><content> glows.</content></paragraph>'
                    "<continuation>and stands.</continuation></subsection>"
                    '<subsection><num value="b">(b)</num><paragraph><num value="1">(1)</num>'
                    "<content> It shines.</content></paragraph></subsection>",
                )
            )
        )
    )
    assert row.text == "(a) Scope.—A lamp—\n(1) burns;\n(2) glows.\nand stands.\n(b)(1) It shines."
    assert {part.label: row.text[part.start : part.end] for part in row.outline} == {
        "(a)": "(a) Scope.—A lamp—\n(1) burns;\n(2) glows.\nand stands.",
        "(a)(1)": "(1) burns;",
        "(a)(2)": "(2) glows.",
        "(b)": "(b)(1) It shines.",
        "(b)(1)": "(1) It shines.",
    }


def test_a_heading_without_dash_has_its_own_line(read: Callable[..., list[Unit]]) -> None:
    row = one(
        read(
            usc07=title(
                section(
                    "5",
                    '<subsection><num value="a">(a)</num><heading> Scope</heading>'
                    "<content><p>It applies.</p></content></subsection>",
                )
            )
        )
    )
    assert row.text == "(a) Scope\nIt applies."


def test_notes_and_credit_come_apart(read: Callable[..., list[Unit]]) -> None:
    row = one(
        read(
            usc07=title(
                section(
                    "5",
                    "<content>Burn oil.</content><sourceCredit>(Pub. L. 101–1, § 2.)</sourceCredit>"
                    '<notes type="uscNote"><note role="crossHeading" topic="editorialNotes"><heading>Editorial'
                    '</heading></note><note topic="amendments"><heading>Amendments</heading><p>1990—New oil.</p>'
                    "<p>1980—Old oil.</p></note></notes>",
                )
            )
        )
    )
    assert row.text == "Burn oil."
    assert row.source_credit == "(Pub. L. 101–1, § 2.)"
    assert [(note.topic, note.heading, note.text) for note in row.notes] == [
        ("amendments", "Amendments", "1990—New oil.\n1980—Old oil.")
    ]


def test_sections_quoted_in_notes_are_no_sections(read: Callable[..., list[Unit]]) -> None:
    units = read(
        usc07=title(
            section(
                "5",
                '<content>Burn oil.</content><notes><note topic="miscellaneous"><p>It provided: <quotedContent>'
                '<section><num value="1">“SECTION 1.</num><content>Old wicks.</content></section>'
                "</quotedContent></p></note></notes>",
            )
        )
    )
    row = one(units)
    assert row.text == "Burn oil."
    assert "SECTION 1. Old wicks." in row.notes[0].text.replace("“", "").replace("\n", " ")


def test_quoted_parts_in_operative_text_have_no_label(read: Callable[..., list[Unit]]) -> None:
    row = one(
        read(
            usc07=title(
                section(
                    "5",
                    "<content>It reads:<quotedContent><paragraph><num>“(1)</num><content>oil”.</content>"
                    "</paragraph></quotedContent></content>",
                )
            )
        )
    )
    assert row.text == "It reads:\n“(1) oil”."
    assert row.outline == ()


def test_footnotes_leave_the_text_and_its_punctuation_whole(read: Callable[..., list[Unit]]) -> None:
    row = one(
        read(
            usc07=title(
                section(
                    "5",
                    '<content>Burn oyl <ref class="footnoteRef" idref="f1">1</ref><note type="footnote" id="f1">'
                    "<num>1</num> So in original.</note>, and wait.</content>",
                    heading='Oil <ref class="footnoteRef" idref="f2">2</ref><note type="footnote" id="f2">'
                    "<num>2</num> Sic.</note>",
                )
            )
        )
    )
    assert row.text == "Burn oyl, and wait."
    assert row.heading == "Oil"
    footnotes = {(note.heading, note.text, note.offset) for note in row.notes}
    assert footnotes == {("1", "So in original.", 8), ("2", "Sic.", 0)}


@pytest.mark.parametrize(
    ("again", "said", "calls"),
    [
        ("for $125\u202f<sup>1</sup> a day.", "for $125 a day.", ["^, and wait", "^a day."]),
        ("in a lamp,<sup>1</sup> or a can.", "in a lamp, or a can.", ["^, and wait", "^or a can"]),
        ("in a lamp\u202f<sup>1</sup>.", "in a lamp.", ["^, and wait", "^."]),
        ("in a lamp\u202f<sup>2</sup> or two.", "in a lamp ² or two.", ["^, and wait"]),
        ("for $125<sup>1</sup> a day.", "for $125¹ a day.", ["^, and wait"]),
        ("to\u202f<sup>1</sup>⁄<sub>12</sub> of it.", "to 1⁄12 of it.", ["^, and wait"]),
    ],
)
def test_the_mark_of_a_footnote_that_is_called_again_leaves_the_text(
    read: Callable[..., list[Unit]], again: str, said: str, calls: list[str]
) -> None:
    first = (
        'Burn oyl <ref class="footnoteRef" idref="f1">1</ref><note type="footnote" id="f1">'
        "<num>1</num> So in original.</note>, and wait"
    )
    amended = f"<note><heading>Amendments</heading><p>1999—{again}</p></note>"
    row = one(read(usc07=title(section("5", f"<content>{first} {again}</content>{amended}"))))
    assert row.text == f"Burn oyl, and wait {said}"
    footnotes = [note for note in row.notes if note.topic == "footnote"]
    assert {(note.heading, note.text) for note in footnotes} == {("1", "So in original.")}
    assert [
        f"^{row.text[note.offset :]}".startswith(call) for note, call in zip(footnotes, calls, strict=True)
    ]


def test_footnotes_of_uslm_2_are_footnotes(read: Callable[..., list[Unit]]) -> None:
    call = '<ref class="footnoteRef" idref="f1">1</ref>'
    note = '<footnote id="f1"><num><sup>1</sup></num> So in original.</footnote>'
    row = one(read(usc07=title(section("5", f"<content>Burn oyl,{call}{note} and wait.</content>"))))
    assert row.text == "Burn oyl, and wait."
    assert [(found.topic, found.heading, found.text) for found in row.notes] == [
        ("footnote", "1", "So in original.")
    ]
    row = one(read(usc07=title(section("5", "<content>Burn.</content>", heading=f"Oil {call}{note}"))))
    assert row.heading == "Oil"
    assert [(found.topic, found.heading) for found in row.notes] == [("footnote", "1")]


@pytest.mark.parametrize(
    "table",
    [
        '<table xmlns="http://www.w3.org/1999/xhtml"><thead><tr><th><p>Oil</p></th><th>Hours</th></tr></thead>'
        "<tbody><tr><td>Whale</td><td><p>12</p><p>more</p></td></tr><tr><td/><td>3</td></tr><tr><td/></tr>"
        "</tbody></table>",
        '<html:table xmlns:html="http://www.w3.org/1999/xhtml"><html:thead><html:tr><html:th>Oil</html:th>'
        "<html:th>Hours</html:th></html:tr></html:thead><html:tbody><html:tr><html:td>Whale</html:td><html:td>"
        "<html:p>12</html:p><html:p>more</html:p></html:td></html:tr><html:tr><html:td/><html:td>3</html:td>"
        "</html:tr></html:tbody></html:table>",
    ],
)
def test_tables_are_rows_of_cells(read: Callable[..., list[Unit]], table: str) -> None:
    row = one(read(usc07=title(section("5", f"<content>Rates:{table}Pay them.</content>"))))
    assert row.text == "Rates:\nOil | Hours\nWhale | 12 more\n| 3\nPay them."


def test_references_cover_their_words(read: Callable[..., list[Unit]]) -> None:
    row = one(
        read(
            usc07=title(
                section(
                    "5",
                    '<content>See<ref href="/us/usc/t7/s6"> section 6 of\nthis title</ref>, and '
                    '<ref href="/us/usc/t9/s1/a">section 1(a) of title 9</ref>.</content>',
                )
            )
        )
    )
    found = [(ref.target, row.text[ref.start : ref.end]) for ref in row.references]
    assert found == [
        ("/us/usc/t7/s6", "section 6 of this title"),
        ("/us/usc/t9/s1/a", "section 1(a) of title 9"),
    ]


@pytest.mark.parametrize(
    ("attribute", "number", "heading", "status"),
    [
        ('status="repealed"', "[§ 5.", "Repealed. Pub. L. 1–1]", "repealed"),
        ('status="omitted"', "[§ 5.", "Omitted]", "omitted"),
        ('status="transferred"', "[§ 5.", "Transferred]", "transferred"),
        ('status="renumbered"', "[§ 5.", "Renumbered § 6]", "renumbered"),
        ("", "§ 5.", "Reserved", "reserved"),
        ("", "[§ 5.", "Vacant]", "reserved"),
        ("", "§ 5.", "Repealed laws not revived", "in_force"),
    ],
)
def test_status(
    read: Callable[..., list[Unit]], attribute: str, number: str, heading: str, status: str
) -> None:
    body = "<content>They stay dead.</content>" if status == "in_force" else ""
    row = one(
        read(
            usc07=title(
                f'<section {attribute} identifier="/us/usc/t7/s5"><num value="5">{number}</num>'
                f"<heading> {heading}</heading>{body}</section>"
            )
        )
    )
    assert row.status == status
    assert "]" not in row.heading


@pytest.mark.parametrize(
    ("value", "identifier", "citation"),
    [
        ("202 to 204", "/us/usc/t7/s202...204", "7 U.S.C. §§ 202 to 204"),
        ("29, 29a", "/us/usc/t7/s29,29a", "7 U.S.C. §§ 29, 29a"),
        ("2000e–1", "/us/usc/t7/s2000e-1", "7 U.S.C. § 2000e-1"),
    ],
)
def test_numbers_of_every_form(
    read: Callable[..., list[Unit]], value: str, identifier: str, citation: str
) -> None:
    row = one(
        read(
            usc07=title(
                f'<section status="repealed"><num value="{value}">[§§ {value}.</num><heading> Repealed]'
                "</heading></section>"
            )
        )
    )
    assert (row.identifier, row.citation) == (identifier, citation)


@pytest.mark.parametrize(
    ("heading", "status"),
    [
        ("SYSTEM UNITS AND RELATED AREAS—RESERVED", "reserved"),
        ("RIGHTS RESERVED", "in_force"),
        ("LANDS—TRANSFERRED PROPERTY", "in_force"),
    ],
)
def test_the_heading_of_a_container_may_end_with_its_status(
    read: Callable[..., list[Unit]], heading: str, status: str
) -> None:
    chapter = (
        f'<chapter identifier="/us/usc/t7/ch2"><num value="2">CHAPTER 2—</num><heading>{heading}</heading>'
    )
    [unit] = read(usc07=title(f"{chapter}</chapter>"))
    assert next(row.status for row in unit.provisions if row.level == "chapter") == status


def test_live_duplicates_are_told_apart_by_their_laws(read: Callable[..., list[Unit]]) -> None:
    def twin(law: str, words: str) -> str:
        return section("5", f"<content>{words}</content><sourceCredit>(Added {law}.)</sourceCredit>")

    first, second = twin("Pub. L. 117–1, § 3", "Oil."), twin("Pub. L. 118–2", "Gas.")
    forward, backward = read(usc07=title(first + second)), read(usc07=title(second + first))
    by_text = {row.text: row.identifier for row in sections_of(forward)}
    assert by_text == {"Oil.": "/us/usc/t7/s5@pl-117-1", "Gas.": "/us/usc/t7/s5@pl-118-2"}
    assert by_text == {row.text: row.identifier for row in sections_of(backward)}


def test_a_live_section_keeps_its_name_beside_a_dead_one(read: Callable[..., list[Unit]]) -> None:
    units = read(
        usc07=title(
            section("5", "", heading="Repealed]", attributes='status="repealed"')
            + section("5", "<content>Gas.</content>")
        )
    )
    assert {row.status: row.identifier for row in sections_of(units)} == {
        "in_force": "/us/usc/t7/s5",
        "repealed": "/us/usc/t7/s5@repealed",
    }


def test_tables_of_contents_do_not_repeat_headings(read: Callable[..., list[Unit]]) -> None:
    units = read(
        usc07=title(
            "<toc><layout><tocItem><column>5.</column><column>Lighting</column></tocItem></layout></toc>"
            + section("5", "<content>Burn.</content>")
        )
    )
    assert [row.text for row in units[0].provisions] == ["", "Burn."]


def appendix(body: str, number: str = "11a") -> str:
    return (
        f'<uscDoc xmlns="{USLM_1}" identifier="/us/usc/t{number}"><meta/><appendix '
        f'identifier="/us/usc/t{number}"><num value="{number}">Title 11—APPENDIX</num><heading>RULES</heading>'
        f"{body}</appendix></uscDoc>"
    )


def test_court_rules_go_by_their_own_name(read: Callable[..., list[Unit]]) -> None:
    row = one(
        read(
            usc11a=appendix(
                "<courtRules><heading>FEDERAL RULES OF BANKRUPTCY PROCEDURE</heading>"
                '<part identifier="/us/usc/ptI"><num value="I">PART I—</num><heading>START</heading><courtRule '
                'identifier="/us/usc/ptI/rule1004.1"><num value="1004.1">Rule 1004.1.</num><heading> Filing'
                "</heading><content><p>File it.</p></content></courtRule></part></courtRules>"
            )
        )
    )
    assert row.citation == "Fed. R. Bankr. P. 1004.1"
    assert row.level == "rule"
    assert row.identifier.startswith("/us/usc/t11a/")
    assert row.identifier.endswith("/rule1004.1")


def test_acts_in_an_appendix_number_their_own_sections(read: Callable[..., list[Unit]]) -> None:
    acts = "".join(
        f'<compiledAct><heading>{name}</heading><section><num value="1">§ 1.</num><heading> Name</heading>'
        f"<content>{name}.</content></section></compiledAct>"
        for name in ("LANTERN ACT OF 1950", "WICK ACT")
    )
    rows = sections_of(read(usc11a=appendix(acts)))
    assert [row.citation for row in rows] == [
        "Lantern Act of 1950 § 1, 11 U.S.C. app.",
        "Wick Act § 1, 11 U.S.C. app.",
    ]
    assert len({row.identifier for row in rows}) == 2


def test_reorganization_plans_are_provisions(read: Callable[..., list[Unit]]) -> None:
    row = one(
        read(
            usc05A=appendix(
                '<reorganizationPlans><heading>PLANS</heading><reorganizationPlan identifier="/us/usc/t5a/'
                'reorgPlan/1970/3"><heading>REORGANIZATION PLAN NO. 3 OF 1970</heading><content><p>Move it.</p>'
                "</content></reorganizationPlan></reorganizationPlans>",
                number="5a",
            )
        )
    )
    assert (row.citation, row.level) == ("Reorg. Plan No. 3 of 1970", "plan")
    assert row.identifier == "/us/usc/t5a/reorgPlan/1970/3"


@pytest.mark.parametrize(
    ("number", "act", "heading"),
    [
        ("11a", "WICK ACT", "RULES"),
        ("11a", "RULES", "Bankruptcy Rules"),
        ("7a", "RULES", "RULES"),
    ],
)
def test_an_appendix_is_not_called_by_its_first_act(
    read: Callable[..., list[Unit]], number: str, act: str, heading: str
) -> None:
    law = (
        f"<compiledAct><heading>{act}</heading><section><num>§ 1.</num><content>One.</content></section>"
        "</compiledAct>"
    )
    (unit,) = read(usc=appendix(law, number))
    assert [row.heading for row in unit.provisions][:2] == [heading, act]


def test_an_empty_shell_is_a_title_without_sections(read: Callable[..., list[Unit]]) -> None:
    (unit,) = read(usc11a=appendix(""))
    assert [(row.citation, row.citable) for row in unit.provisions] == [("11 U.S.C. app.", False)]


def section_file(number: str, words: str, credit: str = "") -> str:
    return (
        f'<section xmlns="{USLM_1}" identifier="/us/usc/t42/s{number}"><num value="{number}">§ {number}.</num>'
        f"<heading> Health</heading><content>{words}</content><sourceCredit>{credit}</sourceCredit></section>"
    )


def test_section_files_stand_below_their_title_in_natural_order(read: Callable[..., list[Unit]]) -> None:
    (unit,) = read(
        **{
            "42__10": section_file("10", "Ten."),
            "42__9": section_file("9", "Nine."),
            "42__2000e-1": section_file("2000e–1", "E one."),
            "42__2000e": section_file("2000e", "E."),
        }
    )
    head, *rows = unit.provisions
    assert (head.identifier, head.heading) == ("/us/usc/t42", "The Public Health and Welfare")
    assert unit.title is None, "sections may be missing of a title that is given by its sections"
    assert [row.num for row in rows] == ["9", "10", "2000e", "2000e-1"]
    assert {row.parent for row in rows} == {"/us/usc/t42"}


def test_second_files_of_one_number_are_duplicates(read: Callable[..., list[Unit]]) -> None:
    units = read(
        **{
            "42__5": section_file("5", "Five.", "(Pub. L. 104–1.)"),
            "42__5_2": section_file("5", "Other five.", "(Pub. L. 105–2.)"),
        }
    )
    assert {row.identifier for row in sections_of(units)} == {
        "/us/usc/t42/s5@pl-104-1",
        "/us/usc/t42/s5@pl-105-2",
    }


def test_uslm_2_lists_are_blocks(read: Callable[..., list[Unit]]) -> None:
    row = one(
        read(
            usc07=title(
                section(
                    "5",
                    "<content><p>It means—</p><list><listItem><listContent>oil;</listContent></listItem>"
                    "<listItem><listContent>gas.</listContent></listItem></list></content>",
                ),
                namespace=USLM_2,
            )
        )
    )
    assert row.text == "It means—\noil;\ngas."


@pytest.mark.parametrize(
    ("content", "reason", "line"),
    [
        ("", "empty", 1),
        (f'<uscDoc xmlns="{USLM_1}">\n<main>\n<title></main></uscDoc>', "mismatch", 3),
        (
            f'<!DOCTYPE x [<!ENTITY a "b">]>\n<section xmlns="{USLM_1}"><num value="1">&a;</num></section>',
            "document type",
            1,
        ),
        ("<html><body/></html>", "no USLM document", 1),
        ('<section xmlns="urn:other"><num>1</num></section>', "{urn:other}section", 1),
    ],
)
def test_a_broken_file_is_named_with_its_place(
    read: Callable[..., list[Unit]], content: str, reason: str, line: int
) -> None:
    units = read(usc09=content, usc07=title(section("5", "<content>Burn.</content>")))
    assert [row.text for row in sections_of(units)] == ["Burn."]
    (problem,) = [problem for unit in units for problem in unit.problems]
    assert (problem.file, problem.line) == ("usc09.xml", line)
    assert problem.column is not None
    assert reason in problem.reason
    assert [unit.key for unit in units if unit.problems] == ["t9"]


@pytest.mark.parametrize(
    "picture",
    ['<img src="/images/flag.png"/>', '<img xmlns="http://www.w3.org/1999/xhtml" src="/images/flag.png"/>'],
)
def test_a_picture_in_the_place_of_text_leaves_a_note(read: Callable[..., list[Unit]], picture: str) -> None:
    (row,) = sections_of(read(usc07=title(section("5", f"<content>The flag: {picture} as shown.</content>"))))
    assert row.text == "The flag: as shown."
    assert [(note.topic, note.text) for note in row.notes] == [("image", "/images/flag.png")]


def test_a_file_of_no_title_is_named_as_such(read: Callable[..., list[Unit]]) -> None:
    units = read(readme="<root/>", usc07=title(section("5", "<content>Burn.</content>")))
    assert [(unit.label, len(unit.problems)) for unit in units if unit.problems] == [
        ("A file that names no title", 1)
    ]


def test_a_second_file_of_a_whole_title_is_a_problem(read: Callable[..., list[Unit]]) -> None:
    whole = title(section("5", "<content>Burn.</content>"))
    (unit,) = read(usc07=whole, usc07_again=whole)
    assert [row.text for row in sections_of([unit])] == ["Burn."]
    assert [str(problem) for problem in unit.problems] == [
        "usc07_again.xml:1:1: is another file of the whole of Title 7"
    ]


def test_a_section_printed_twice_is_told_apart(read: Callable[..., list[Unit]]) -> None:
    units = read(usc07=title(section("5", "<content>Burn.</content>") * 3))
    assert len({row.identifier for row in sections_of(units)}) == 3


def test_an_external_entity_is_not_read(usc: CodeBody, source_files: Files, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    content = (
        f'<!DOCTYPE section [<!ENTITY x SYSTEM "{secret.as_uri()}">]><section xmlns="{USLM_1}" '
        'identifier="/us/usc/t7/s1"><num value="1">§ 1.</num><content>&x;</content></section>'
    )
    units = list(uslm.read(source_files({"7/1.xml": content.encode()}), usc))
    assert not [row for row in sections_of(units) if "hidden" in row.text]
    assert units[0].problems


def test_byte_ranges_hold_the_element(read: Callable[..., list[Unit]]) -> None:
    text = title(
        '<!-- <section> in a comment --><chapter><num value="1">CHAPTER 1—</num><heading>A</heading>'
        + section(
            "5", '<content>Oil &lt;section&gt; <quotedContent><section a="&gt;"/></quotedContent></content>'
        )
        + section("6", "<content>Gas.</content>")
        + "</chapter>"
    )
    content = text.encode()
    for row in sections_of(read(usc07=text)):
        cut = content[row.byte_start : row.byte_end].decode()
        assert cut.startswith("<section ")
        assert cut.endswith("</section>")
        assert re.search(f'num value="{row.num}"', cut)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("usc17.xml", "t17"),
        ("release-119-36/usc05A.xml", "t5a"),
        ("42/2000e-1.xml", "t42"),
        ("title-09/section-2.xml", "t9"),
    ],
)
def test_a_file_that_says_no_title_belongs_to_that_of_its_path(
    usc: CodeBody, source_files: Files, path: str, key: str
) -> None:
    (unit,) = uslm.read(source_files({path: b"<uscDoc>"}), usc)
    assert unit.key == key
    assert unit.problems


def test_section_files_beside_their_whole_title_are_set_aside_and_named(
    usc: CodeBody, source_files: Files
) -> None:
    files = {
        "usc07.xml": title(section("5", "<content>Burn oil.</content>")).encode(),
        "7/5.xml": section_file("5", "Burn gas.").replace("/t42/", "/t7/").encode(),
        "7/6.xml": section_file("6", "Burn wood.").replace("/t42/", "/t7/").encode(),
        "42/9.xml": section_file("9", "Nine.").encode(),
    }
    first, second = uslm.read(source_files(files), usc)
    assert [row.text for row in sections_of([first])] == ["Burn oil."]
    assert [problem.file for problem in first.problems] == ["7/5.xml"]
    assert "2 set aside" in first.problems[0].reason
    assert first.unread == ("7/6.xml",)
    assert (second.key, second.problems) == ("t42", ())
