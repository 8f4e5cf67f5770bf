"""Provisions as agents read them: several parts of one, the notes under it, and what to know of it first."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest

from serving.contract.errors import CitationNotFoundError, ValidationError
from serving.contract.identity import node_id
from serving.encoder.encoder import Encoder
from serving.mcp.tool import ANSWERS, DETAILED, MAX_BYTES, size
from serving.mcp.tools.nodes import GetNode, NodePage, TextOf, node_answer
from serving.snapshot.store import Snapshot, open_snapshot
from tests.serving.conftest import Publisher, Row

TEXT = "Of dues.\n(a) A ship pays ten coins.\n(b) A boat pays two coins.\n(c) A raft pays none."
PARTS = ("(a)", "(b)", "(c)")
OUTLINE = [
    {
        "label": label,
        "start": TEXT.index(label),
        "end": TEXT.index("\n(", TEXT.index(label)) if label != "(c)" else len(TEXT),
        "uncertain": False,
    }
    for label in PARTS
]
NOTES = [
    {"topic": "amendments", "heading": "Amendments", "text": "2020—Dues were raised.", "offset": None},
    {
        "topic": "effectiveDate",
        "heading": "Effective Date",
        "text": "Effective on May 1, 2021. " * 40,
        "offset": None,
    },
    {"topic": "footnote", "heading": "1", "text": "So in original.", "offset": None},
]
TITLE, CHAPTER = "/us/sample/t1", "/us/sample/t1/ch1"
LAW = {
    "us-sample": [
        Row(TITLE, None, "title", "1", "Harbors", "1 S.F.C."),
        Row(CHAPTER, TITLE, "chapter", "1", "Dues", "1 S.F.C. ch. 1"),
        Row(
            *("/us/sample/t1/s1", CHAPTER, "section", "1", "Dues", "1 S.F.C. § 1", TEXT),
            more={"outline": OUTLINE, "notes": NOTES, "source_credit": "(Act of 2020.)"},
        ),
        Row("/us/sample/t1/s2", CHAPTER, "section", "2", "Lamps", "1 S.F.C. § 2", "A lamp burns."),
        Row(
            *("/us/sample/t1/s3@one", CHAPTER, "section", "3", "Buoys", "1 S.F.C. § 3", "Red to port."),
        ),
        Row(
            *("/us/sample/t1/s3@two", CHAPTER, "section", "3", "Bells", "1 S.F.C. § 3", "Bells ring."),
        ),
    ]
}
Read = Callable[..., NodePage]


@pytest.fixture(scope="module")
def harbor_law(
    tmp_path_factory: pytest.TempPathFactory, encoder: Encoder, encoder_folder: Path
) -> Iterator[Snapshot]:
    publisher = Publisher(tmp_path_factory.mktemp("harbor"), encoder, encoder_folder)
    opened = open_snapshot(publisher.workspace.snapshots / publisher.publish(LAW))
    yield opened
    opened.close()


@pytest.fixture
def read(harbor_law: Snapshot) -> Read:
    return lambda citation, **more: node_answer(harbor_law, GetNode(citation=citation, **more))


@pytest.mark.parametrize("citation", ["1 S.F.C. § 1(a) and (c)", "1 S.F.C. § 1(a), (c)"])
def test_several_parts_of_one_provision_are_read_from_the_first_of_them(read, citation):
    page = read(citation)
    assert [part.label for part in page.pins] == ["(a)", "(c)"]
    assert page.pin is None
    assert page.text == TEXT[TEXT.index("(a)") :], "what stands between them too"
    assert [TEXT[part.start : part.end] for part in page.pins] == [
        "(a) A ship pays ten coins.",
        "(c) A raft pays none.",
    ]


def test_one_part_is_read_alone(read):
    page = read("1 S.F.C. § 1(b)")
    assert (page.text, page.pins) == ("(b) A boat pays two coins.", ())
    assert page.pin is not None
    assert page.pin.label == "(b)"


@pytest.mark.parametrize(
    ("citation", "outcome"),
    [
        ("1 S.F.C. §§ 1, 2", "found"),
        ("1 S.F.C. § 1(a), (z)", "pin_not_found"),
        ("1 S.F.C. §§ 1(a), 2", "found"),
    ],
)
def test_a_list_of_several_provisions_or_with_a_missing_part_fails(read, citation, outcome):
    with pytest.raises(CitationNotFoundError) as caught:
        read(citation)
    assert caught.value.outcome == outcome


@pytest.mark.parametrize(
    ("citation", "asked"), [("1 S.F.C. § 1 note", {}), ("1 S.F.C. § 1", {"notes": True})]
)
def test_the_notes_are_read_where_they_are_cited_or_asked_for(read, citation, asked):
    page = read(citation, max_chars=500, **asked)
    assert (page.text_of, page.citation) == (TextOf.NOTES, "1 S.F.C. § 1")
    assert page.text.startswith("Amendments\n2020—Dues were raised.\n\nEffective Date\nEffective on")
    assert [note.heading for note in page.notes] == ["Amendments", "Effective Date"]
    assert (page.outline, page.references, page.pin) == ((), (), None), "those are of the text of the law"
    assert page.next_offset is not None
    further = read(citation, offset=page.next_offset, **asked)
    assert page.text + further.text == read(citation, max_chars=20_000, **asked).text
    with pytest.raises(ValidationError, match="where the text ends"):
        read(citation, offset=page.text_length + 1, **asked)


def test_a_provision_says_how_many_notes_it_has(read):
    page = read("1 S.F.C. § 1")
    assert (page.text_of, page.text, page.note_count, page.notes) == (TextOf.PROVISION, TEXT, 2, ())
    assert "textOf" not in ANSWERS.plain(page), "it is the usual one"
    bare = ANSWERS.plain(read("1 S.F.C. § 2"))
    assert "noteCount" not in bare
    assert read("1 S.F.C. § 2", notes=True).text_length == 0


def test_a_provision_without_notes_has_none_to_cite(read):
    with pytest.raises(CitationNotFoundError) as caught:
        read("1 S.F.C. § 2 note")
    assert caught.value.reason == "no_note"


def test_the_source_credit_is_a_detail(read):
    page = read("1 S.F.C. § 1", details=True)
    assert DETAILED.plain(page)["sourceCredit"] == "(Act of 2020.)"
    assert "sourceCredit" not in ANSWERS.plain(page)
    assert size(page, with_details=True) <= MAX_BYTES


def test_the_others_of_its_number_are_told(harbor_law):
    buoys, bells = str(node_id("/us/sample/t1/s3@one")), str(node_id("/us/sample/t1/s3@two"))
    page = node_answer(harbor_law, GetNode(node_id=UUID(buoys)))
    assert ANSWERS.plain(page)["duplicateOf"] == [bells]
    assert "duplicateOf" not in ANSWERS.plain(node_answer(harbor_law, GetNode(citation="1 S.F.C. § 2")))


def test_the_days_from_and_until_which_it_applies_are_told(snapshot):
    page = ANSWERS.plain(node_answer(snapshot, GetNode(citation="1 S.F.C. § 9")))
    assert page["effective"] == {
        "from": "2021-07-01",
        "until": "2031-07-01",
        "words": "[Effective July 1, 2021, until July 1, 2031.]",
    }
    assert "effective" not in ANSWERS.plain(node_answer(snapshot, GetNode(citation="1 S.F.C. § 7")))
