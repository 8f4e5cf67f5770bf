"""The reader of UniCourt's pages over small files with all that varies between states, beside its oracle."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from assets.ingest.accounting import squeeze
from assets.ingest.formats import unicourt
from assets.ingest.model import Provision, SourceFiles, Unit
from assets.ingest.oracles.unicourt import oracle
from assets.registry import CodeBody, LabelScheme, Markup

Read = Callable[..., list[Unit]]

BODY = CodeBody(
    key="x-code",
    name="Code of X",
    jurisdiction="x",
    reader="unicourt",
    root="/x/code",
    citation="X Code § {num}",
    short_name="X Code",
    publisher="State of X",
    license="CC0-1.0",
    currency="Release {release_point}",
    labels=LabelScheme(("(a)", "(1)", "(A)", "(i)")),
    citing={"number": r"\d{1,2}-\d{1,3}-\d{1,4}"},
)
DOTTED = replace(BODY, labels=LabelScheme(("A.", "1.", "a.", "(1)", "(a)")))
RESTARTED = replace(
    BODY,
    citation="X Stat. tit. {title}, § {num}",
    citing={"number": r"\d{1,4}[a-z]?(?:-\d{1,4})?", "title": r"\d+"},
)
UNMARKED = replace(BODY, markup=Markup.from_dict({"credit": r"Acts \d{4}"}))

PAGE = """<!DOCTYPE html>
<html lang="en"><head><title>XCODE</title>
<meta name="description" content="Release 76 of the Official Code of X released 2021.05.21.
  Transformed by cic-beautify-state-codes version 1.12." /></head>
