"""The table of changes finds rows by code body, kind and container, as a plain look at each row does."""

import random
from uuid import UUID

import pyarrow as pa
import pytest

from serving.contract.records import SNAPSHOT_CHANGES
from serving.snapshot.changes import ChangeTable, is_within

BODIES, KINDS = ("a", "b"), ("added", "amended")


def written(path, rows):
    columns = {name: [row[place] for row in rows] for place, name in enumerate(SNAPSHOT_CHANGES.names)}
    batch = pa.record_batch(
        [pa.array(columns[field.name], field.type) for field in SNAPSHOT_CHANGES], schema=SNAPSHOT_CHANGES
    )
    with pa.ipc.new_file(str(path), SNAPSHOT_CHANGES) as writer:
        writer.write_batch(batch)
    return ChangeTable(path)


@pytest.mark.parametrize("count", [0, 1, 200])
def test_rows_are_found_as_by_looking_at_each(tmp_path, count):
    chance = random.Random(count)
    # Ids that are alike in either half, and one that lies across two others.
    ids = [UUID(int=high << 64 | low) for high in (1, 2, 3) for low in (1, 2, 3)]
    across = UUID(bytes=ids[0].bytes[8:] + ids[1].bytes[:8])
    rows = [
        (
            chance.choice(BODIES),
            chance.choice(KINDS),
            b"".join(one.bytes for one in chance.sample(ids, chance.randrange(4))),
            b"{}",
        )
        for _ in range(count)
    ]
    table = written(tmp_path / "changes.arrow", rows)
    assert len(table) == count
    for container in (None, *ids, across):
        for bodies in (None, {"a"}, {"b", "c"}, set()):
            for kind in (None, "added"):
                assert table.find(code_bodies=bodies, kind=kind, container=container) == [
                    number
                    for number, (body, of_kind, held, _) in enumerate(rows)
                    if bodies is None or body in bodies
                    if kind in (None, of_kind)
                    if container is None or is_within(held, container)
                ]
