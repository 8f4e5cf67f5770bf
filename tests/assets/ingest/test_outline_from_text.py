"""Outlines read from text: what decides a label, what leaves it uncertain, and what holds of any text."""

import random
import string
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.errors import RegistryError
from assets.ingest.designators import designators, readings_of
from assets.ingest.model import Provision
from assets.ingest.outline_from_text import outline_from_text, with_outlines
from assets.ingest.validate import outlines_lie_within_texts
from assets.registry import STYLES, LabelScheme, load_registry
from serving.contract.records import Outline

USC = LabelScheme(("(a)", "(1)", "(A)", "(i)", "(I)", "(aa)", "(AA)"))
CFR = LabelScheme(("(a)", "(1)", "(i)", "(A)", "(1)", "(i)"))
VIRGINIA = LabelScheme(("A.", "1.", "a.", "(1)", "(a)", "(i)"))


def labels(text: str, scheme: LabelScheme = USC) -> str:
    """The labels found in a text, uncertain ones with a question mark."""
    return " ".join(part.label + "?" * part.uncertain for part in outline_from_text(text, scheme))


def lines(*heads: str) -> str:
    return "\n".join(f"{head} Words that follow;" for head in heads)


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        ("(a) (b) (c)", "(a) (b) (c)"),
        ("(b) (c) (d)", "(b)? (c) (d)"),
        ("(a) (3) (4) (b)(1)", "(a) (a)(3)? (a)(4)? (b) (b)(1)"),
        ("(a) (3) (4)(A) (5) (b)", "(a) (a)(3)? (a)(4)? (a)(4)(A)? (a)(5)? (b)"),
        ("(a)(1) (2) (b)(1) (2)", "(a) (a)(1) (a)(2) (b) (b)(1) (b)(2)"),
        ("(1) (2) (3)", "(1) (2) (3)"),
        ("(1) (1A) (1B) (2)", "(1) (1A) (1B) (2)"),
        ("(a) (a-1) (b)", "(a) (a-1) (b)"),
        ("(1) (1.5) (2)", "(1) (1.5) (2)"),
        ("(a)(1)(A)(i)(I)(aa)(AA) (BB)", "(a) (a)(1) (a)(1)(A) (a)(1)(A)(i) (a)(1)(A)(i)(I) "
         "(a)(1)(A)(i)(I)(aa) (a)(1)(A)(i)(I)(aa)(AA) (a)(1)(A)(i)(I)(aa)(BB)"),
    ],
)  # fmt: skip
def test_labels_nest_as_the_scheme_says(heads: str, expected: str) -> None:
    assert labels(lines(*heads.split())) == expected


def test_a_second_list_that_begins_anew_leaves_the_part_before_it_in_doubt() -> None:
    first = lines("(a)", "(b)", "(c)")
    second = "\nModel Form\nOf the applicant\n(a) I am.\n(1) Of age.\n(2) Able.\n(b) I swear.\n(c) I sign.\n(d) Dated."
    assert labels(first, CFR) == "(a) (b) (c)"
    assert labels(first + second, CFR) == "(a) (b) (c)?"


ROMAN = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi"]
LETTERS_TO_H = [f"({letter})" for letter in "abcdefgh"]


def test_i_after_h_is_a_letter_where_j_follows() -> None:
    assert labels(lines(*LETTERS_TO_H, "(i)", "(j)")).endswith("(h) (i) (j)")


def test_i_after_h_is_a_number_where_ii_follows_an_introduction() -> None:
    text = lines(*LETTERS_TO_H) + "\n(1) To wit:\n(A) Also:\n(i) one;\n(ii) two.\n(i) Last of all."
    assert labels(text).endswith("(h)(1) (h)(1)(A) (h)(1)(A)(i) (h)(1)(A)(ii) (i)")


def test_what_cannot_be_told_is_uncertain() -> None:
    found = outline_from_text(lines(*LETTERS_TO_H[:-1]) + "\n(h) These are—\n(i) the only words.", USC)
    assert found[-1].label.endswith("(i)")
    assert found[-1].uncertain
    assert not any(part.uncertain for part in found[:-1])