<body><nav><p class="transformation">Release 76</p>
<h1 class="title" id="t01"><b>Title 1. Law.</b></h1>
<ul class="leaders">{contents}</ul></nav>
<main>{law}</main></body></html>"""


def page(law: str, *contents: str) -> bytes:
    listed = "".join(f'<li id="{one}-snav01"><a href="#{one}">{one}</a></li>' for one in contents)
    return PAGE.format(law=law, contents=listed).encode()


def section(number: str, heading: str, rest: str, *, mark: str = "§ ", suffix: str = "") -> str:
    return f'<div><h3 id="t01c01s{number}{suffix}"><b>{mark}{number}. {heading}</b></h3>{rest}</div>'


@pytest.fixture
def read(source_files: Callable[[dict[str, bytes]], SourceFiles]) -> Read:
    """Read files; what the oracle calls law in each must be what the provisions hold."""

    def run(files: dict[str, bytes] | bytes, body: CodeBody = BODY) -> list[Unit]:
        named = {"r76/gov.x.code.title.01.html": files} if isinstance(files, bytes) else files
        source = source_files(named)
        units = list(unicourt.read(source, body))
        rows = [row for unit in units for row in unit.provisions]
        for path in {row.file for row in rows}:
            file = source.get(path)
            assert file is not None
            held = "".join(squeeze(row.text) for row in rows if row.file == path)
            assert held == oracle(body)(file).operative
        for row in rows:
            content = named[row.file][row.byte_start : row.byte_end]
            assert content.startswith(b"<h")
            assert content.endswith(b">")
        return units

    return run


@pytest.fixture
def rows(read: Read) -> Callable[..., dict[str, Provision]]:
    """Read one file and return its provisions by identifier."""

    def run(law: str, *contents: str, body: CodeBody = BODY) -> dict[str, Provision]:
        [unit] = read(page(law, *contents), body)
        assert not unit.problems
        return {row.identifier: row for row in unit.provisions}

    return run


Rows = Callable[..., dict[str, Provision]]

HISTORY = "<p><b>History.</b> (§ 1 ch 5 SLA 2001)</p>"


def test_designators_come_from_the_markup(rows: Rows) -> None:
    law = """<p>In this chapter,</p><ol type="a">
      <li id="t01c01s1-1-1ol1a">a fee of
        <ol><li id="t01c01s1-1-1ol1a1">$5; and</li><li id="t01c01s1-1-1ol1a2">
          <ol type="A"><li id="t01c01s1-1-1ol1a2A">$6; or</li></ol></li></ol>
        is due.</li>
      <li id="t01c01s1-1-1ol1b">No more.</li></ol>"""
    row = rows(section("1-1-1", "Fees.", law + HISTORY))["/x/code/1-1-1"]
    assert row.text.split("\n") == [
        "In this chapter,",
        "(a) a fee of",
        "(1) $5; and",
        "(2)(A) $6; or",
        "is due.",
        "(b) No more.",
    ]
    parts = {part.label: row.text[part.start : part.end] for part in row.outline}
    assert list(parts) == ["(a)", "(a)(1)", "(a)(2)", "(a)(2)(A)", "(b)"]
    assert parts["(a)(2)(A)"] == "(A) $6; or"
    assert parts["(a)"].endswith("is due.")
    assert row.source_credit == "(§ 1 ch 5 SLA 2001)"


def test_designators_stand_in_the_style_of_the_code(rows: Rows) -> None:
    law = """<ol type="A"><li id="t01c01s1-1-1ol1A">Boards
      <ol><li id="t01c01s1-1-1ol1A1">meet; <ol type="a"><li id="t01c01s1-1-1ol1A1a">often</li></ol></li></ol>
      </li></ol>"""
    uniform = '<ol type="a"><li id="t01c01s1-1-2ol1a">Sales <ol type="1"><li id="t01c01s1-1-2ol1a1">end.</li></ol></li></ol>'
    found = rows(
        section("1-1-1", "B.", law + HISTORY) + section("1-1-2", "S.", uniform + HISTORY), body=DOTTED
    )
    assert found["/x/code/1-1-1"].text == "A. Boards\n1. meet;\na. often"
    assert [part.label for part in found["/x/code/1-1-1"].outline] == ["(A)", "(A)(1)", "(A)(1)(a)"]
    assert found["/x/code/1-1-2"].text == "(a) Sales\n(1) end."


def test_an_id_says_which_item_is_left_out(rows: Rows) -> None:
    law = '<ol class="alpha"><li id="t01c01s1-1-1ol1a">One.</li><li id="t01c01s1-1-1ol1c">Three.</li><li>Four.</li></ol>'
    assert (
        rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"].text == "(a) One.\n(c) Three.\n(d) Four."
    )


def test_items_put_between_others_and_items_without_an_element_keep_their_designators(rows: Rows) -> None:
    """The ids and words are of the Colorado Revised Statutes, §§ 25.5-5-202 and 44-3-301."""
    law = """<ol type="a"><li id="t01c01s1-1-1ol1a">Drugs;</li>
      <li id="t01c01s1-1-1ol1-a.5"><ol type="I"><li id="t01c01s1-1-1ol1a.5I">Pills;</li>
      <li id="t01c01s1-1-1ol1a.5II">Syrup;</li></ol></li>
      <li id="t01c01s1-1-1ol1-a.5b"><ol type="A"><li id="t01c01s1-1-1ol1-a.5bIA">Clinics;</li>
      <li id="t01c01s1-1-1ol1-a.5bIB">Homes.</li></ol></li></ol>"""
    row = rows(section("1-1-1", "Care.", law + HISTORY))["/x/code/1-1-1"]
    assert row.text.split("\n") == [
        "(a) Drugs;",
        "(a.5)(I) Pills;",
        "(II) Syrup;",
        "(b)(I)(A) Clinics;",
        "(B) Homes.",
    ]
    parts = {part.label: row.text[part.start : part.end] for part in row.outline}
    assert parts["(a.5)(II)"] == "(II) Syrup;"
    assert parts["(b)(I)"] == "(I)(A) Clinics;\n(B) Homes."
    assert parts["(b)(I)(B)"] == "(B) Homes."
    assert list(parts) == ["(a)", "(a.5)", "(a.5)(I)", "(a.5)(II)", "(b)", "(b)(I)", "(b)(I)(A)", "(b)(I)(B)"]


def test_white_space_of_the_printer_is_none_of_the_law(rows: Rows) -> None:
    law = """<p>Under § \n <cite class="ocx"> <a href="#t01c01s1-1-2">\n 1-1-2 \n</a> </cite> \n , (see\n <i> Re </i> \n) it ends
      .</p>"""
    row = rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"]
    assert row.text == "Under § 1-1-2, (see Re) it ends ."
    [link] = row.references
    assert (row.text[link.start : link.end], link.target) == ("1-1-2", "t01c01s1-1-2")


def test_what_is_not_well_formed_is_read_as_browsers_do(rows: Rows) -> None:
    law = "<p>If x <2 & y > 3 <p>then § 5 holds.<ol><li>One"
    row = rows(section("1-1-1", "F.", law))["/x/code/1-1-1"]
    assert row.text == "If x <2 & y > 3\nthen § 5 holds.\n(1) One"


def test_tables_are_lines_of_cells(rows: Rows) -> None:
    law = "<table><tr><th>Rate</th><th>Sum</th></tr><tr><td>1 %</td><td>$ 5</td></tr></table>"
    assert rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"].text == "Rate | Sum\n1 % | $ 5"


def test_notes_are_apart_from_law(rows: Rows) -> None:
    notes = """<p><b>Editor’s note.</b></p><p>Acts 2020 did it.</p>
      <p><b>Cross references. —</b> For fees, see § 9.</p>
      <div><h4 id="n">Notes to Decisions</h4><p><b>In general. —</b></p><p>A v. B.</p><h5>II. More</h5></div>"""
    row = rows(section("1-1-1", "F.", f"<p>Law.</p>{HISTORY}{notes}"))["/x/code/1-1-1"]
    assert row.text == "Law."
    assert [(note.topic, note.text) for note in row.notes] == [
        ("Editor’s note", "Acts 2020 did it."),
        ("Cross references", "For fees, see § 9."),
        ("Notes to Decisions", "In general. —\nA v. B.\nII. More"),
    ]


def test_law_before_a_marked_history_is_law_whatever_it_begins_with(rows: Rows) -> None:
    law = "<p>Amendments. The board may amend.</p><p>Acts 1990 are repealed.</p>"
    row = rows(section("1-1-1", "F.", law + HISTORY), body=UNMARKED)["/x/code/1-1-1"]
    assert row.text == "Amendments. The board may amend.\nActs 1990 are repealed."


def test_an_unmarked_history_is_told_by_the_laws_it_names(rows: Rows) -> None:
    law = "<p>Law.</p><p>Acts 1953, ch. 80, § 1; 2016, ch. 603.</p><p>Compiler's Notes. Acts 1999 did.</p>"
    row = rows(section("1-1-1", "F.", law, mark=""), body=UNMARKED)["/x/code/1-1-1"]
    assert (row.text, row.source_credit) == ("Law.", "Acts 1953, ch. 80, § 1; 2016, ch. 603.")
    assert [note.topic for note in row.notes] == ["Compiler's Notes"]


def test_a_history_with_a_note_behind_it_ends_law_though_the_note_quotes_a_marked_one(rows: Rows) -> None:
    """The words are of Tenn. Code Ann. § 35-15-1201, whose comments quote two former sections."""
    notes = """<p>Compiler's Notes. Acts 2013, ch. 390, § 55 provided that:</p>
      <ol><li>The act applies to all trusts. <p>General Comment.</p><p>Former § 35-3-122 read:</p></li></ol>
      <p>Whenever an instrument reserves a power, it shall be exercised.</p><p>HISTORY: Acts 1987, ch. 89, § 2.</p>"""
    law = f"<p>A trust protector has powers.</p><p>Acts 2013, ch. 390, § 43.</p>{notes}"
    row = rows(section("1-1-1", "Powers.", law, mark=""), body=UNMARKED)["/x/code/1-1-1"]
    assert (row.text, row.source_credit) == ("A trust protector has powers.", "Acts 2013, ch. 390, § 43.")
    assert "it shall be exercised" in " ".join(note.text for note in row.notes)


def test_law_that_names_laws_before_a_paragraph_on_amendments_is_law(rows: Rows) -> None:
    law = "<p>Acts 1990 are repealed.</p><p>Amendments. The board may amend.</p>"
    row = rows(section("1-1-1", "F.", law + HISTORY), body=UNMARKED)["/x/code/1-1-1"]
    assert row.text == "Acts 1990 are repealed.\nAmendments. The board may amend."


@pytest.mark.parametrize(
    ("below", "text", "credit"),
    [
        # N.C. Gen. Stat. § 25A-7 in release 77, and Va. Code Ann. § 8.6A-101.
        ("<p>Law.</p><p>History</p><p>Acts 1971, c. 796, s. 1.</p>", "Law.", "Acts 1971, c. 796, s. 1."),
        ("<p>Annotations</p><p><b>Editor’s note.</b></p><p>Former law.</p>", "", None),
        ("<p>Taught are:</p><p>History</p><p>Geography</p>", "Taught are:\nHistory\nGeography", None),
        ("<p>Annotations</p><p>The clerk annotates.</p>", "Annotations\nThe clerk annotates.", None),
    ],
)
def test_a_word_that_stands_alone_ends_law_where_what_it_announces_follows(
    rows: Rows, below: str, text: str, credit: str | None
) -> None:
    row = rows(section("1-1-1", "F.", below), body=UNMARKED)["/x/code/1-1-1"]
    assert (row.text, row.source_credit) == (text, credit)


def test_a_note_ends_law_that_has_no_history(rows: Rows) -> None:
    row = rows(section("1-1-1", "[Repealed.]", "<p>Compiler's Notes. Former § 1 (Acts 1990).</p>"))[
        "/x/code/1-1-1"
    ]
    assert (row.text, row.status) == ("", "repealed")


def test_articles_of_a_compact_are_the_law_of_its_section(rows: Rows) -> None:
    compact = (
        section("1-1-1", "Compact.", "<p>The compact is enacted:</p>")
        + '<div><h3 id="t01c01s1-1-1-I"><b>Article I. Purpose.</b></h3><p>To agree.</p></div>'
        + "<div><h3><b>ARTICLE II.</b></h3><p>To meet.</p><h4>Section 1.</h4><p>Often.</p></div>"
        + f'<div><h3 id="t01c01s1-1-1-III"><b>Article III</b></h3><p>To part.</p>{HISTORY}</div>'
        + section("1-1-2", "Next.", f"<p>Law.</p>{HISTORY}")
    )
    found = rows(compact)
    assert found["/x/code/1-1-1"].text.split("\n") == [
        "The compact is enacted:",
        "Article I. Purpose.",
        "To agree.",
        "ARTICLE II.",
        "To meet.",
        "Section 1.",
        "Often.",
        "Article III",
        "To part.",
    ]
    assert [row.num for row in found.values() if row.citable] == ["1-1-1", "1-1-2"]


def test_rules_of_court_are_no_sections(rows: Rows) -> None:
    rule = f'<h3 id="t01-r1">Rule 1. Scope.</h3><p>These rules apply.</p>{HISTORY}'
    found = rows(section("1-1-1", "Courts.", f"<p>Law.</p>{HISTORY}") + rule)
    [row] = [row for row in found.values() if row.heading == "Rule 1. Scope."]
    assert (row.citable, row.text) == (False, "These rules apply.")


@pytest.mark.parametrize(
    ("heading", "num", "citation", "identifier"),
    [
        (
            "§§ 1-1-5 through 1-1-9. Repealed by Acts 1995.",
            "1-1-5 to 1-1-9",
            "X Code §§ 1-1-5 to 1-1-9",
            "1-1-5...1-1-9",
        ),
        ("1-1-5 — 1-1-9. [Reserved.]", "1-1-5 to 1-1-9", "X Code §§ 1-1-5 to 1-1-9", "1-1-5...1-1-9"),
        ("1-1-5. — 1-1-9. [Reserved.]", "1-1-5 to 1-1-9", "X Code §§ 1-1-5 to 1-1-9", "1-1-5...1-1-9"),
        (
            "Secs. 1-1-5 , 1-1-6. [Repealed, § 3 ch 8 SLA 1971.]",
            "1-1-5, 1-1-6",
            "X Code §§ 1-1-5, 1-1-6",
            "1-1-5,1-1-6",
        ),
        ("Sec. 1-1-5 and 1-1-7. Transferred.", "1-1-5, 1-1-7", "X Code §§ 1-1-5, 1-1-7", "1-1-5,1-1-7"),
        ("§ 1-1-5 Without a stop.", "1-1-5", "X Code § 1-1-5", "1-1-5"),
        ("§ 1A-1-5.2. Of another form.", "1A-1-5.2", "X Code § 1A-1-5.2", "1A-1-5.2"),
    ],
)
def test_numbers_of_sections(rows: Rows, heading: str, num: str, citation: str, identifier: str) -> None:
    row = rows(f'<h3 id="t01c01s1">{heading}</h3>')[f"/x/code/{identifier}"]
    assert (row.num, row.citation) == (num, citation)


@pytest.mark.parametrize(
    ("heading", "text", "status"),
    [
        ("Old law. [Repealed, § 9 ch 3 SLA 1987. For current law, see AS 08.]", "", "repealed"),
        ("Repealed by Acts 2011, cc. 594 and 681, cl. 2.", "", "repealed"),
        ("", "Repealed by Acts 1998, c. 872, effective October 1, 1998.", "repealed"),
        ("[Renumbered as 1-2-3.]", "", "renumbered"),
        ("", "Reserved. Repealed by Ga. L. 2000, p. 1, § 1, effective July 1, 2000.", "repealed"),
        ("Reserved for future codification purposes.", "", "reserved"),
        ("Reserved for future parks.", "Land is set aside.", "in_force"),
        ("Reserved.", "", "reserved"),
        ("Reserved powers of the state.", "All others.", "in_force"),
        ("Obsolete or surplus property.", "It is sold.", "in_force"),
        ("Repealed statutes not revived.", "No law revives.", "in_force"),
        ("(Repealed effective January 1, 2024) Wine.", "Wine may be sold.", "in_force"),
        ("Terms. [Expired.]", "", "expired"),
        ("", "Expired June 30, 2013.", "expired"),
        ("", "Repealed Sept. 1, 2013.", "repealed"),
        ("", "Not in effect.", "omitted"),
        ("", "Not effective.", "omitted"),
        ("", "Defeated at referendum.", "omitted"),
        ("Retirement. [Rejected at Referendum.]", "", "omitted"),
        ("(Not effective until January 1, 2027) Wine.", "Wine may be sold.", "in_force"),
        ("Laws not in effect.", "They are listed.", "in_force"),
        ("Measures rejected at referendum.", "They are not made again.", "in_force"),
        ("[Amended and Redesignated.]", "", "renumbered"),
    ],
)
def test_the_status_of_a_section(rows: Rows, heading: str, text: str, status: str) -> None:
    body = f"<p>{text}</p>" if text else ""
    assert rows(section("1-1-1", heading, body))["/x/code/1-1-1"].status == status


def test_the_last_law_of_a_history_says_that_a_section_is_gone(rows: Rows) -> None:
    history = "<p><b>History.</b> [§ 2 ch 131 SLA 1980; Repealed, § 164 ch 8 SLA 2022.]</p>"
    assert rows(section("1-1-1", "Caterers.", history))["/x/code/1-1-1"].status == "repealed"


def test_two_versions_are_told_apart_by_their_days(rows: Rows) -> None:
    until = section(
        "1-1-1",
        "Fees. [Effective until July 1, 2021. See the version effective on July 1, 2021.]",
        "<p>$ 5.</p>",
    )
    since = section("1-1-1", "Fees. [Effective on July 1, 2021.]", "<p>$ 6.</p>", suffix=".01")
    found = rows(until + since)
    old, new = found["/x/code/1-1-1@until-2021-07-01"], found["/x/code/1-1-1@from-2021-07-01"]
    assert (old.effective.start, old.effective.end) == (None, date(2021, 7, 1))
    assert (new.effective.start, new.effective.end) == (date(2021, 7, 1), None)
    assert old.effective.words == "[Effective until July 1, 2021. See the version effective on July 1, 2021.]"
    assert (old.text, new.text, old.citation) == ("$ 5.", "$ 6.", new.citation)


@pytest.mark.parametrize(
    ("lead", "days"),
    [
        (
            "[Editor's note: This version of this section is effective until July 1, 2024.]",
            (None, date(2024, 7, 1)),
        ),
        ("(1) [Editor's note: This section is effective July 1, 2023.]", (date(2023, 7, 1), None)),
        ("[Editor's note: This version of subsection (1) is effective July 1, 2023.]", (None, None)),
        ("[Editor's note: This section is effective ninety days following certification.]", (None, None)),
        ("Fees. [Editor's note: This section is effective July 1, 2023.]", (None, None)),
    ],
)
def test_a_note_before_the_law_states_the_days_of_the_whole(
    rows: Rows, lead: str, days: tuple[date | None, date | None]
) -> None:
    """The words are of the Colorado Revised Statutes, §§ 25.5-10-240, 6-1-1301, 17-27-104 and 7-90-707."""
    row = rows(section("1-1-1", "Fees.", f"<p><b>{lead}</b> It is $ 5.</p>{HISTORY}"))["/x/code/1-1-1"]
    assert (row.effective.start, row.effective.end) == days
    assert row.text == f"{lead} It is $ 5."


def test_versions_are_told_apart_by_the_days_of_notes_before_their_law(rows: Rows) -> None:
    note = "[Editor's note: This version of this section is effective"
    until = section("1-1-1", "Fees.", f"<p>{note} until July 1, 2024.] $ 5.</p>")
    since = section("1-1-1", "Fees.", f"<p>{note} July 1, 2024.]</p><p>$ 6.</p>{HISTORY}", suffix=".01")
    found = rows(until + since)
    assert set(found) == {"/x/code/t1", "/x/code/1-1-1@until-2024-07-01", "/x/code/1-1-1@from-2024-07-01"}
    assert found["/x/code/1-1-1@from-2024-07-01"].effective.start == date(2024, 7, 1)


def test_versions_without_days_are_told_apart_by_their_last_laws_in_any_order(rows: Rows) -> None:
    first = section("1-1-1", "Fees.", "<p>$ 5.</p><p><b>History.</b> (§ 1 ch 5 SLA 2001)</p>")
    second = section(
        "1-1-1", "Fees.", "<p>$ 6.</p><p><b>History.</b> (§ 1 ch 5 SLA 2001; am § 2 ch 9 SLA 2022)</p>"
    )
    marks = set(rows(first + second)) - {"/x/code/t1"}
    assert marks == {"/x/code/1-1-1@1-ch-5-sla-2001", "/x/code/1-1-1@am-2-ch-9-sla-2022"}
    assert set(rows(second + first)) - {"/x/code/t1"} == marks


def test_versions_alike_in_all_but_words_are_told_apart_by_these(rows: Rows) -> None:
    same = "The board of review of the state shall meet at least once in each year and"
    laws = [section("1-1-1", "F.", f"<p>{same} {end}.</p>{HISTORY}") for end in ("vote", "rest")]
    forward, backward = rows("".join(laws)), rows("".join(reversed(laws)))
    assert {key: row.text for key, row in forward.items()} == {key: row.text for key, row in backward.items()}


def test_law_below_a_stub_goes_to_the_section_whose_heading_strayed(rows: Rows) -> None:
    law = (
        section("1-1-1", "One.", "<p>First.</p>")
        + '<h3 id="t01c01s1-1-2">1-1-2 — 1-1-4. [Reserved.]</h3><p>Fifth.</p><p><b>History.</b> Acts 1996.</p>'
        + section("1-1-6", "Six.", "<p>Sixth.</p>")
        + '<h3 id="t01c01s1-1-5">1-1-5. Five.</h3>'
    )
    ids = [f"t01c01s1-1-{number}" for number in (1, 2, 5, 6)]
    found = rows(law, *ids)
    assert [(row.num, row.text) for row in found.values() if row.citable] == [
        ("1-1-1", "First."),
        ("1-1-2 to 1-1-4", ""),
        ("1-1-5", "Fifth."),
        ("1-1-6", "Sixth."),
    ]
    assert found["/x/code/1-1-5"].source_credit == "Acts 1996."


def test_headings_of_a_list_of_contents_are_no_sections(rows: Rows) -> None:
    listed = '<h3 id="a">§ 1-1-1. One.</h3><h3 id="b">§ 1-1-2. Two.</h3>'
    found = rows(
        listed + section("1-1-1", "One.", "<p>First.</p>") + section("1-1-2", "Two.", "<p>Second.</p>")
    )
    assert [row.text for row in found.values() if row.citable] == ["First.", "Second."]


def test_containers_stand_where_their_ids_say(rows: Rows) -> None:
    law = (
        '<div><h2 id="t01s0I">Subtitle I. A.</h2><h2 id="t01s0Ic13">Chapter 13. B.</h2>'
        '<h2 id="t01s0Ic13a01">Article 1. C.</h2><h2 id="t01s0Ic13.1">Chapter 13.1. D.</h2></div>'
        '<h2 id="t01sII">Subtitle II. E.</h2><h2 id="t01sIIc14-loose">Loose Ends.</h2>'
    )
    assert [(row.identifier, row.level, row.num) for row in rows(law).values()] == [
        ("/x/code/t1", "title", "1"),
        ("/x/code/t1/stI", "subtitle", "I"),
        ("/x/code/t1/stI/ch13", "chapter", "13"),
        ("/x/code/t1/stI/ch13/art1", "article", "1"),
        ("/x/code/t1/stI/ch13.1", "chapter", "13.1"),
        ("/x/code/t1/stII", "subtitle", "II"),
        ("/x/code/t1/stII/loose-ends", "subheading", None),
    ]


@pytest.mark.parametrize(
    ("heading", "level", "num"),
    [
        ("DIVISION OF AVIATION", "subheading", None),
        ("Part TO Come", "subheading", None),
        ("Division A Of Aviation", "division", "A"),
        ("Division AA Of Aviation", "division", "AA"),
        ("PART XI Of Aviation", "part", "XI"),
    ],
)
def test_a_word_behind_a_level_is_no_number(rows: Rows, heading: str, level: str, num: str | None) -> None:
    [_, found] = rows(f"<h2>{heading}</h2>").values()
    assert (found.level, found.num) == (level, num)
    assert found.heading == ("Of Aviation" if num else heading)


def test_containers_without_ids_stand_where_their_levels_say(rows: Rows) -> None:
    law = (
        "<h2>Chapter 1<br/>Of Law</h2><h2>Part 1 A</h2><h2>Part 2 B</h2><h2>Chapter 2 C</h2><h2>Part 1 D</h2>"
    )
    body = replace(BODY, markup=Markup.from_dict({"levels": ["title", "chapter", "part"]}))
    found = rows(law, body=body)
    assert list(found)[1:] == [f"/x/code/t1/{own}" for own in ("ch1", "ch1/pt1", "ch1/pt2", "ch2", "ch2/pt1")]
    assert found["/x/code/t1/ch1"].heading == "Of Law"


def test_words_below_a_container_are_notes_unless_a_history_follows(rows: Rows) -> None:
    law = (
        '<h2 id="t01c01">Chapter 1. A.</h2><p>The number of this chapter was assigned.</p>'
        f'<h2 id="t01c02">Chapter 2. B.</h2><p>The compact says so.</p>{HISTORY}'
        '<h2 id="t01c03">Chapter 3. C.</h2><p>[Repealed, § 25 ch 83 SLA 1979.]</p>'
    )
    found = rows(law)
    assert [row.text for row in found.values()] == ["", "", "The compact says so.", ""]
    assert found["/x/code/t1/ch1"].notes[0].text == "The number of this chapter was assigned."
    assert found["/x/code/t1/ch3"].status == "repealed"


def test_sections_are_cited_with_their_title_where_numbers_start_anew(rows: Rows) -> None:
    body = replace(BODY, citation="X Stat. tit. {title}, § {num}", citing={"number": r"\d{1,4}[a-z]?"})
    law = f'<h3 id="t01c01s101">§ 101. Fees.</h3><p>Law.</p>{HISTORY}<h3>1919 Acts</h3><p>A list.</p>'
    found = rows(law, body=body)
    assert found["/x/code/t1/s101"].citation == "X Stat. tit. 1, § 101"
    assert [row.num for row in found.values() if row.citable] == ["101"]


def test_the_newest_release_is_read_and_what_its_index_lists_is_missed(read: Read) -> None:
    link = '<a href="https://x.example/r{release}/gov.x.code.title.{number}.html">TITLE {number} - {name}</a>'
    index = "".join(
        [
            link.format(release=75, number="09", name="Gone"),
            link.format(release=76, number="01", name="Law"),
            link.format(release=76, number="08", name="Officers &amp; Employees"),
        ]
    )
    law = page(section("1-1-1", "F.", "<p>Law.</p>"))
    first, missing = read(
        {
            "index.html": index.encode(),
            "r75/gov.x.code.title.01.html": law.replace(b"Law.</p>", b"Old law.</p>"),
            "r76/gov.x.code.constitution.us.html": law,
            "r76/gov.x.code.title.01.html": law,
        }
    )
    assert (first.key, first.title, first.provisions[-1].text) == ("t1", "1", "Law.")
    assert first.unread == ("r75/gov.x.code.title.01.html",)
    assert first.currency is not None
    assert first.currency.current_through == "Release 76 (2021-05-21)"
    assert (missing.key, missing.label, missing.provisions) == ("t8", "Title 8 (Officers & Employees)", ())
    assert missing.title is None
    assert "is listed by index.html" in missing.problems[0].reason


@pytest.mark.parametrize("content", [b"", b" \n", b"<html><body><p>Law.</p></body></html>"])
def test_a_file_without_a_title_is_a_problem_of_the_title_that_its_name_says(
    read: Read, content: bytes
) -> None:
    [unit] = read(content)
    assert (unit.key, unit.provisions) == ("t1", ())
    assert unit.problems[0].file == "r76/gov.x.code.title.01.html"


def test_a_second_file_of_one_title_is_a_problem(read: Read) -> None:
    law = page(section("1-1-1", "F.", "<p>Law.</p>"))
    first, second = read({"gov.x.code.title.01.html": law, "gov.x.code.title.1.html": law})
    assert first.key != second.key
    assert "gov.x.code.title.01.html" in second.problems[0].reason


def test_history_and_notes_within_the_last_item_of_a_list_are_none_of_the_law(rows: Rows) -> None:
    law = """<ol class="alpha"><li id="t01c01s1-1-1ol1a">One.<p>Acts 1990 are repealed.</p></li>
      <li id="t01c01s1-1-1ol1b">Two.<p>Still two.</p><p>Acts 1953, ch. 80, § 1.</p><p>Compiler's Notes. Former.</p></li></ol>"""
    row = rows(section("1-1-1", "F.", law, mark=""), body=UNMARKED)["/x/code/1-1-1"]
    assert row.text == "(a) One.\nActs 1990 are repealed.\n(b) Two.\nStill two."
    assert row.source_credit == "Acts 1953, ch. 80, § 1."
    assert [note.topic for note in row.notes] == ["Compiler's Notes"]


