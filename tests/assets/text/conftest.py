"""The encoder, and provisions made by hand, for the suites of the text stage."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from serving.contract.identity import node_id
from serving.contract.records import PROVISIONS
from serving.encoder.encoder import Encoder, open_encoder
from serving.encoder.tokens import PassageTokenizer

MakeProvisions = Callable[[Sequence[dict[str, Any]]], pa.Table]

_DEFAULTS: dict[str, Any] = {
    "parent_id": None,
    "code_body": "us-usc",
    "jurisdiction": "us",
    "unit": "t17",
    "level": "section",
    "num": None,
    "heading": "",
    "citable": True,
    "text": "",
    "outline": [],
    "status": "in_force",
    "notes": [],
    "references": [],
    "tags": [],
    "file": "usc17.xml",
    "byte_start": 0,
    "byte_end": 1,
    "source_sha256": "0" * 64,
    "text_sha256": "0" * 64,
}


@pytest.fixture(scope="session")
def encoder(encoder_folder: Path) -> Encoder:
    return open_encoder(encoder_folder)


@pytest.fixture(scope="session")
def tokenizer(encoder: Encoder) -> PassageTokenizer:
    return encoder.tokenizer


@pytest.fixture(scope="session")
def make_provisions() -> MakeProvisions:
    """Return a maker of PROVISIONS tables; a row names what matters, `parent` by its position."""

    def make(rows: Sequence[dict[str, Any]]) -> pa.Table:
        filled: list[dict[str, Any]] = []
        for number, row in enumerate(rows):
            own = dict(row)
            parent = own.pop("parent", None)
            identifier = f"/us/usc/t17/s{number}"
            made = _DEFAULTS | {
                "identifier": identifier,
                "ordinal": number,
                "citation": f"17 U.S.C. § {number}",
            }
            if parent is not None:
                made["parent_id"] = filled[parent]["node_id"]
            filled.append(made | {"node_id": str(node_id(identifier))} | own)
        return pa.Table.from_pylist(filled, schema=PROVISIONS)

    return make
