"""Proofs are checked offline: what is as it was published passes, and every flipped byte is named."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from legal_client.cli import main
from legal_client.proofs import (
    MalformedProofError,
    leaf_hash,
    node_faults,
    root_of,
    source_faults,
    text_lost,
)
from serving.contract import merkle
from serving.contract.leaves import node_leaf

SOURCE = b"<law>" + b"<section>No person shall dig a well.</section>" * 5 + b"</law>"
OTHERS = 11


def provision(number: int) -> dict[str, Any]:
    text = f"No person shall dig {number} wells \u2014 \u00a7 {number}."
    return {
        "id": f"00000000-0000-5000-8000-{number:012}",
        "citation": f"2 Sample Code \u00a7 {number}",
        "heading": "Wells",
        "text": text,
        "textSha256": hashlib.sha256(text.encode()).hexdigest(),
        "outline": [],
        "num": None,
        "citedByCount": number,
        "provenance": {
            "file": "law.xml",
            "sha256": hashlib.sha256(SOURCE).hexdigest(),
            "byteStart": 5,
            "byteEnd": 46,
            "retrievedAt": "2026-11-01T00:00:00Z",
        },
    }


@pytest.fixture
def proved() -> dict[str, Any]:
    """A provision among others, with its proof."""
    answers = [provision(number) for number in range(OTHERS)]
    hashes = [merkle.leaf_hash(node_leaf(answer)) for answer in answers]
    levels = merkle.levels_over(hashes)

    def hash_at(level: int, index: int) -> bytes:
        return levels[level][index]

    answer = answers[6]
    answer["proof"] = {
        "snapshot": "2026.11.21-1",
        "leaf": node_leaf(answer).decode(),
        "index": 6,
        "size": OTHERS,
        "path": [one.hex() for one in merkle.inclusion_path(6, OTHERS, hash_at)],
        "root": merkle.tree_root(OTHERS, hash_at).hex(),
    }
    return answer


def test_roots_of_both_sides_agree() -> None:
    for size in range(40):
        hashes = [leaf_hash(b"%d" % one) for one in range(size)]
        levels = merkle.levels_over(hashes)

        def hash_at(level: int, index: int, of: list[Any] = levels) -> bytes:
            return bytes(of[level][index])

        assert root_of(hashes) == merkle.tree_root(size, hash_at)


def test_what_was_published_passes(proved: dict[str, Any]) -> None:
    assert list(node_faults(proved, root=proved["proof"]["root"])) == []
    assert list(source_faults(proved, SOURCE)) == []
    proved["provenance"]["retrievedAt"] = "2027-01-01T00:00:00Z"
    assert list(node_faults(proved)) == [], "when it was retrieved is no part of the law"


@pytest.mark.parametrize(
    ("field", "value"),
    [("heading", "Well"), ("citedByCount", 7), ("outline", [{}]), ("num", ""), ("invented", 1)],
)
def test_a_field_that_differs_is_named(proved: dict[str, Any], field: str, value: Any) -> None:
    proved[field] = value
    assert list(node_faults(proved)) == [f"{field}: is not what was published"]


def test_a_field_that_is_left_out_is_named(proved: dict[str, Any]) -> None:
    del proved["heading"]
    assert list(node_faults(proved)) == ["heading: is not what was published"]


def test_an_altered_text_is_named_with_its_hash(proved: dict[str, Any]) -> None:
    proved["text"] = proved["text"].replace("shall", "may")
    assert list(node_faults(proved)) == [
        "textSha256: is not the hash of the text",
        "text: is not what was published",
    ]
    proved["textSha256"] = hashlib.sha256(proved["text"].encode()).hexdigest()
    assert list(node_faults(proved)) == [
        "text: is not what was published",
        "textSha256: is not what was published",
    ]


def test_a_leaf_altered_with_its_field_leads_nowhere(proved: dict[str, Any]) -> None:
    proved["heading"] = "Pits"
    proved["proof"]["leaf"] = proved["proof"]["leaf"].replace('"Wells"', '"Pits"')
    (fault,) = node_faults(proved)
    assert fault.startswith("proof: ")


def test_an_altered_leaf_beside_a_sound_provision_is_named(proved: dict[str, Any]) -> None:
    proved["proof"]["leaf"] = proved["proof"]["leaf"].replace("Wells", "Pits")
    assert [fault.partition(":")[0] for fault in node_faults(proved)] == ["proof.leaf"]


def test_every_flipped_hash_of_the_path_is_found(proved: dict[str, Any]) -> None:
    for place, one in enumerate(proved["proof"]["path"]):
        other = copy.deepcopy(proved)
        other["proof"]["path"][place] = f"{int(one[0], 16) ^ 1:x}{one[1:]}"
        assert [fault.partition(":")[0] for fault in node_faults(other)] == ["proof"]


@pytest.mark.parametrize(("part", "value"), [("index", 5), ("size", 6), ("root", "0" * 64)])
def test_other_figures_of_the_proof_are_found(proved: dict[str, Any], part: str, value: Any) -> None:
    proved["proof"][part] = value
    assert [fault.partition(":")[0] for fault in node_faults(proved)] == ["proof"]


def test_a_root_that_is_not_the_trusted_one_is_named(proved: dict[str, Any]) -> None:
    assert list(node_faults(proved, root="0" * 64)) == ["proof.root: is not the root that is trusted"]


def test_every_flipped_byte_of_the_source_is_found(proved: dict[str, Any]) -> None:
    for place in range(0, len(SOURCE), 17):
        other = bytearray(SOURCE)
        other[place] ^= 1
        (fault,) = source_faults(proved, bytes(other))
        assert fault.startswith("source: is not law.xml as it was read")


def test_a_place_outside_the_source_is_found(proved: dict[str, Any]) -> None:
    proved["provenance"]["byteEnd"] = len(SOURCE) + 1
    (fault,) = source_faults(proved, SOURCE)
    assert fault.startswith("provenance: bytes 5 to ")


BOOK = """<section><num>§ 7</num> <p>The <b>owner or keeper</b><fn>1 See note.</fn> of a well of 9 ft² shall cover
it &amp; keep it shut.</p><!-- and nothing else --><tr><td>Depth</td><td>Fee</td></tr></section>"""


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("The owner or keeper of a well of 9 ft² shall cover it & keep it shut.\nDepth | Fee", None),
        ("The owner or keeper of a well of 9 ft2 shall cover it & keep it shut.", None),
        ("", None),
        ("The owner or keeper of a well of 9 ft² may cover it & keep it shut.", "may"),
        ("The owner or keeper of a well of 9 ft² shall cover it & keep it shut. And nothing else", "And"),
        ("(a) The owner or keeper of a well", "(a)"),
        ("Depth | Fee of the owner or keeper of a well", "Depth"),
    ],
)
def test_the_text_is_derived_from_the_bytes_or_the_place_named(text: str, lost: str | None) -> None:
    source = b"<law>" + BOOK.encode() + b"</law>"
    place = {"byteStart": 5, "byteEnd": len(source) - 6}
    found = text_lost({"text": text, "provenance": place}, source)
    assert found == (None if lost is None else text.index(lost))


def test_bytes_outside_the_provision_do_not_count() -> None:
    source = b"<s>No person shall dig a well.</s><s>No person shall cover a well.</s>"
    answer = {"text": "No person shall cover a well.", "provenance": {"byteStart": 0, "byteEnd": 34}}
    assert text_lost(answer, source) == len("No person shall ")


def test_members_that_hide_in_the_name_of_another_are_refused(proved: dict[str, Any]) -> None:
    lines = dict(line.split(" ", 1) for line in proved["proof"]["leaf"].splitlines()[1:])
    heading = proved.pop("heading")
    name = f"citedByCount {lines['citedByCount']}\nheading"
    del proved["citedByCount"]
    proved[name] = heading
    assert node_leaf(proved).decode() == proved["proof"]["leaf"], "else it hides nothing"
    with pytest.raises(MalformedProofError, match="member"):
        list(node_faults(proved))


def test_an_answer_with_two_members_of_one_name_is_refused(
    proved: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    node = tmp_path / "node.json"
    node.write_text('{"heading": "Pits", ' + json.dumps(proved)[1:], encoding="utf-8")
    assert main(["verify", str(node)]) == 2
    assert "two members of one name" in capsys.readouterr().err


def test_a_proof_names_its_snapshot(proved: dict[str, Any]) -> None:
    del proved["proof"]["snapshot"]
    with pytest.raises(MalformedProofError, match="snapshot"):
        list(node_faults(proved))


@pytest.mark.parametrize(
    "proof", [None, {}, {"leaf": "", "index": True, "size": 1, "path": [], "root": "0" * 64}, {"leaf": 1}]
)
def test_what_holds_no_proof_says_so(proved: dict[str, Any], proof: Any) -> None:
    proved["proof"] = proof
    with pytest.raises(MalformedProofError):
        list(node_faults(proved))


def test_the_command_proves_offline(
    proved: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    node, source = tmp_path / "node.json", tmp_path / "law.xml"
    node.write_text(json.dumps(proved), encoding="utf-8")
    source.write_bytes(SOURCE)
    assert main(["verify", str(node), str(source), "--root", proved["proof"]["root"]]) == 0
    said = capsys.readouterr().out
    assert main(["verify", str(node)]) == 0
    told = f"`legal log verify {node}` tells whether it is that of 2026.11.21-1, over 11 provisions."
    assert told in capsys.readouterr().out
    # The root does not say which snapshot it is of, nor how large that is: the log does.
    assert "published in" not in said
    assert said.startswith("2 Sample Code § 6: as it was published under the root\n")
    assert "bytes 5 to 46 of law.xml" in said
    source.write_bytes(SOURCE[:-1])
    assert main(["verify", str(node), str(source)]) == 7
    assert "source: is not law.xml" in capsys.readouterr().out
    proved["heading"] = "\ud800"
    node.write_text(json.dumps(proved), encoding="utf-8")
    assert main(["verify", str(node), "--json"]) == 7
    assert json.loads(capsys.readouterr().out)["faults"] == ["heading: is not what was published"]
    node.write_text("[" * 100_000, encoding="utf-8")
    assert main(["verify", str(node)]) == 2
    assert main(["log", "verify", str(node)]) == 2
    node.write_text("[", encoding="utf-8")
    assert main(["verify", str(node)]) == 2
    assert main(["verify", str(tmp_path / "absent.json")]) == 2