def test_a_note_within_a_list_ends_the_law_though_items_follow(rows: Rows) -> None:
    law = """<ol class="alpha"><li id="t01c01s1-1-1ol1a">One.<p>Acts 1953, ch. 80, § 1.</p>
      <p>Compiler's Notes. Acts 1999 provided:</p><ol><li>It ends.</li></ol></li>
      <li>It began.</li></ol><p>Law Reviews. More.</p>"""
    row = rows(section("1-1-1", "F.", law, mark=""), body=UNMARKED)["/x/code/1-1-1"]
    assert (row.text, row.source_credit) == ("(a) One.", "Acts 1953, ch. 80, § 1.")
    assert [note.text for note in row.notes] == ["Acts 1999 provided:\nIt ends.\nIt began.", "More."]


def test_words_that_the_publisher_printed_twice_are_said_once(rows: Rows) -> None:
    law = """<ol><li id="t01c01s1-1-1ol11">One.</li><li id="t01c01s1-1-1ol12"><ol type="a">
      <li id="t01c01s1-1-1ol1ol12a">Any college under <cite><a href="#t01c01s1-1-2">1-1-2</a></cite> pays.(2) (a) Any
      college under <cite><a href="#t01c01s1-1-2">1-1-2</a></cite> pays.</li>
      <li id="t01c01s1-1-1ol12b">Each day counts. (b) Each day is new.</li></ol></li></ol>"""
    row = rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"]
    assert (
        row.text
        == "(1) One.\n(2)(a) Any college under 1-1-2 pays.\n(b) Each day counts. (b) Each day is new."
    )
    assert [row.text[link.start : link.end] for link in row.references] == ["1-1-2"]
    assert [part.label for part in row.outline] == ["(1)", "(2)", "(2)(a)", "(2)(b)"]


