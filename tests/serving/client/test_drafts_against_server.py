"""`legal check` and `legal quote` against the real server: what they print, what they cost, how they end."""

import json

import pytest

pytestmark = pytest.mark.e2e

DRAFT = """A memo.

Under 1 S.F.C. § 7, \N{LEFT DOUBLE QUOTATION MARK}Notwithstanding\N{RIGHT DOUBLE QUOTATION MARK} is how it begins.
See 1 S.F.C. § 70; Roe v. Wade, 410 U.S. 113 (1973).
"""


@pytest.fixture
def draft(tmp_path):
    """Writes a draft and gives its path."""

    def write(text, encoding="utf-8"):
        path = tmp_path / "draft.txt"
        path.write_bytes(text.encode(encoding))
        return str(path)

    return write


def test_a_wrong_citation_of_a_draft_is_told_by_the_exit_status(legal, draft):
    status, printed, said = legal("check", draft(DRAFT))
    assert status == 7
    lines = [line.split()[:2] for line in printed.splitlines() if line[:1].isdigit()]
    assert lines == [["3", "found"], ["4", "not_in_code"], ["4", "unchecked"]]
    assert "beside it: 1 S.F.C. § 9" in printed
    assert said.startswith("3 citations: 1 found, 1 not in code, 1 unchecked.")
    assert "Cost 1 credit;" in said


def test_a_draft_without_a_fault_ends_well(legal, draft):
    status, printed, said = legal("check", draft("Fair use: 1 S.F.C. § 7.\n"))
    assert (status, printed.splitlines()[1].split()[:2]) == (0, ["1", "found"])
    assert said.startswith("1 citation: 1 found.")
    assert legal("check", draft("No law at all."))[0] == 0


def test_a_section_whose_code_is_not_said_is_told_and_is_no_fault(legal, draft):
    status, printed, said = legal("check", draft("Fair use: 1 S.F.C. § 7. A Section 341 meeting is none.\n"))
    assert (status, "unparsed" in printed) == (0, True)
    assert said.startswith("2 citations: 1 found, 1 unparsed.")


def test_a_false_quotation_is_told_with_what_the_law_says(legal, draft, client):
    node = client.node(client.resolve("1 S.F.C. § 7")[0].node_id)
    words = " ".join(node.text.split()[:12])
    true = f"1 S.F.C. § 7 says: \u201c{words}\u201d."
    status, printed, _ = legal("check", draft(true))
    assert (status, "line 1: exact  1 S.F.C. § 7" in printed) == (0, True)
    false = true.replace(words.split()[3], "never", 1)
    status, printed, _ = legal("check", draft(false))
    assert status == 7
    assert "line 1: absent  1 S.F.C. § 7" in printed
    assert "the law says: " in printed


def test_a_true_quotation_of_another_part_than_is_cited_is_told_by_the_exit_status(legal, draft):
    quoted = "\u201cis not an infringement\u201d"
    status, printed, said = legal("check", draft(f"1 S.F.C. § 7(a) says that it {quoted}."))
    assert status == 7
    assert "1 other part" in said
    assert "stands in 1 S.F.C. § 7" in printed
    assert legal("quote", "1 S.F.C. § 7(a)", "is not an infringement")[0] == 7


def test_a_quotation_that_is_not_verified_is_told_and_is_no_fault(legal, draft):
    text = "1 S.F.C. § 7.\nIt is old.\nOf it is said \u201cthat nobody reads it at all\u201d."
    status, printed, said = legal("check", draft(text))
    assert status == 0
    assert "line 3: unverified" in printed
    assert "1 quotation: 1 unverified." in said


def test_more_citations_than_one_call_checks_are_all_checked_and_paid(legal, draft, client):
    before = client.me().credits_remaining
    lines = "".join(f"1 S.F.C. § {number}.\n" for number in range(1_000, 1_130))
    status, printed, said = legal("check", draft(lines), "--json")
    whole = json.loads(printed)
    assert (status, whole["total"], said) == (7, 130, "")
    places = sorted(place["start"] for one in whole["citations"] for place in one["places"])
    assert places == [lines.index(f"1 S.F.C. § {number}.") for number in range(1_000, 1_130)]
    status, _, said = legal("check", draft(lines))
    assert f"{130:,} citations: 130 not in code." in said
    charged = int(said.split("Cost ")[1].split()[0])
    assert charged >= 6
    assert before - client.me().credits_remaining == 2 * charged + 1


def test_drafts_that_cannot_be_read_are_refused_before_anything_is_sent(legal, draft, tmp_path):
    status, _, said = legal("check", str(tmp_path / "absent.txt"))
    assert (status, "cannot be read" in said) == (2, True)
    status, _, said = legal("check", draft("§ 7 \u201cx\u201d", encoding="cp1252"))
    assert (status, "UTF-8" in said) == (2, True)
    assert legal("check", draft("  \n"))[0] == 2


def test_one_quotation_is_verified(legal, node):
    status, printed, said = legal("quote", "1 S.F.C. § 7", "Notwithstanding")
    assert (status, printed.splitlines()[0]) == (0, "exact  1 S.F.C. § 7")
    assert "Cost 1 credit;" in said
    assert legal("quote", node("/us/sample/t1/s7"), "Notwithstanding")[0] == 0
    assert legal("quote", "1 S.F.C. § 7", "words that no law of the sample holds anywhere")[0] == 7
    status, printed, _ = legal("quote", "1 S.F.C. § 70", "Notwithstanding")
    assert (status, "not_in_code" in printed) == (4, True)


def test_the_cost_of_a_command_is_that_of_all_its_calls(legal):
    assert "Cost 2 credits;" in legal("cite", "1 S.F.C. § 9")[2]
