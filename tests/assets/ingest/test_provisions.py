"""Building provisions: rows, parents, tags, and what becomes of a unit whose files break."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow.parquet as pq
import pytest

from assets.errors import BuildError, SourceError
from assets.ingest.model import Problem, Provision, SourceFiles, Unit
from assets.ingest.pinned import open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.provisions_table import unit_table
from assets.ingest.report import ProvisionsReport, UnitStatus
from assets.registry import CodeBody
from serving.contract.identity import node_id
from serving.contract.records import PROVISIONS, MarkupReference, Note, Outline

TITLE_1 = """<release n="119-36"/>
<p id="/toy/t1" level="title" head="Business Organizations. [Enacted title]"/>
<p id="/toy/t1/ch1" parent="/toy/t1" level="chapter" head="General"/>
<p id="/toy/t1/s1" parent="/toy/t1/ch1" level="section" head="Definitions.">In this title, the term:</p>
<p id="/toy/t1/s2" parent="/toy/t1/ch1" level="section" head="Fees; penalties.">Fifty dollars.</p>
"""
TITLE_2 = """<release n="119-36"/>
<p id="/toy/t2" level="title" head="LIENS"/>
<p id="/toy/t2/s1" parent="/toy/t2" level="section" head="Sale" status="repealed"/>
"""
BROKEN = "<release/>\n<p> BROKEN"
ORPHAN = '<p id="/toy/t1/s8" parent="/toy/t1/ch9" level="section" head="A">A.</p>'
MORE = '<p id="/toy/t1/s9" parent="/toy/t1" level="section" head="More">More law.</p>'


def rows(toy: Any, *columns: str) -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = pq.read_table(toy.provisions / "provisions.parquet").to_pylist()
    return [{name: row[name] for name in columns} for row in table] if columns else table


def source_rows(toy: Any) -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = pq.read_table(toy.provisions / "files.parquet").to_pylist()
    return table


def units(report: ProvisionsReport) -> dict[str, tuple[UnitStatus, int]]:
    return {unit.key: (unit.status, unit.provisions) for unit in report.units}


def test_rows_follow_the_contract(toy: Any) -> None:
    report = toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2})
    table = pq.read_table(toy.provisions / "provisions.parquet")
    assert table.schema.equals(PROVISIONS)
    found = rows(toy)
    assert [row["ordinal"] for row in found] == list(range(6))
    section = found[2]
    assert section["node_id"] == str(node_id("/toy/t1/s1"))
    assert section["parent_id"] == str(node_id("/toy/t1/ch1"))
    assert (section["code_body"], section["jurisdiction"], section["unit"]) == ("toy-code", "toy", "t1")
    assert section["text_sha256"] == hashlib.sha256(b"In this title, the term:").hexdigest()
    assert report.complete
    assert (report.current_through, report.release_point) == ("Public Law 119-36", "119-36")
    assert (report.provisions, report.sections) == (6, 3)
    assert report.levels == {"chapter": 1, "section": 3, "title": 2}
    assert report.statuses == {"in_force": 5, "repealed": 1}
    assert ProvisionsReport.load(toy.provisions) == report
    assert toy.progress == [(1, 3), (2, 3)]


@pytest.mark.parametrize(
    ("numbers", "title"),
    [
        (("1-101", "1-102"), "1"),
        (("1-101", "1-103 to 1-109"), "1"),
        # A section that is numbered by another title, or by none, leaves open where the missing ones stood.
        (("1-101", "2-102"), None),
        (("101", "102"), None),
    ],
)
def test_a_title_is_whole_where_its_sections_are_numbered_by_it(
    toy: Any, numbers: tuple[str, ...], title: str | None
) -> None:
    law = "".join(f'<p id="/toy/t1/s{number}" level="section">Law.</p>' for number in numbers)
    (unit,) = toy.build({"t1/a.xml": law}).units
    assert unit.title == title
    (torn,) = toy.build({"t1/a.xml": law, "t1/b.xml": BROKEN}).units
    assert (torn.status, torn.title) == (UnitStatus.PARTIAL, None)


def test_tags_are_kinds_of_sections_and_the_subject_of_the_title(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2})
    assert [row["tags"] for row in rows(toy, "tags")] == [
        ["business-organizations"],
        ["business-organizations"],
        ["definitions", "business-organizations"],
        ["penalty", "fees", "business-organizations"],
        ["liens"],
        ["liens"],
    ]


def test_parts_of_an_appendix_have_subjects_of_their_own(toy: Any) -> None:
    law = """<p id="/toy/t1a" level="appendix" head="FIREARMS"/>
    <p id="/toy/t1a/a" parent="/toy/t1a" level="act" head="FIREARMS"/>
    <p id="/toy/t1a/r" parent="/toy/t1a" level="rules" head="RULES OF COURT"/>
    <p id="/toy/t1a/r/s1" parent="/toy/t1a/r" level="section" head="Venue">There.</p>"""
    toy.build({"t1/a.xml": law})
    assert [row["tags"] for row in rows(toy, "tags")] == [
        [],
        ["firearms"],
        ["rules-of-court"],
        ["jurisdiction_venue", "rules-of-court"],
    ]


def test_every_named_file_is_listed_with_its_dates(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2})
    assert source_rows(toy) == [
        {
            "path": f"t{number}/a.xml",
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
            "bytes": len(text),
            "release_point": "119-36",
            "current_through": "Public Law 119-36",
            "retrieved_at": "2026-01-01T00:00:00Z",
            "stale_since": None,
        }
        for number, text in ((1, TITLE_1), (2, TITLE_2))
    ]


def test_nested_columns_hold_what_the_reader_gave(toy: Any) -> None:
    provision = Provision(
        identifier="/toy/t1",
        parent=None,
        level="section",
        num="1",
        heading="",
        citation="Toy Code § 1",
        citable=True,
        file="a.xml",
        byte_start=0,
        byte_end=9,
        source_sha256="0" * 64,
        text="(a) One.",
        outline=(Outline("(a)", 0, 8, uncertain=True),),
        notes=(Note("amendments", None, "1990"), Note("footnote", "1", "So in original.", offset=3)),
        references=(MarkupReference(4, 7, "/toy/t2"),),
    )
    empty = Provision("/toy/t2", None, "title", None, "", "", False, "a.xml", 0, 9, "0" * 64)
    table = unit_table("t1", [provision, empty], parents=[None, None], tags=[["fees"], []], body=toy.body)
    first, second = table.to_pylist()
    assert first["outline"] == [{"label": "(a)", "start": 0, "end": 8, "uncertain": True}]
    assert first["notes"] == [
        {"topic": "amendments", "heading": None, "text": "1990", "offset": None},
        {"topic": "footnote", "heading": "1", "text": "So in original.", "offset": 3},
    ]
    assert first["references"] == [{"start": 4, "end": 7, "target": "/toy/t2"}]
    assert (second["outline"], second["notes"], second["references"], second["tags"]) == ([], [], [], [])


def test_a_unit_that_cannot_be_read_keeps_its_last_good_version_whole(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2})
    before = rows(toy)
    newer = TITLE_2.replace("119-36", "119-40").replace("LIENS", "LIENS AND PLEDGES")
    report = toy.build({"t1/a.xml": BROKEN, "t1/b.xml": ORPHAN, "t2/a.xml": newer}, day=9)
    after = rows(toy)
    assert after[:4] == before[:4]
    assert after[4]["heading"] == "LIENS AND PLEDGES"
    assert units(report) == {"t1": (UnitStatus.KEPT, 4), "t2": (UnitStatus.READ, 2)}
    assert not report.complete
    assert report.gaps == (
        "Title 1 is kept at its last good version of release point 119-36 and could not be updated since "
        "2026-01-09: t1/a.xml:2:7: is broken.",
    )
    assert report.units[0].set_aside == ("t1/a.xml", "t1/b.xml")
    assert (report.release_point, report.current_through) == ("119-40", "Public Law 119-40")
    assert [unit.stale_since for unit in report.units] == ["2026-01-09", None]
    kept, read = source_rows(toy)
    assert (kept["stale_since"], read["stale_since"]) == ("2026-01-09", None)
    assert (kept["sha256"], kept["release_point"], kept["retrieved_at"]) == (
        hashlib.sha256(TITLE_1.encode()).hexdigest(),
        "119-36",
        "2026-01-01T00:00:00Z",
    )
    assert (read["release_point"], read["retrieved_at"]) == ("119-40", "2026-01-09T00:00:00Z")


def test_a_kept_unit_can_be_kept_again_and_comes_back(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2})
    before = rows(toy)
    first = toy.build({"t1/a.xml": BROKEN, "t2/a.xml": TITLE_2})
    second = toy.build({"t1/a.xml": BROKEN, "t2/a.xml": TITLE_2})
    assert first == second
    assert rows(toy) == before
    assert toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2}).complete
    assert {row["stale_since"] for row in source_rows(toy)} == {None}


def test_a_unit_is_stale_since_the_first_edition_that_it_could_not_be_updated_from(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2})
    toy.build({"t1/a.xml": BROKEN, "t2/a.xml": TITLE_2}, day=4)
    report = toy.build({"t1/a.xml": f"{BROKEN} still", "t2/a.xml": TITLE_2}, day=9)
    assert report.units[0].stale_since == "2026-01-04"
    assert [row["stale_since"] for row in source_rows(toy)] == ["2026-01-04", None]


def test_an_edition_that_states_its_day_is_known_by_it(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1})
    later = '<release n="119-40 (through 2026-07-22)"/>'
    report = toy.build({"t1/a.xml": BROKEN, "t1/b.xml": f"{later}{ORPHAN}"}, day=9)
    assert report.units[0].stale_since == "2026-07-22"


def test_a_broken_file_costs_itself_and_the_unit_is_updated(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1, "t1/b.xml": MORE})
    newer = TITLE_1.replace("Fifty dollars", "Sixty dollars")
    report = toy.build({"t1/a.xml": newer, "t1/b.xml": BROKEN}, day=9)
    assert units(report) == {"t1": (UnitStatus.PARTIAL, 4)}
    assert report.gaps == ("Title 1 is incomplete: t1/b.xml:2:7: is broken.",)
    assert [row["text"] for row in rows(toy, "text")][-1] == "Sixty dollars."
    assert report.units[0].stale_since is None


def test_a_unit_most_of_whose_files_are_broken_is_kept(toy: Any) -> None:
    files = {f"t1/b{number}.xml": MORE.replace("s9", f"s{number}") for number in range(3, 7)}
    toy.build({"t1/a.xml": TITLE_1, **files})
    before = rows(toy)
    broken = dict.fromkeys(files, BROKEN)
    newer = TITLE_1.replace("Fifty dollars", "Sixty dollars")
    report = toy.build({"t1/a.xml": newer, **broken}, day=9)
    assert (report.units[0].status, rows(toy)) == (UnitStatus.KEPT, before)


def test_a_unit_read_save_for_broken_files_is_a_last_good_version(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1, "t1/b.xml": BROKEN})
    before = rows(toy)
    report = toy.build({"t1/a.xml": BROKEN, "t1/b.xml": MORE}, day=9)
    assert (report.units[0].status, rows(toy)) == (UnitStatus.KEPT, before)


def test_without_a_last_good_version_what_could_be_read_is_published(toy: Any) -> None:
    report = toy.build({"t1/a.xml": BROKEN, "t1/b.xml": ORPHAN, "t2/a.xml": TITLE_2})
    assert units(report) == {"t1": (UnitStatus.TORN, 1), "t2": (UnitStatus.READ, 2)}
    (gap,) = report.gaps
    assert gap.startswith("Title 1 is incomplete: t1/a.xml:2:7: is broken.")
    assert not report.complete


def test_a_unit_of_which_nothing_can_be_read_is_a_gap(toy: Any) -> None:
    report = toy.build({"t1/a.xml": BROKEN, "t2/a.xml": TITLE_2})
    assert units(report) == {"t1": (UnitStatus.MISSING, 0), "t2": (UnitStatus.READ, 2)}
    assert report.gaps == ("Title 1 is missing: t1/a.xml:2:7: is broken.",)


def test_a_torn_unit_is_no_last_good_version(toy: Any) -> None:
    toy.build({"t1/a.xml": BROKEN, "t1/b.xml": ORPHAN})
    report = toy.build({"t1/a.xml": BROKEN, "t1/b.xml": ORPHAN, "t1/c.xml": MORE})
    assert units(report) == {"t1": (UnitStatus.TORN, 2)}


def test_many_broken_files_are_named_in_part_and_counted(toy: Any) -> None:
    broken = {f"t1/b{number}.xml": BROKEN for number in range(5)}
    (gap,) = toy.build({"t1/a.xml": TITLE_1, **broken}).gaps
    assert gap.endswith("t1/b2.xml:2:7: is broken; and 2 more files.")


def test_a_provision_whose_parent_broke_hangs_under_the_nearest_that_was_read(toy: Any) -> None:
    orphans = """<p id="/toy/t1/ch9/s8" parent="/toy/t1/ch9" level="section" head="A">A.</p>
    <p id="/toy/s9" parent="/toy/t1/ch9" level="section" head="B">B.</p>"""
    report = toy.build({"t1/a.xml": TITLE_1, "t1/b.xml": BROKEN, "t1/c.xml": orphans})
    parents = {row["identifier"]: row["parent_id"] for row in rows(toy, "identifier", "parent_id")}
    assert parents["/toy/t1/ch9/s8"] == parents["/toy/s9"] == str(node_id("/toy/t1"))
    assert report.gaps[0].endswith("(2 provisions stand under a higher heading.)")


def test_orphans_alone_stand_at_the_top(toy: Any) -> None:
    toy.build({"t1/b.xml": BROKEN, "t1/c.xml": ORPHAN})
    assert [row["parent_id"] for row in rows(toy, "parent_id")] == [None]


def test_units_may_stand_under_containers_of_an_earlier_one(toy: Any) -> None:
    division = '<p id="/toy/d1" level="division" head="Government"/>'
    title = '<p id="/toy/t1" parent="/toy/d1" level="title" head="Courts"/>'
    toy.build({"t0/a.xml": division, "t1/a.xml": title})
    report = toy.build({"t0/a.xml": division, "t1/a.xml": BROKEN})
    assert report.units[1].status is UnitStatus.KEPT
    found = rows(toy, "parent_id", "tags")
    assert found[1] == {"parent_id": str(node_id("/toy/d1")), "tags": ["courts"]}
    toy.build({"t0/a.xml": division.replace("d1", "d2"), "t1/a.xml": BROKEN})
    assert rows(toy, "parent_id")[1] == {"parent_id": None}


def test_a_unit_that_is_gone_is_named_until_it_returns(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2})
    first = toy.build({"t2/a.xml": TITLE_2})
    second = toy.build({"t1/a.xml": "nothing in it", "t2/a.xml": TITLE_2})
    third = toy.build({"t2/a.xml": TITLE_2})
    assert first.gaps == second.gaps
    assert first == third
    assert units(first) == {"t2": (UnitStatus.READ, 2), "t1": (UnitStatus.MISSING, 0)}
    assert first.gaps == ("Title 1 was in an earlier build but is not in this source.",)
    assert toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2}).complete


def test_double_identifiers_are_left_for_the_check_to_name(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1, "t1/b.xml": TITLE_1})
    assert len(rows(toy)) == 8


def test_row_groups_hold_one_unit_each(toy: Any) -> None:
    many = "".join(f'<p id="/toy/t1/s{number}" level="section"/>' for number in range(4_500))
    toy.build({"t1/a.xml": many, "t2/a.xml": TITLE_2})
    table = pq.ParquetFile(toy.provisions / "provisions.parquet")
    sizes = [table.metadata.row_group(group).num_rows for group in range(table.num_row_groups)]
    assert sizes == [2_000, 2_000, 500, 2]
    toy.build({"t1/a.xml": BROKEN, "t2/a.xml": TITLE_2})
    assert len(rows(toy)) == 4_502


def test_a_source_without_provisions_is_refused_and_replaces_nothing(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1})
    with pytest.raises(SourceError, match="The reader 'toy' found no provisions in origin"):
        toy.build({"notes/readme.txt": "nothing"}, fresh=True)
    assert len(rows(toy)) == 4


def test_a_source_that_nothing_was_read_from_is_described_with_its_first_problems(toy: Any) -> None:
    pages = {f"t{number}/a.html": f"<html>{number} BROKEN</html>" for number in range(1, 6)}
    with pytest.raises(SourceError) as refused:
        toy.build(pages)
    assert "5 files of HTML, such as t1/a.html" in refused.value.message
    assert refused.value.message.endswith(
        "Its first problems: t1/a.html:1:7: is broken; t2/a.html:1:7: is broken; "
        "t3/a.html:1:7: is broken; and 2 more."
    )


class _Twice:
    def read(self, files: SourceFiles, body: CodeBody) -> Iterator[Unit]:
        for _ in range(2):
            yield Unit("t1", "Title 1", (), (Problem("t1/a.xml", "is broken"),))


def test_two_units_of_one_key_are_refused(toy: Any) -> None:
    source = toy.pin({"t1/a.xml": TITLE_1})
    with pytest.raises(BuildError, match="gave two units the key 't1'"):
        build_provisions(
            open_pinned(toy.pinned),
            source,
            toy.body,
            _Twice(),
            toy.provisions,
            tags=toy.tags,
            previous=None,
            progress=lambda done, total: None,
        )


def test_a_damaged_earlier_build_says_so(toy: Any) -> None:
    toy.build({"t1/a.xml": TITLE_1})
    (toy.provisions / "report.json").write_text("[]", encoding="utf-8")
    with pytest.raises(BuildError, match=r"report\.json is damaged"):
        toy.build({"t1/a.xml": TITLE_1})


def test_two_builds_of_one_source_are_the_same_bytes(toy: Any) -> None:
    names = ("provisions.parquet", "files.parquet", "report.json")
    toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2}, fresh=True)
    first = [(toy.provisions / name).read_bytes() for name in names]
    toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2}, day=5, fresh=True)
    assert [(toy.provisions / name).read_bytes() for name in names] == first


def test_titles_that_the_registry_lists_and_the_source_lacks_are_a_gap(toy: Any) -> None:
    toy.body = replace(toy.body, titles={"1": "One", "2": "Two", "3": "Three"})
    report = toy.build({"t1/a.xml": TITLE_1, "t2/a.xml": TITLE_2})
    assert not report.complete
    assert report.gaps == ("Not in the source: title 3.",)


def test_a_source_that_states_no_currency_has_that_of_its_name(toy: Any) -> None:
    toy.body = replace(toy.body, release_point_pattern="(orig)", currency="Public Law {release_point}")
    report = toy.build({"t1/a.xml": TITLE_1.split("\n", 1)[1]})
    assert (report.release_point, report.current_through) == ("orig", "Public Law orig")