def test_designators_that_the_words_begin_with_stand_once(rows: Rows) -> None:
    law = """<ol><li id="t01c01s1-1-1ol119">Grain.<p id="t01c01s1-1-1ol119-19.5"></p><ol type="a">
      <li id="t01c01s1-1-1ol119.5a">(19.5) (a) "Identification" means a card.</li>
      <li id="t01c01s1-1-1ol119.5b">More.</li></ol></li>
      <li id="t01c01s1-1-1ol120">Under (1) it is so, if<ol type="a">
      <li id="t01c01s1-1-1ol120a">(2)(a) of this section applies.</li></ol></li></ol>"""
    row = rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"]
    assert row.text.split("\n")[1:] == [
        '(19.5) (a) "Identification" means a card.',
        "(b) More.",
        "(20) Under (1) it is so, if",
        "(a) (2)(a) of this section applies.",
    ]


def test_an_item_that_says_the_line_before_once_more_is_left_out(rows: Rows) -> None:
    law = """<ol type="i"><li id="t01c01s1-1-1ol1ii">(a) A child may be placed.<ol type="a">
      <li id="t01c01s1-1-1ol1iia">(ii) (a) A child may be placed.</li>
      <li id="t01c01s1-1-1ol1iib">It may end.</li></ol></li></ol>"""
    row = rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"]
    assert row.text == "(ii) (a) A child may be placed.\n(b) It may end."