@pytest.mark.parametrize(("last", "count"), [("w", 6), ("y", 11), ("d", 3)])
def test_a_letter_that_is_a_roman_number_is_read_by_its_neighbours(last: str, count: int) -> None:
    alphabet = [f"({letter})" for letter in string.ascii_lowercase[: ord(last) - 96]]
    assert labels(lines(*alphabet)) == " ".join(alphabet)
    numbers = [f"({number})" for number in ROMAN[:count]]
    found = labels("(a) One—\n(1) two—\n(A) three—\n" + lines(*numbers)).split()
    assert found[3:] == [f"(a)(1)(A){number}" for number in numbers]


def test_the_same_text_nests_as_the_code_body_does() -> None:
    text = "(a) One:\n(1) two:\n(i) three:\n(A) four;\n(B) five;\n(ii) six.\n(b) Seven."
    assert labels(text, CFR) == "(a) (a)(1) (a)(1)(i) (a)(1)(i)(A) (a)(1)(i)(B) (a)(1)(ii) (b)"


def test_labels_with_full_stops() -> None:
    text = "A. One:\n1. two;\n2. three:\na. four;\nb. five.\nB. Six."
    assert labels(text, VIRGINIA) == "(A) (A)(1) (A)(2) (A)(2)(a) (A)(2)(b) (B)"
    assert labels(text, USC) == ""


def test_a_label_runs_in_behind_a_heading_where_its_sequence_goes_on() -> None:
    assert (
        labels("(a) Fees. (1) The fee is due.\n(2) It is small.\n(b) Costs.", CFR) == "(a) (a)(1) (a)(2) (b)"
    )
    assert labels("(a) Fees. (1) The fee is due.\n(b) Costs.", CFR) == "(a) (b)"
    for heading in ("Fees in excess of $50.00.", "Trade in the U.S. market.", "Fees under § 22.4:"):
        assert labels(f"(a) {heading} (1) The fee is due.\n(2) It is small.", CFR) == "(a) (a)(1) (a)(2)"


def test_a_part_ends_where_the_next_outside_it_begins() -> None:
    text = "(a) One—\n(1) two;\n(2) three.\n(b) Four.\nFive."
    spans = {part.label: text[part.start : part.end] for part in outline_from_text(text, USC)}
    assert spans == {
        "(a)": "(a) One—\n(1) two;\n(2) three.",
        "(a)(1)": "(1) two;",
        "(a)(2)": "(2) three.",
        "(b)": "(b) Four.\nFive.",
    }


def test_several_dead_parts_under_one_designator_are_no_certain_label() -> None:
    assert labels("(a) One.\n(b) to (d) Repealed.\n(e) Two.") == "(a) (b)to(d)? (e)"


def test_quotations_and_tables_make_no_parts() -> None:
    assert labels("(a) It reads:\n“(b) Quoted.\n(b) | 5%\n(b) Own words.") == "(a) (b)"


def test_notes_below_a_table_are_no_parts() -> None:
    notes = "\nA table.\n" + lines("(1)", "(2)")
    text = (
        "(a) One—\n(1) two;\n(2) three.\n(b) Four\nMore.\n(1) Five.\n(2) Six."
        + notes
        + "\n(3) Seven.\n(c) Eight."
    )
    assert not [part for part in outline_from_text(text, USC) if part.label == "(b)(2)(1)"]
    assert labels(text).endswith("(c)")


def test_definitions_without_labels_make_the_labels_in_them_uncertain() -> None:
    text = "In this chapter:\n“Act” means a law.\n“Agency” means—\n(1) a bureau; or\n(2) an office."
    assert labels(text) == "(1)? (2)?"
    assert labels("In this chapter, “agency” means—\n(1) a bureau; or\n(2) an office.") == "(1) (2)"


