"""Provisions of several units with one identifier: told apart where both are law, else the one that moved goes."""

from typing import Any

import pyarrow.parquet as pq

from assets.ingest.report import UnitStatus
from assets.ingest.validate import citations_are_unique, hierarchy_is_closed, identifiers_are_unique
from serving.contract.identity import node_id

TITLE = '<p id="/toy/t{0}" level="title" head="Title"/>'
SECTION = (
    '<p id="/toy/{0}" parent="/toy/t{1}" level="section" head="{2}" status="{3}" cite="Toy § {0}">{2}.</p>'
)


def unit(number: str, *sections: tuple[str, str, str]) -> str:
    listed = (SECTION.format(name, number, head, status) for name, head, status in sections)
    return "\n".join([TITLE.format(number), *listed])


def found(toy: Any) -> list[tuple[str, str, str]]:
    """Return unit, identifier and heading of the sections, after the checks that a double one would fail."""
    for check in (identifiers_are_unique, citations_are_unique, hierarchy_is_closed):
        assert check(toy.provisions).findings == []
    table = pq.read_table(toy.provisions / "provisions.parquet").to_pylist()
    assert [row["ordinal"] for row in table] == list(range(len(table)))
    return [(row["unit"], row["identifier"], row["heading"]) for row in table if row["citable"]]


def test_both_are_told_apart_where_both_are_law(toy: Any) -> None:
    one = unit("1", ("25-765", "Signs", "in_force"), ("25-766", "Lamps", "in_force"))
    report = toy.build({"t1/a.xml": one, "t9/a.xml": unit("9", ("25-765", "Doors", "in_force"))})
    assert found(toy) == [
        ("t1", "/toy/25-765@signs", "Signs"),
        ("t1", "/toy/25-766", "Lamps"),
        ("t9", "/toy/25-765@doors", "Doors"),
    ]
    assert (report.complete, report.provisions, report.sections) == (True, 5, 3)


def test_marks_do_not_follow_the_order_of_the_units(toy: Any) -> None:
    toy.build(
        {"t1/a.xml": unit("1", ("5", "Signs", "in_force")), "t2/a.xml": unit("2", ("5", "Doors", "in_force"))}
    )
    first = {row[1:] for row in found(toy)}
    swapped = {
        "t1/a.xml": unit("1", ("5", "Doors", "in_force")),
        "t2/a.xml": unit("2", ("5", "Signs", "in_force")),
    }
    toy.build(swapped, fresh=True)
    assert {row[1:] for row in found(toy)} == first


def test_what_enacted_them_tells_them_apart_before_their_headings_do(toy: Any) -> None:
    files = {f"t{number}/a.xml": unit(str(number), ("5", f"Head {number}", "in_force")) for number in (1, 2)}
    toy.enacting_law = lambda provision: f"law-{provision.heading[-1]}"
    toy.build(files)
    assert [row[1] for row in found(toy)] == ["/toy/5@law-1", "/toy/5@law-2"]


def test_the_only_one_in_force_keeps_its_identifier(toy: Any) -> None:
    toy.build(
        {"t1/a.xml": unit("1", ("5", "Old", "repealed")), "t2/a.xml": unit("2", ("5", "New", "in_force"))}
    )
    assert found(toy) == [("t1", "/toy/5@old", "Old"), ("t2", "/toy/5", "New")]


def test_a_section_that_moved_out_of_a_title_that_is_kept_stands_in_its_new_place_alone(toy: Any) -> None:
    toy.build({"t1/a.xml": unit("1", ("5", "Moved", "in_force"), ("6", "Stays", "in_force"))})
    report = toy.build(
        {"t1/a.xml": "<p> BROKEN", "t2/a.xml": unit("2", ("5", "Moved and amended", "in_force"))}, day=9
    )
    assert found(toy) == [("t1", "/toy/6", "Stays"), ("t2", "/toy/5", "Moved and amended")]
    assert [(one.status, one.provisions, one.sections) for one in report.units] == [
        (UnitStatus.KEPT, 2, 1),
        (UnitStatus.READ, 2, 1),
    ]
    assert (report.provisions, report.levels, report.statuses) == (
        4,
        {"section": 2, "title": 2},
        {"in_force": 4},
    )


def test_kept_law_is_not_lost_to_a_dead_section_of_its_number(toy: Any) -> None:
    toy.build({"t1/a.xml": unit("1", ("5", "Law", "in_force"))})
    toy.build({"t1/a.xml": "<p> BROKEN", "t9/a.xml": unit("9", ("5", "Shelved", "reserved"))}, day=9)
    assert found(toy) == [("t1", "/toy/5", "Law"), ("t9", "/toy/5@shelved", "Shelved")]


def test_what_stands_below_moves_with_its_container(toy: Any) -> None:
    part = '<p id="/toy/p" parent="/toy/t{0}" level="part" head="Part {0}"/>'
    below = '<p id="/toy/{0}" parent="/toy/p" level="section" head="S" cite="Toy § {0}">S.</p>'
    files = {f"t{number}/a.xml": unit(number) + part.format(number) + below.format(number) for number in "12"}
    toy.build(files)
    found(toy)
    rows = pq.read_table(toy.provisions / "provisions.parquet").to_pylist()
    assert [(row["identifier"], row["parent_id"]) for row in rows if row["citable"]] == [
        ("/toy/1", str(node_id("/toy/p@part-1"))),
        ("/toy/2", str(node_id("/toy/p@part-2"))),
    ]


def test_row_groups_still_hold_one_unit_each(toy: Any) -> None:
    many = unit("1", *((f"1-{number}", "H", "in_force") for number in range(2_500)))
    toy.build({"t1/a.xml": many, "t2/a.xml": unit("2", ("1-7", "Other", "in_force"))})
    table = pq.ParquetFile(toy.provisions / "provisions.parquet")
    sizes = [table.metadata.row_group(group).num_rows for group in range(table.num_row_groups)]
    assert sizes == [2_000, 501, 2]
    assert sorted(path.name for path in toy.provisions.iterdir()) == [
        "files.parquet",
        "provisions.parquet",
        "report.json",
    ]