@pytest.mark.parametrize("mark", ["(b1)", "(b.1)", "(2a)", "(b-1)", "(1.5)"])
def test_a_part_put_between_others_leaves_the_outline_to_the_words(rows: Rows, mark: str) -> None:
    law = f"""<ol type="a"><li id="t01c01s1-1-1ol1a">One.</li><li id="t01c01s1-1-1ol1b">Two:<ol>
      <li id="t01c01s1-1-1ol1b1">this.</li></ol><p>{mark} Between.</p></li></ol>"""
    row = rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"]
    assert row.text.split("\n")[-1] == f"{mark} Between."
    assert [part.start for part in row.outline] == [
        row.text.index(one) for one in ("(a)", "(b)", "(1)", mark)
    ]


def test_a_fifth_level_in_a_list_of_its_own_goes_below_what_introduces_it(rows: Rows) -> None:
    law = """<ol><li id="t01c01s1-1-1ol11"><ol type="A"><li id="t01c01s1-1-1ol11A">It includes:<ol type="i">
      <li id="t01c01s1-1-1ol11Ai">Reports, such as:</li></ol></li></ol></li></ol>
      <ol class="alpha"><li id="t01c01s1-1-1ol2a">Acts; and</li><li id="t01c01s1-1-1ol2b">Rules;</li></ol>
      <p>It does not include drafts.</p>"""
    row = rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"]
    parts = {part.label: row.text[part.start : part.end] for part in row.outline if not part.uncertain}
    assert list(parts) == ["(1)", "(1)(A)", "(1)(A)(i)", "(1)(A)(i)(a)", "(1)(A)(i)(b)"]
    assert parts["(1)(A)(i)"] == "(i) Reports, such as:\n(a) Acts; and\n(b) Rules;"


