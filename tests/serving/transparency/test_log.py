"""The log on disk: whole tiles and narrow ones, never a byte of what was there before, and every flip found."""

from pathlib import Path

import pytest

from serving.transparency.checkpoint import Checkpoint, Signer, make_key
from serving.transparency.log import CHECKPOINT, UNNAMED, LogDamagedError, append, read_log
from serving.transparency.tiles import pack_entries, tile_file, unpack_entries


def entry(number: int) -> bytes:
    return f"legal-snapshot/1\nsnapshot 2026.11.21-{number}\n".encode()


def grow(folder: Path, *sizes: int, signer: Signer | None = None) -> list[Checkpoint]:
    """Append until the log has each of these sizes; give its checkpoints."""
    checkpoints = []
    for size in sizes:
        log = read_log(folder)
        held = 0 if log is None else len(log.entries)
        append(folder, log, [entry(number) for number in range(held, size)], signer)
        checkpoints.append(Checkpoint.parse((folder / CHECKPOINT).read_bytes()))
    return checkpoints


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_an_absent_log_is_none(tmp_path: Path) -> None:
    assert read_log(tmp_path) is None


def test_entries_come_back_in_their_order(tmp_path: Path) -> None:
    grow(tmp_path, 1, 2, 5)
    log = read_log(tmp_path)
    assert log is not None
    assert log.entries == tuple(entry(number) for number in range(5))
    assert log.origin == UNNAMED


def test_the_files_are_those_of_the_layout(tmp_path: Path) -> None:
    grow(tmp_path, 3)
    assert set(files(tmp_path)) == {CHECKPOINT, "tile/0/000.p/3", "tile/entries/000.p/3"}
    grow(tmp_path, 256)
    assert set(files(tmp_path)) == {CHECKPOINT, "tile/0/000", "tile/entries/000", "tile/1/000.p/1"}
    grow(tmp_path, 300)
    assert set(files(tmp_path)) == {
        *(CHECKPOINT, "tile/0/000", "tile/entries/000", "tile/1/000.p/1"),
        *("tile/0/001.p/44", "tile/entries/001.p/44"),
    }


def test_one_by_one_and_at_once_is_the_same_log(tmp_path: Path) -> None:
    grow(tmp_path / "slow", 1, 2, 255, 256, 257, 513)
    grow(tmp_path / "fast", 513)
    slow, fast = files(tmp_path / "slow"), files(tmp_path / "fast")
    assert {name: slow[name] for name in fast} == fast
    assert all(".p/" in name for name in set(slow) - set(fast))


def test_what_is_complete_is_never_written_again(tmp_path: Path) -> None:
    grow(tmp_path, 256)
    stamp = (tmp_path / "tile/0/000").stat()
    grow(tmp_path, 258)
    assert (tmp_path / "tile/0/000").stat().st_ino == stamp.st_ino


@pytest.mark.parametrize("size", [1, 3, 257])
def test_a_flipped_byte_of_any_file_is_found_and_the_file_named(tmp_path: Path, size: int) -> None:
    grow(tmp_path, size)
    for name, content in files(tmp_path).items():
        if name == CHECKPOINT:
            places = range(len(f"{UNNAMED}\n"), len(content) - 1)
        elif name.startswith("tile/1/"):
            continue  # made from level 0, which is what is read
        else:
            places = range(0, len(content), max(len(content) // 7, 1))
        for place in places:
            other = bytearray(content)
            other[place] ^= 1
            (tmp_path / name).write_bytes(other)
            with pytest.raises(LogDamagedError) as found:
                read_log(tmp_path)
            named = found.value.path.relative_to(tmp_path).as_posix()
            assert named.split(".p/")[0].split("/")[-1] == name.split(".p/")[0].split("/")[
                -1
            ] or CHECKPOINT in (
                named,
                name,
            )
        (tmp_path / name).write_bytes(content)
    assert read_log(tmp_path) is not None


def test_a_flipped_byte_of_what_is_kept_for_earlier_checkpoints_is_found(tmp_path: Path) -> None:
    grow(tmp_path, 2, 3, 258, 300)
    superseded = {name: held for name, held in files(tmp_path).items() if name.endswith((".p/2", ".p/3"))}
    assert set(superseded) == {"tile/0/001.p/2", "tile/entries/001.p/2"}
    for name, content in superseded.items():
        for place in range(0, len(content), 7):
            (tmp_path / name).write_bytes(
                content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
            )
            with pytest.raises(LogDamagedError, match=name):
                read_log(tmp_path)
        (tmp_path / name).write_bytes(content)
    assert read_log(tmp_path) is not None


def test_a_process_that_died_before_the_checkpoint_left_the_log_as_it_was(tmp_path: Path) -> None:
    grow(tmp_path, 2)
    before = (tmp_path / CHECKPOINT).read_bytes()
    append(tmp_path, read_log(tmp_path), [b"an entry that was never published"], None)
    (tmp_path / CHECKPOINT).write_bytes(before)
    log = read_log(tmp_path)
    assert log is not None
    assert len(log.entries) == 2
    grow(tmp_path, 3)
    log = read_log(tmp_path)
    assert log is not None
    assert log.entries[2] == entry(2)


def test_a_key_names_a_new_log_and_signs_an_old_one(tmp_path: Path) -> None:
    signer = make_key("law.example/log", tmp_path / "key")
    (new,) = grow(tmp_path / "new", 1, signer=signer)
    assert new.origin == "law.example/log"
    grow(tmp_path / "old", 1)
    (old,) = grow(tmp_path / "old", 2, signer=signer)
    assert old.origin == UNNAMED, "the name of a log never changes"
    assert "\u2014 law.example/log ".encode() in (tmp_path / "old" / CHECKPOINT).read_bytes()


@pytest.mark.parametrize(
    ("index", "path"), [(0, "000"), (999, "999"), (1000, "x001/000"), (1234067, "x001/x234/067")]
)
def test_numbers_of_tiles_are_spelled_as_specified(index: int, path: str) -> None:
    assert tile_file(2, index) == f"tile/2/{path}"
    assert tile_file("entries", index, 7) == f"tile/entries/{path}.p/7"


def test_entries_that_are_cut_off_are_refused() -> None:
    packed = pack_entries([b"", b"one", b"x" * 700])
    assert unpack_entries(packed) == [b"", b"one", b"x" * 700]
    for cut in (1, 3, len(packed) - 1):
        with pytest.raises(ValueError, match="cut off"):
            unpack_entries(packed[:cut])
