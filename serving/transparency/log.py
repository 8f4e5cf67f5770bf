"""The log of snapshots on disk: read whole and checked, and appended to so that nothing before is touched."""

import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from serving.contract.errors import LawError
from serving.contract.merkle import HASH_BYTES, leaf_hash, levels_over, tree_root
from serving.snapshot.durable import replace_file
from serving.transparency.checkpoint import Checkpoint, CheckpointError, Signer, unsigned
from serving.transparency.tiles import ENTRIES, WIDTH, pack_entries, tile_file, tiles_of, unpack_entries

CHECKPOINT = "checkpoint"
UNNAMED = "legal-research-api.invalid/log"
"""Origin of a log that was begun without a key, and so without a name."""
_TILE_LEVELS = 8


class LogDamagedError(LawError):
    """The log is not what its checkpoint says; the message names the file."""

    code = "log_damaged"

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class SnapshotLog:
    """A log as its checkpoint has it, with all its entries, oldest first."""

    folder: Path
    origin: str
    entries: tuple[bytes, ...]


def read_log(folder: Path) -> SnapshotLog | None:
    """Return the log in a folder, every byte checked; None before the first entry.

    Raises:
        LogDamagedError: the files do not fit together.
    """
    path = folder / CHECKPOINT
    try:
        checkpoint = Checkpoint.parse(path.read_bytes())
    except FileNotFoundError:
        return None
    except CheckpointError as error:
        raise LogDamagedError(path, str(error)) from error
    entries: list[bytes] = []
    hashes: list[bytes] = []
    for index, width in tiles_of(checkpoint.size):
        file = folder / tile_file(0, index, width)
        content = _read(file)
        if len(content) != width * HASH_BYTES:
            raise LogDamagedError(file, f"has {len(content)} bytes instead of {width * HASH_BYTES}")
        known = [content[at : at + HASH_BYTES] for at in range(0, len(content), HASH_BYTES)]
        hashes += known
        file = folder / tile_file(ENTRIES, index, width)
        try:
            found = unpack_entries(_read(file))
        except ValueError as error:
            raise LogDamagedError(file, str(error)) from error
        if [leaf_hash(entry) for entry in found] != known:
            raise LogDamagedError(file, f"holds other entries than {tile_file(0, index, width)}")
        entries += found
    _require_begun(folder, hashes, entries)
    levels = levels_over(hashes)
    if tree_root(len(hashes), lambda level, index: levels[level][index]) != checkpoint.root:
        raise LogDamagedError(path, "has another root than the tiles of hashes")
    return SnapshotLog(folder, checkpoint.origin, tuple(entries))


def _require_begun(folder: Path, hashes: Sequence[bytes], entries: Sequence[bytes]) -> None:
    """Check the narrow tiles of earlier checkpoints, which whoever saw one of those may still ask for.

    Raises:
        LogDamagedError: one is not what the log began with.
    """
    for level in (0, ENTRIES):
        for file in sorted((folder / f"tile/{level}").glob("*.p/*")):
            index, width = file.parent.name.removesuffix(".p"), file.name
            if not (index.isdecimal() and width.isdecimal()):
                raise LogDamagedError(file, "is no tile of the log")
            start, end = int(index) * WIDTH, int(index) * WIDTH + int(width)
            known = b"".join(hashes[start:end]) if level == 0 else pack_entries(entries[start:end])
            # Those beyond the checkpoint are of a publication that died before it wrote that.
            if end <= len(entries) and _read(file) != known:
                raise LogDamagedError(file, "is not what the log began with")


def append(folder: Path, log: SnapshotLog | None, entries: Sequence[bytes], signer: Signer | None) -> None:
    """Add entries to a log, which begins with them if there is none. The caller holds the publisher's lock.

    The checkpoint is replaced last: a process that dies before leaves a log that is as it was.

    Args:
        folder: folder of the log.
        log: the log in it, as `read_log` gave it.
        entries: what is added.
        signer: signs the checkpoint; None: it stays unsigned.
    """
    before = () if log is None else log.entries
    named = UNNAMED if signer is None else signer.name
    origin = named if log is None else log.origin
    every = [*before, *entries]
    for index, width in tiles_of(len(every), len(before)):
        start = index * WIDTH
        _put(folder, tile_file(ENTRIES, index, width), pack_entries(every[start : start + width]))
    levels = levels_over([leaf_hash(entry) for entry in every])
    for level, hashes in enumerate(levels[::_TILE_LEVELS]):
        first = len(before) >> level * _TILE_LEVELS
        for index, width in tiles_of(len(hashes), first):
            start = index * WIDTH
            _put(folder, tile_file(level, index, width), b"".join(hashes[start : start + width]))
    root = tree_root(len(every), lambda level, index: levels[level][index])
    checkpoint = Checkpoint(origin, len(every), root)
    replace_file(folder / CHECKPOINT, unsigned(checkpoint) if signer is None else signer.sign(checkpoint))
    _drop_narrow(folder, len(before), len(every))


def _put(folder: Path, name: str, content: bytes) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    for made in path.relative_to(folder).parents:
        # As snapshots are: the user that serves them need not be the one that built them.
        (folder / made).chmod(0o755)
    replace_file(path, content)


def _drop_narrow(folder: Path, before: int, after: int) -> None:
    """Remove narrow tiles in whose place there is a complete one now."""
    levels: list[tuple[int | str, int]] = [(ENTRIES, 0)]
    levels += [(level, level * _TILE_LEVELS) for level in range(-(-after.bit_length() // _TILE_LEVELS))]
    for level, shift in levels:
        for index in range((before >> shift) // WIDTH, (after >> shift) // WIDTH):
            with suppress(FileNotFoundError):
                shutil.rmtree((folder / tile_file(level, index, 1)).parent)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise LogDamagedError(path, f"cannot be read: {error.strerror}") from error