def test_paragraphs_after_a_list_are_not_its_last_member_where_others_have_designators(rows: Rows) -> None:
    law = """<ol type="a"><li id="t01c01s1-1-1ol1a">One.</li><li id="t01c01s1-1-1ol1b">Two.</li></ol>
      <p>Lost its letter.</p><p>(d) Four.</p>"""
    row = rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"]
    parts = {part.label: row.text[part.start : part.end] for part in row.outline}
    assert parts == {"(a)": "(a) One.", "(b)": "(b) Two.", "(d)": "(d) Four."}


def test_items_behind_a_list_that_had_ended_are_uncertain(rows: Rows) -> None:
    law = """<ol type="a"><li id="t01c01s1-1-1ol1a">Data:<ol><li id="t01c01s1-1-1ol1a1">They are kept.</li>
      <li id="t01c01s1-1-1ol1a2">They are secret.</li><li id="t01c01s1-1-1ol1a3">To see visitors.</li></ol></li>
      <li id="t01c01s1-1-1ol1b">Rights:<p>(1) To be told;</p><p>(2) To change;</p></li>
      <li id="t01c01s1-1-1ol1c">End.</li></ol>"""
    outline = rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"].outline
    assert [part.label for part in outline] == [
        *("(a)", "(a)(1)", "(a)(2)", "(a)(3)", "(b)", "(b)(1)", "(b)(2)", "(c)"),
    ]
    assert [part.label for part in outline if part.uncertain] == []
    unlike = law.replace("They are kept.", "They are kept; and")
    outline = rows(section("1-1-1", "F.", unlike + HISTORY))["/x/code/1-1-1"].outline
    assert [part.label for part in outline if part.uncertain] == ["(a)(3)"]


