"""Leaves of provisions: every field counts, and so does nothing else."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.contract.leaves import IN_FULL, NODE, node_leaf

ANSWER: dict[str, Any] = {
    "id": "0f3b2f0c-9d1e-5c0a-8a54-2f0a9c3d7b11",
    "heading": 'Fair "use"\n\u2028 of 10 € \x1f\x7f',
    "text": "Notwithstanding the provisions of sections 106 and 106A, " * 3,
    "num": None,
    "childCount": 0,
    "outline": [{"label": "(a)", "start": 0, "end": 5, "uncertain": False}],
    "provenance": {"sha256": "0" * 64, "file": "usc17.xml", "retrievedAt": "2026-11-01T00:00:00Z"},
}
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abcXYZ", min_size=1), inner),
    max_leaves=12,
)


def canonical(value: Any) -> bytes:
    """RFC 8785 where names are ASCII and numbers are whole, by another writer of JSON."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def described_leaf(answer: dict[str, Any]) -> bytes:
    """The leaf as docs/proofs.md describes it."""
    lines = [NODE]
    for name, value in sorted(answer.items()):
        counted = value
        if name == "provenance":
            counted = {key: one for key, one in value.items() if key != "retrievedAt"}
        written = canonical(counted)
        if len(written) > IN_FULL:
            written = b"sha256:" + hashlib.sha256(written).hexdigest().encode()
        lines.append(f"{name} {written.decode()}")
    return "".join(f"{line}\n" for line in lines).encode()


def test_a_leaf_is_what_the_guide_describes() -> None:
    leaf = node_leaf(ANSWER)
    assert leaf == described_leaf(ANSWER)
    assert leaf.decode().split("\n")[:3] == [
        "legal-node/1",
        "childCount 0",
        'heading "Fair \\"use\\"\\n\u2028 of 10 € \\u001f\x7f"',
    ]


@given(st.dictionaries(st.text("abcdefgXYZ", min_size=1), JSON))
def test_any_answer_has_the_described_leaf(answer: dict[str, Any]) -> None:
    assert node_leaf(answer) == described_leaf(answer)


@pytest.mark.parametrize("field", sorted(ANSWER))
def test_every_field_counts(field: str) -> None:
    other = {"file": "usc18.xml"} if field == "provenance" else "?"
    assert node_leaf({**ANSWER, field: other}) != node_leaf(ANSWER)
    left = {name: value for name, value in ANSWER.items() if name != field}
    assert node_leaf(left) != node_leaf(ANSWER)


def test_when_a_source_was_retrieved_does_not_count_nor_does_the_proof() -> None:
    later = {**ANSWER["provenance"], "retrievedAt": "2027-01-01T00:00:00Z"}
    assert node_leaf({**ANSWER, "provenance": later, "proof": {"index": 1}}) == node_leaf(ANSWER)