def test_articles_of_a_compact_make_the_labels_below_them_uncertain() -> None:
    text = "(a) One.\n(b) The compact reads:\nArticle I Purpose\n(c) To help.\nArticle II Duty\n(d) To pay."
    below = [part for part in outline_from_text(text, USC) if part.start > text.index("Article I ")]
    assert below
    assert all(part.uncertain for part in below)


def test_a_path_that_occurs_twice_is_uncertain_both_times() -> None:
    found = outline_from_text(lines("(a)", "(b)", "(b)", "(c)"), USC)
    assert [part.uncertain for part in found] == [False, True, True, False]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "No label.", "(Public Law 1) says", "()", "(", "(a", "1. One.\n2. Two."]
)
def test_texts_without_labels_have_no_outline(text: str) -> None:
    assert outline_from_text(text, USC) == ()


@pytest.mark.parametrize("levels", [(), ("(a)", "[1]")])
def test_a_scheme_of_unknown_styles_is_refused(levels: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="Unknown styles"):
        LabelScheme(levels)


def test_every_reading_of_a_designator() -> None:
    def read(label: str) -> set[tuple[str, int, str]]:
        return {(reading.style, reading.number, reading.suffix) for reading in readings_of(label, STYLES)}

    assert read("(i)") == {("(a)", 9, ""), ("(i)", 1, "")}
    assert read("(L)") == {("(A)", 12, ""), ("(I)", 50, "")}
    assert read("(xix)") == {("(i)", 19, "")}
    assert read("(aa)") == {("(a)", 27, ""), ("(aa)", 1, "")}
    assert read("(iiii)") == {("(a)", 87, "")}
    assert read("(12)") == {("(1)", 12, "")}
    assert read("(1A)") == {("(1)", 1, "A")}
    assert read("(A-1)") == {("(A)", 1, "-1")}
    assert read("B.") == {("A.", 2, "")}
    assert read("(0)") == set()


def provision(text: str, *outline: Outline) -> Provision:
    return Provision(
        "/us/usc/t1/s1",
        None,
        "section",
        "1",
        "",
        "1 U.S.C. § 1",
        True,
        "f",
        0,
        1,
        "0" * 64,
        text,
        outline=outline,
    )


def test_only_provisions_without_an_outline_get_one_from_their_text() -> None:
    text = "(a) One.\n(b) Two."
    marked = provision(text, Outline("(a)", 0, 8))
    single = provision("(b) Two.")
    bare = provision(text)
    kept, filled, left = with_outlines([marked, bare, single], USC)
    assert kept is marked
    assert left is single
    assert filled.outline == (Outline("(a)", 0, 8), Outline("(b)", 9, 17))


def test_a_code_body_with_a_scheme_is_built_with_outlines(toy: Any) -> None:
    law = """<p id="/toy/t1" level="title" head="Fees"/>
    <p id="/toy/t1/s1" parent="/toy/t1" level="section" head="Fee">(a) Fees. (1) A fee.</p>
    <p id="/toy/t1/s2" parent="/toy/t1" level="section" head="Due">(a)(1) At once.</p>"""
    for scheme, expected in ((None, []), (USC, ["(a)", "(a)(1)"])):
        toy.body = replace(toy.body, labels=scheme)
        toy.build({"t1/a.xml": law}, fresh=True)
        found = pq.read_table(toy.provisions / "provisions.parquet").column("outline").to_pylist()
        assert [[part["label"] for part in outline] for outline in found] == [[], [], expected]
        assert outlines_lie_within_texts(toy.provisions).passed


def test_the_registry_says_how_a_code_body_labels(tmp_path: Path) -> None:
    reviewed = Path(__file__).parents[3] / "datasets" / "registry"
    assert load_registry(reviewed).code_body("us-usc").labels == USC
    (tmp_path / "jurisdictions.toml").write_text((reviewed / "jurisdictions.toml").read_text())
    bodies = (reviewed / "code_bodies.toml").read_text()
    (tmp_path / "code_bodies.toml").write_text(bodies.replace('labels = ["(a)"', 'labels = ["[a]"'))
    with pytest.raises(RegistryError, match="Unknown styles"):
        load_registry(tmp_path)