def test_paragraphs_behind_the_whole_list_may_be_of_any_of_its_items(rows: Rows) -> None:
    """The shape is that of § 47-2-123 of Georgia, (g)(4) and (h)(1)."""
    law = """<ol type="a"><li id="t01c01s1-1-1ol1a">Means of:<ol><li id="t01c01s1-1-1ol1a1">Law;</li>
      <li id="t01c01s1-1-1ol1a2">Change.</li><li id="t01c01s1-1-1ol1a3">The reasons.</li></ol></li>
      <li id="t01c01s1-1-1ol1b">It states the following:</li><li id="t01c01s1-1-1ol1c">{last}</li></ol>
      <p><b>(1)</b> Names; and</p><p><b>(2)</b> Ages; and</p>"""
    for last, found in (("It ends.", ["(a)(3)", "(c)(1)", "(c)(2)"]), ("It holds:", ["(a)(3)"])):
        html = section("1-1-1", "F.", law.format(last=last) + HISTORY)
        outline = rows(html)["/x/code/1-1-1"].outline
        assert [part.label for part in outline if part.uncertain] == found


def test_lists_that_call_themselves_alpha_count_in_letters(rows: Rows) -> None:
    law = '<ol type="alpha"><li id="t01c01s1-1-1ol1a">One.</li><li>Two.</li></ol>'
    assert rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"].text == "(a) One.\n(b) Two."


@pytest.mark.parametrize(
    "history",
    [
        '<h5 id="h">History.</h5><p>I.C., § 1, as added by 1972.</p>',
        "<h4>History</h4><p>I.C., § 1, as added by 1972.</p>",
        "<h4>Source:</h4><p><b></b> I.C., § 1, as added by 1972.</p>",
        "<p><b>History.</b></p><p>I.C., § 1, as added by 1972.</p>",
        "<h4>History of Section</h4><p>I.C., § 1, as added by 1972.</p>",
    ],
)
def test_a_history_may_stand_below_its_word(rows: Rows, history: str) -> None:
    notes = "<p><b>Local Modification. —</b></p><p>Ashe.</p><h4>CASE NOTES</h4><p>A v. B.</p>"
    row = rows(section("1-1-1", "F.", f"<p>Law.</p>{history}{notes}"))["/x/code/1-1-1"]
    assert (row.text, row.source_credit) == ("Law.", "I.C., § 1, as added by 1972.")
    assert [(note.topic, note.text) for note in row.notes] == [
        ("Local Modification", "Ashe."),
        ("CASE NOTES", "A v. B."),
    ]


@pytest.mark.parametrize(
    "note", ["<p>Former section 1 was of 1951.</p>", "<p><b>Prior Laws.</b></p><p>Former.</p>"]
)
def test_a_note_below_the_word_of_a_history_is_none(rows: Rows, note: str) -> None:
    row = rows(section("1-1-1", "F.", f"<p>Law.</p><h4>History</h4>{note}"))["/x/code/1-1-1"]
    assert (row.source_credit, len(row.notes)) == (None, 1)


def test_law_of_a_container_may_have_its_history_below_a_heading(rows: Rows) -> None:
    law = '<h2 id="t01c01">Chapter 1. A.</h2><p>The compact says so.</p><h4>History.</h4><p>1967, c. 1.</p>'
    row = rows(law)["/x/code/t1/ch1"]
    assert (row.text, row.source_credit) == ("The compact says so.", "1967, c. 1.")


def test_notes_of_a_repealed_section_are_no_law(rows: Rows) -> None:
    law = "<p>A.C.R.C. Notes. The repeal superseded.</p><p><b>Legislative Research Commission Notes.</b></p><p>So.</p>"
    row = rows(section("1-1-1", "[Repealed.]", law))["/x/code/1-1-1"]
    assert (row.text, len(row.notes)) == ("", 2)


@pytest.mark.parametrize(
    ("heading", "num"),
    [
        ("§ 2—101. Short title.", "2-101"),
        ("§ 2-101. Short title.", "2-101"),
        ("§§ 1028-1030. Repealed. 1971, No. 222, § 6.", "1028 to 1030"),
        ("§§ 28—30. Repealed.", "28 to 30"),
        ("§§ 6.05-6.07. Repealed.", "6.05 to 6.07"),
        ("§ 6.05-6.07. Short title.", "6.05-6.07"),
        ("§§ 6.07-6.05. Repealed.", "6.07-6.05"),
        ("§§ 9-101.1. Repealed.", "9-101.1"),
        ("§§ 2-101, 2-102. Repealed.", "2-101, 2-102"),
    ],
)
def test_the_sign_tells_what_a_dash_between_bare_numbers_means(rows: Rows, heading: str, num: str) -> None:
    found = rows(f'<h3 id="t01c01s1">{heading}</h3><p>Law.</p>{HISTORY}', body=RESTARTED)
    assert [row.num for row in found.values() if row.citable] == [num]


