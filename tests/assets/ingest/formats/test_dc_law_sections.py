"""The reader for D.C. law-xml: text, notes and status of a section, in small files of our own words."""

from collections.abc import Callable
from datetime import date

import pytest

from assets.ingest.model import Effective, Provision, Unit
from tests.assets.ingest.formats.dc_law_files import TITLE, all_rows, container, include, section, title

# --- text


def test_text_has_a_line_for_each_block_after_its_designators(
    read_dc_section: Callable[..., Provision],
) -> None:
    row = read_dc_section(
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


def test_heading_of_a_part_is_no_cell_of_the_table_below_it(
    read_dc_section: Callable[..., Provision],
) -> None:
    table = "<text><table><tr><td>Lamp</td><td>Fee</td></tr></table></text>"
    row = read_dc_section(
        f"<para><num>(a)</num><heading>Each lamp pays:</heading>{table}</para><para><num>(b)</num>{table}</para>"
    )
    assert row.text.split("\n") == ["(a) Each lamp pays:", "Lamp | Fee", "(b) Lamp | Fee"]
    assert [row.text[part.start : part.end] for part in row.outline] == [
        "(a) Each lamp pays:\nLamp | Fee",
        "(b) Lamp | Fee",
    ]


def test_number_that_only_the_publisher_gave_is_no_text_and_no_label(
    read_dc_section: Callable[..., Provision],
) -> None:
    row = read_dc_section(
        "<para><num>(a)</num><text>Report:</text><para><num undesignated='true'>(a)</num>"
        "<para><num>(1)</num><text>Lamps.</text></para></para></para><para><num> </num><text>End.</text></para>"
    )
    assert row.text == "(a) Report:\n(1) Lamps.\nEnd."
    assert [part.label for part in row.outline] == ["(a)", "(a)(1)"]


def test_part_that_is_nested_in_the_one_before_it_is_cited_by_its_own_place(
    read_dc_section: Callable[..., Provision],
) -> None:
    row = read_dc_section(
        "<para><num>(a)</num><text>Lamps.</text></para>"
        "<para><num>(b)</num><text>Kiosks shall allow:</text>"
        "<para><num>(1)</num><text>Light; and</text></para><para><num>(2)</num><text>Heat.</text></para>"
        "<para><num>(c)</num><text>The Mayor sets the hours.</text></para></para>"
    )
    spans = {part.label: row.text[part.start : part.end] for part in row.outline}
    assert list(spans) == ["(a)", "(b)", "(b)(1)", "(b)(2)", "(c)"]
    assert spans["(b)"].endswith("(2) Heat.")
    assert spans["(c)"] == "(c) The Mayor sets the hours."
    assert [part.label for part in row.outline if part.uncertain] == ["(c)"]


def test_articles_of_a_compact_are_parts_of_the_section(read_dc_section: Callable[..., Provision]) -> None:
    row = read_dc_section(
        "<para><prefix>Article</prefix><num>I</num><heading>Aim</heading>"
        "<para><num>(a)</num><text>Light.</text></para></para>"
        "<container><heading>ARTICLE II</heading><text><h1>WORDS</h1></text>"
        "<para><num>1.</num><text>Lamp.</text></para></container>"
    )
    assert row.text == "Article I Aim\n(a) Light.\nARTICLE II\nWORDS\n1. Lamp."
    labels = [part.label for part in row.outline]
    assert labels == ["Article I", "Article I(a)", "ARTICLE II", "ARTICLE II(1)"]


def test_quoted_matter_is_text_but_its_parts_are_not_parts_of_the_section(
    read_dc_section: Callable[..., Provision],
) -> None:
    row = read_dc_section(
        "<para><num>(c)</num><text>Say:</text><include lvl='1'><para><num>(1)</num><text>I light.</text></para>"
        "</include><aftertext>and sign.</aftertext></para>"
    )
    assert row.text == "(c) Say:\n(1) I light.\nand sign."
    assert [part.label for part in row.outline] == ["(c)"]


def test_inline_elements_leave_no_stray_white_space(read_dc_section: Callable[..., Provision]) -> None:
    row = read_dc_section(
        "<text>The <em>lamp</em><u>,</u> 40 µg/ft<sup>2 </sup>on <strong>top<br/>floor</strong>"
        "<center>FORM</center>of\n <span style='x'>District</span> light.</text>"
    )
    assert row.text == "The lamp, 40 µg/ft² on top\nfloor\nFORM\nof District light."


def test_superscripts_of_headings_and_notes_are_no_part_of_the_number_before_them(
    read_dc_section: Callable[..., Provision],
) -> None:
    row = read_dc_section(
        "<text>Lamps burn.</text><annotations><annotation type='Effect'>At 10<sup>7</sup>/m<sup>2</sup> "
        "for 2<sup>1</sup>⁄<sub>2</sub> hours.</annotation></annotations>",
        heading="Of 10<sup>3</sup> lamps and 1<sup>1</sup>/<sub>2</sub>.",
    )
    assert row.heading == "Of 10³ lamps and 1 1/2."
    assert [note.text for note in row.notes] == ["At 10⁷/m² for 2 1⁄2 hours."]


def test_struck_text_is_left_out(read_dc_section: Callable[..., Provision]) -> None:
    row = read_dc_section("<text>Each card<s>s</s> of a third<s>-</s>party conform<s>s</s> to it.</text>")
    assert row.text == "Each card of a third party conform to it."


def test_tables_are_rows_of_cells(read_dc_section: Callable[..., Provision]) -> None:
    row = read_dc_section(
        "<para><num>(a)</num><text>Rates:<table><thead><tr><th>Lamp</th><th>Fee</th></tr></thead>"
        "<tbody><tr><td>Oil</td><td><p>1</p><p>cent</p></td></tr>"
        "<tr><td/><td>Gas</td><tr> </tr><td>Wax</td><td>2</td></tr></tbody></table>as said.</text></para>"
    )
    assert row.text == "(a) Rates:\nLamp | Fee\nOil | 1 cent\n| Gas\nWax | 2\nas said."


def test_text_within_text_is_a_line_of_its_own(read_dc_section: Callable[..., Provision]) -> None:
    row = read_dc_section(
        "<para><num>(b)</num><text>Only if:<text><num>(1)</num><text>Lit;</text></text></text></para>"
    )
    assert row.text == "(b) Only if:\n(1) Lit;"


def test_picture_in_the_place_of_text_leaves_a_note(read_dc_section: Callable[..., Provision]) -> None:
    row = read_dc_section('<text>See: <img src="./29-101-1.jpeg"/></text>')
    assert row.text == "See:"
    assert [(note.topic, note.text) for note in row.notes] == [("image", "./29-101-1.jpeg")]


def test_references_span_their_words_and_keep_the_target(read_dc_section: Callable[..., Provision]) -> None:
    row = read_dc_section(
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


def test_leftover_instructions_to_the_codifiers_are_not_law(
    read_dc_section: Callable[..., Provision],
) -> None:
    row = read_dc_section(
        '<para><codify:insert after="(dd)"/><num>(a)</num><text>Lamps burn.</text>'
        '<codify:insert codified:path="§29-101|(b)"><para><num>(b)</num><text>[Expired].</text></para></codify:insert>'
        "<codify:find-replace><find>Lamps</find><replace>Lanterns</replace></codify:find-replace></para>"
        '<codify:annotation type="Applicability">Not yet.</codify:annotation><codify:marginalia display="x"/>'
    )
    assert row.text == "(a) Lamps burn."
    assert row.notes == ()


# --- notes and history


def test_history_becomes_the_credit_and_all_else_notes(read_dc_section: Callable[..., Provision]) -> None:
    row = read_dc_section(
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
    read_dc_section: Callable[..., Provision],
) -> None:
    row = read_dc_section(
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
    read_dc_section: Callable[..., Provision],
) -> None:
    row = read_dc_section(
        "<text>*NOTE: This section includes amendments by temporary legislation that will expire on "
        "May 1, 2025.*</text><text>*NOTE: This section will expire on Novemebr 21, 2024.*</text><text>Lamps.</text>"
    )
    assert row.effective.end is None
    assert len(row.notes) == 2


def test_container_keeps_its_annotations_text_and_expiry(read_dc_law: Callable[..., list[Unit]]) -> None:
    row = all_rows(
        read_dc_law(
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
    read_dc_section: Callable[..., Provision], reason: str, line: str, status: str
) -> None:
    row = read_dc_section(f"<reason>{reason}</reason><text>{line}</text>")
    assert (row.status, row.text) == (status, "")
    assert row.notes[0].topic == "reason"
    assert row.notes[0].text == (reason or line.rstrip("."))
    assert row.notes[-1].text == line.strip("[]. ") or row.notes[-1].text == reason


def test_day_of_application_is_kept(read_dc_section: Callable[..., Provision]) -> None:
    row = read_dc_section(
        "<reason>Applicable as of October 1, 2027</reason><text>[Pursuant to section 4 of D.C. Law 25-59, "
        "this section shall apply as of October 1, 2027].</text>"
    )
    assert (row.status, row.text, row.effective.start) == ("omitted", "", date(2027, 10, 1))


def test_reason_that_is_no_status_leaves_the_law_in_force(read_dc_section: Callable[..., Provision]) -> None:
    row = read_dc_section("<reason>Subpoenas</reason><para><num>(a)</num><text>Come.</text></para>")
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
        ("Fees. (Repealed by Ord. No. 2020-1)", "repealed"),
        ("Fees. (Repealed by Ord. No. 2020-1, effective January 1, 2030)", "in_force"),
        ("Fees (reserved by the Mayor) and costs.", "in_force"),
        ("Rights reserved to District.", "in_force"),
        ("Duties of the [repealed] Board.", "in_force"),
        ("[Sunsets].", "in_force"),
    ],
)
def test_heading_gives_the_status_where_no_reason_does(
    read_dc_section: Callable[..., Provision], heading: str, status: str
) -> None:
    assert read_dc_section("", heading=heading).status == status


def test_line_gives_the_status_where_reason_and_heading_do_not(
    read_dc_section: Callable[..., Provision],
) -> None:
    assert read_dc_section("<text>Expired.</text>").status == "expired"
    assert read_dc_section("<text>Repealed statutes stay repealed.</text>").status == "in_force"


def test_texts_kept_for_after_temporary_law_are_not_in_force(
    read_dc_section: Callable[..., Provision],
) -> None:
    row = read_dc_section(
        "<text>*NOTE: This codification is <u><b>not</b></u> the most current.*</text><text>Lamps.</text>",
        num="29-101(Perm)",
    )
    assert (row.status, row.text, row.num) == ("reserved", "Lamps.", "29-101(Perm)")


def test_containers_have_a_status_of_their_own(read_dc_law: Callable[..., list[Unit]]) -> None:
    reasons = "<reason>Not Funded</reason><reason>Repealed</reason>"
    units = read_dc_law(
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
