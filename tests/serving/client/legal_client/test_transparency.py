"""The service's log as the client checks it, over logs that the publisher's own code wrote."""

from pathlib import Path

import pytest

from legal_client.proofs import MalformedProofError
from legal_client.transparency import (
    Checkpoint,
    Log,
    entry_faults,
    log_faults,
    read_entries,
    read_hashes,
    tiles,
)
from serving.transparency.checkpoint import Signer, make_key
from serving.transparency.log import append, read_log

SIZES = (1, 2, 255, 256, 257)


def entry(number: int, root: str = "a" * 64) -> bytes:
    return f"legal-snapshot/1\nsnapshot 2026.11.21-{number}\nnodes 12\nnodes-root {root}\n".encode()


def written(folder: Path, entries: list[bytes], signer: Signer | None = None) -> Log:
    """Write a log, and read it as the client fetches it."""
    append(folder, read_log(folder), entries, signer)
    checkpoint = Checkpoint.parse((folder / "checkpoint").read_text(encoding="utf-8"))
    hashes: list[bytes] = []
    found: list[bytes] = []
    for index, width in tiles(checkpoint.size):
        name = index if width == 256 else f"{index}.p/{width}"
        hashes += read_hashes((folder / "tile/0" / name).read_bytes())
        found += read_entries((folder / "tile/entries" / name).read_bytes())
    return Log(checkpoint, tuple(hashes), tuple(found))


@pytest.mark.parametrize("size", SIZES)
def test_a_log_that_only_grew_holds(tmp_path: Path, size: int) -> None:
    before = written(tmp_path, [entry(number) for number in range(size)])
    assert list(log_faults(before)) == []
    after = written(tmp_path, [entry(size)])
    assert list(log_faults(after, kept=before.checkpoint)) == []
    assert list(log_faults(after, kept=after.checkpoint)) == []
    assert list(entry_faults(after, f"2026.11.21-{size}", {"nodes": "12", "nodes-root": "a" * 64})) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("changed", [0, -1])
def test_a_rewritten_log_is_detected(tmp_path: Path, size: int, changed: int) -> None:
    entries = [entry(number) for number in range(size)]
    before = written(tmp_path / "told", entries)
    entries[changed] = entry(999)
    after = written(tmp_path / "retold", [*entries, entry(size)])
    assert list(log_faults(after)) == [], "by itself it is sound"
    (fault,) = log_faults(after, kept=before.checkpoint)
    assert fault.startswith(f"log: was rewritten: its first {size} entries")


def test_a_log_that_was_cut_short_or_exchanged_is_detected(tmp_path: Path) -> None:
    short = written(tmp_path / "log", [entry(1)])
    long = written(tmp_path / "log", [entry(2)])
    (fault,) = log_faults(short, kept=long.checkpoint)
    assert fault == "log: was rewritten: it had 2 entries when it was last seen, and has 1"
    other = written(tmp_path / "other", [entry(1)], make_key("law.example/log", tmp_path / "key"))
    (fault,) = log_faults(other, kept=short.checkpoint)
    assert "is of the log law.example/log" in fault


@pytest.mark.parametrize("size", [1, 3, 257])
def test_every_flipped_bit_of_hashes_and_entries_is_found(tmp_path: Path, size: int) -> None:
    log = written(tmp_path, [entry(number) for number in range(size)])
    for number in (0, size // 2, size - 1):
        hashes, entries = list(log.hashes), list(log.entries)
        hashes[number] = bytes([hashes[number][0] ^ 1]) + hashes[number][1:]
        assert [
            fault.partition(":")[0] for fault in log_faults(Log(log.checkpoint, tuple(hashes), log.entries))
        ] == [
            "log/tile/0",
            "log/tile/entries",
        ]
        entries[number] = entries[number].replace(b"nodes 12", b"nodes 13")
        (fault,) = log_faults(Log(log.checkpoint, log.hashes, tuple(entries)))
        assert fault.startswith(f"log/tile/entries: entry {number} ")
    (fault,) = log_faults(Log(log.checkpoint, log.hashes, log.entries[:-1]))
    assert fault.startswith("log/tile/entries")


def test_a_snapshot_that_is_not_in_it_or_otherwise_is_named(tmp_path: Path) -> None:
    log = written(
        tmp_path, [entry(1), entry(2), b"legal-snapshot/9\nsnapshot 2026.11.21-3\n", entry(2, "b" * 64)]
    )
    assert list(entry_faults(log, "2026.11.21-3", {})) == ["log: 2026.11.21-3 is not in it"]
    assert list(entry_faults(log, "2026.11.21-2", {})) == ["log: 2026.11.21-2 is in it 2 times"]
    (fault,) = entry_faults(log, "2026.11.21-1", {"nodes": "12", "nodes-root": "b" * 64})
    assert fault == f"2026.11.21-1: its nodes-root is {'b' * 64}, and {'a' * 64} in the log"


def test_signatures_are_those_of_the_key(tmp_path: Path) -> None:
    signer, other = (make_key("law.example/log", tmp_path / name) for name in ("one", "two"))
    log = written(tmp_path / "log", [entry(1)], signer)
    assert list(log_faults(log, key=signer.verifier)) == []
    assert list(log_faults(log, key=other.verifier)) == ["log/checkpoint: is not signed by law.example/log"]
    unsigned = written(tmp_path / "unsigned", [entry(1)])
    assert list(log_faults(unsigned, key=signer.verifier)) == [
        "log/checkpoint: is not signed by law.example/log"
    ]
    forged = Checkpoint.parse(log.checkpoint.note.replace("\n1\n", "\n2\n"))
    assert "log/checkpoint: is not signed by law.example/log" in list(
        log_faults(Log(forged, log.hashes, log.entries), key=signer.verifier)
    )
    for wrong in ("", "law.example/log", signer.verifier[:-4], signer.verifier.replace("law", "low")):
        with pytest.raises(MalformedProofError):
            list(log_faults(log, key=wrong))


@pytest.mark.parametrize("note", ["", "law\n", "law\none\nAAAA\n\n", "law\n1\n*\n\n"])
def test_what_is_no_checkpoint_is_refused(note: str) -> None:
    with pytest.raises(MalformedProofError):
        Checkpoint.parse(note)