@pytest.mark.parametrize(
    ("heading", "num", "rest"),
    [
        ("Chapters 6 — 8 [Reserved]", "6-8", "[Reserved]"),
        ("Chapters 6 through 8. [Repealed]", "6-8", "[Repealed]"),
        ("Chapters 6, 7. [Repealed]", "6,7", "[Repealed]"),
        ("Chapters 28-34 [Reserved.]", "28-34", "[Reserved.]"),
        ("Chapter 2.A Leases", "2.A", "Leases"),
        ("Chapter 6 — 8 Ball Rooms", "6", "8 Ball Rooms"),
    ],
)
def test_numbers_of_containers(rows: Rows, heading: str, num: str, rest: str) -> None:
    [_, found] = rows(f"<h2>{heading}</h2>").values()
    assert (found.level, found.num, found.heading) == ("chapter", num, rest)


def test_an_appendix_of_a_title_is_another_title(read: Read) -> None:
    law = page(f'<h3 id="t01c01s101">§ 101. Fees.</h3><p>Law.</p>{HISTORY}')
    charters = law.replace(b"Title 1. Law.", b"TITLE 1<br/>APPENDIX Charters").replace(
        b"Law.</p>", b"City.</p>"
    )
    files = {"r76/gov.x.code.title.01.html": law, "r76/gov.x.code.title.01APP.html": charters}
    own, appendix = read(files, RESTARTED)
    assert (own.key, appendix.key, appendix.problems) == ("t1", "t1App", ())
    assert appendix.provisions[0].heading == "Charters"
    assert appendix.provisions[1].citation == "X Stat. tit. 1App, § 101"


def test_an_appendix_of_rules_stands_where_its_id_says(rows: Rows) -> None:
    law = (
        f'<h2 id="t01c01">Chapter 1. A.</h2>{section("1-1-1", "F.", "<p>Law.</p>" + HISTORY)}'
        '<h2 id="t01aprrules">APPENDIX RULES OF THE BOARD</h2><h3 id="t01aprrulesr01">Rule 1. Scope.</h3><p>All.</p>'
    )
    assert list(rows(law))[-2:] == [
        "/x/code/t1/appendix-rules-of-the-board",
        "/x/code/t1/appendix-rules-of-the-board/rule-1-scope",
    ]


@pytest.mark.parametrize(
    ("heading", "start", "end"),
    [
        ("F. (Effective through July 31, 2023) (Effective after July 31, 2023)", None, None),
        (
            "F. [Effective January 1, 2020.] [Repealed effective January 1, 2030.]",
            date(2020, 1, 1),
            date(2030, 1, 1),
        ),
        ("F. (Effective July 1, 2021) (Effective July 1, 2022)", None, None),
    ],
)
def test_days_of_a_heading_with_two_asides(
    rows: Rows, heading: str, start: date | None, end: date | None
) -> None:
    row = rows(section("1-1-1", heading, f"<p>Law.</p>{HISTORY}"))["/x/code/1-1-1"]
    assert (row.effective.start, row.effective.end) == (start, end)


def test_words_to_click_are_none_of_the_law(rows: Rows) -> None:
    law = """<p>Pay as follows:</p><p>Click to view table.</p><ol type="a"><li id="t01c01s1-1-1ol1a">In this form:
      <p>Click to view</p></li><li id="t01c01s1-1-1ol1b">Click to view is a mark of X.</li></ol>"""
    row = rows(section("1-1-1", "F.", law + HISTORY))["/x/code/1-1-1"]
    assert row.text == "Pay as follows:\n(a) In this form:\n(b) Click to view is a mark of X."


def test_the_day_of_a_release_may_be_written_with_hyphens(read: Read) -> None:
    law = section("1-1-1", "Fees", "<p>A fee is due.</p><p>HISTORY: Laws, 1990, ch. 1.</p>")
    (unit,) = read({"r78/gov.x.code.title.01.html": page(law).replace(b"2021.05.21", b"2020-07-08")})
    assert unit.currency is not None
    assert unit.currency.current_through == "Release 76 (2020-07-08)"


SHIFTED = """<div><h2 id="t01c01"><b>Chapter 1. Fees</b></h2>
<div><h3> For text of the Fees Act, see §§ 1-4-1 et seq. </h3>
<p><p>§<cite><a href="#t01c01s1-1-1">1-1-1</a></cite>. Fees. </p><p> A fee is due. </p>
<p> HISTORY: Laws, 1990, ch. 1. </p><h4 id="t01-Notes"><b> Cross References </b></h4>
<h3> Section 1-1-9 does not bar a refund. Doe v. Roe, 1 X. 2 (1999). </h3>
<p><p>§<cite><a href="#t01c01s1-1-3">1-1-3</a></cite>. Refunds. </p><p> A refund is paid. </p>
<p> HISTORY: Laws, 1990, ch. 3. </p></div></div>"""


def test_a_file_that_marks_notes_as_headings_of_sections_is_a_gap(
    source_files: Callable[[dict[str, bytes]], SourceFiles],
) -> None:
    listed = page(SHIFTED, "t01c01", "t01c01s1-1-1", "t01c01s1-1-3")
    (unit,) = unicourt.read(source_files({"r78/gov.x.code.title.01.html": listed}), BODY)
    assert unit.provisions == ()  # `§ 1-1-9` would have the law of 1-1-3
    assert "marks notes as headings of sections" in unit.problems[0].reason


def test_a_single_heading_of_a_section_may_lack_its_id(read: Read) -> None:
    named = section("1-1-1", "Fees", "<p>A fee is due.</p>")
    nameless = section("1-1-2", "Refunds", "<p>None is paid.</p>").replace(' id="t01c01s1-1-2"', "")
    (unit,) = read({"r78/gov.x.code.title.01.html": page(named + nameless)})
    assert [(row.num, row.text) for row in unit.provisions if row.citable] == [
        ("1-1-1", "A fee is due."),
        ("1-1-2", "None is paid."),
    ]