HEADS = st.sampled_from(
    ["(a)", "(b)", "(c)", "(h)", "(i)", "(ii)", "(1)", "(2)", "(1A)", "(A)", "(B)", "(I)", "(aa)", "(a)(1)", "(b) to (d)", "A.", "1.", "a.", "Article I", "“(a)", "[(b)", "(a) Fees. (1)", "Plain", "", "(1) | 2"]
)  # fmt: skip
ENDINGS = st.sampled_from([" words.", " words—", ":", "", " Repealed.", "; and", " (1) more"])
TEXTS = st.one_of(
    st.text(alphabet="()[]aibcvxlA1I2.,—: \n|“R", max_size=80),
    st.lists(st.tuples(HEADS, ENDINGS), max_size=40).map(lambda parts: "\n".join(a + b for a, b in parts)),
    st.text(max_size=60),
)
SCHEMES = st.one_of(
    st.sampled_from([USC, CFR, VIRGINIA]),
    st.lists(st.sampled_from(STYLES), min_size=1, max_size=7).map(lambda levels: LabelScheme(tuple(levels))),
)


@settings(max_examples=300, deadline=None)
@given(text=TEXTS, scheme=SCHEMES)
def test_parts_are_ordered_nested_and_within_the_text(text: str, scheme: LabelScheme) -> None:
    above: list[Outline] = []
    start = 0
    for part in outline_from_text(text, scheme):
        assert start <= part.start < part.end <= len(text)
        assert (
            part.end == part.start + 1 or not text[part.end - 1].isspace() or text[part.end - 1] not in " \n"
        )
        start = part.start
        while above and above[-1].end <= part.start:
            above.pop()
        if above:
            assert part.end <= above[-1].end
        above.append(part)


@settings(max_examples=100, deadline=None)
@given(text=TEXTS, scheme=SCHEMES)
def test_children_of_uncertain_parts_are_uncertain(text: str, scheme: LabelScheme) -> None:
    parts = outline_from_text(text, scheme)
    for part in parts:
        if part.uncertain:
            inside = [
                own
                for own in parts
                if part.start < own.start and own.end <= part.end and own.label.startswith(part.label)
            ]
            assert all(own.uncertain for own in inside)


@pytest.mark.parametrize(
    "unit", ["(a)(1)", "(i)\n", "(a)", "(1)\n(a)\nplain\n", "(a) Fees. (1) ", "(a), (b), "]
)
def test_work_grows_as_the_text_does(unit: str) -> None:
    """Counted in designators looked at and stacks kept, not in seconds: no stack may grow with the text."""
    short, long = (outline_from_text(unit * times, USC) for times in (40, 400))
    deepest = max((part.label.count("(") for part in (*short, *long)), default=0)
    assert deepest <= 12
    assert (
        sum(1 for _ in designators(unit * 400, USC.levels))
        <= 10 * sum(1 for _ in designators(unit * 40, USC.levels)) + 10
    )


def tree(rng: random.Random, level: int, prefix: str, found: list[tuple[str, str]]) -> None:
    styles = [string.ascii_lowercase, [str(n) for n in range(1, 30)], string.ascii_uppercase, ROMAN]
    count = rng.choice([2, 3, 4, 12 if level == 0 else 5])
    for own in list(styles[level])[:count]:
        path = f"{prefix}({own})"
        opens = level < 3 and rng.random() < 0.4
        found.append((path, f"({own}) Words that {'introduce—' if opens else 'end;'}"))
        if opens:
            tree(rng, level + 1, path, found)


@pytest.mark.parametrize("seed", range(40))
def test_regular_trees_are_read_back_whole(seed: int) -> None:
    found: list[tuple[str, str]] = []
    tree(random.Random(seed), 0, "", found)
    text = "\n".join(line for _, line in found)
    assert [part.label for part in outline_from_text(text, USC)] == [path for path, _ in found]
