"""Containers that are cited by number alone, under the number as citations write it."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pyarrow as pa
import pytest

from assets.citations.table import numbered_containers
from assets.registry import Registry
from assets.selection.selection import Selection
from serving.contract.citations import Grammar
from serving.contract.citations.keys import container_key


@pytest.mark.parametrize(
    ("key", "numbers", "parents", "cited"),
    [
        # Title 8, chapter 63, article 4 and a section; title 11, chapter 41. Division 2 of title 19 is no chapter.
        (
            "ak-code",
            ["8", "63", "4", "08.63.100", "11", "41"],
            [-1, 0, 1, 2, -1, 4],
            {"Alaska Stat. § 08.63": 1, "Alaska Stat. § 11.41": 5},
        ),
        (
            "ca-american-canyon-code",
            ["19", "2", "19.10", "19.10.010"],
            [-1, 0, 1, 2],
            {"American Canyon Mun. Code § 19.10": 2},
        ),
        ("tn-code", ["66", "28", "66-28-101"], [-1, 0, 1], {}),
    ],
)
def test_containers_have_the_number_by_which_they_are_cited(
    registry: Registry, key: str, numbers: list[str], parents: list[int], cited: dict[str, int]
) -> None:
    body = registry.code_body(key)
    citable = [number.count(".") + number.count("-") > 1 for number in numbers]
    selection = SimpleNamespace(
        provisions=pa.table({"num": numbers, "citable": citable}),
        numbering=SimpleNamespace(parents=np.array(parents)),
        bodies=[SimpleNamespace(body=body, first=0, count=len(numbers))],
    )
    found = numbered_containers(cast(Selection, selection), Grammar(body.citation_schemes()))
    assert {entry.key: entry.position for entry in found} == {
        container_key(citation): position for citation, position in cited.items()
    }
