"""The command `log verify` of `legal`: the service's log of snapshots, checked here."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from legal_client import calls
from legal_client.client import Client
from legal_client.connection import MisusedError
from legal_client.printing import counted, print_json, print_line, remark
from legal_client.proofs import MalformedProofError, node_faults
from legal_client.showing import DONE
from legal_client.transparency import (
    Checkpoint,
    Log,
    entry_faults,
    log_faults,
    read_entries,
    read_hashes,
    tiles,
)
from legal_client.verify_commands import REFUTED, read_answer


def verify(client: Client, options: argparse.Namespace) -> int:
    """Check the log, and that it holds an answer's snapshot, or the one named, or all that are retained.

    The answer is checked as well: that its snapshot is in the log says nothing of one that was altered.
    """
    kept = None if options.kept is None else _kept(options.kept)
    answer = None if options.node is None else read_answer(options.node)
    faults = [] if answer is None else _answer_faults(answer, options.node)
    claims = _claims(client, answer, options.snapshot)
    log = fetch_log(client)
    try:
        faults += log_faults(log, kept=kept, key=options.key)
    except MalformedProofError as error:
        raise MisusedError(f"{error}.") from error
    for snapshot, claimed in claims.items():
        faults += entry_faults(log, snapshot, claimed)
    now = log.checkpoint
    if options.json:
        print_json({"proved": not faults, "faults": faults, "size": now.size, "snapshots": list(claims)})
    else:
        for line in faults or _said(log, answer, list(claims), options):
            print_line(line)
    if faults:
        return REFUTED
    if options.kept is not None:
        _keep(options.kept, now)
    elif not options.json:
        remark("Whether it was rewritten is seen with --kept FILE, which remembers how far it went.")
    return DONE


def fetch_log(client: Client) -> Log:
    """Fetch the checkpoint of the log, and the tiles of hashes and entries that it covers."""
    try:
        checkpoint = Checkpoint.parse(client.send(calls.log_checkpoint()))
    except MalformedProofError as error:
        raise MisusedError(f"The service's log cannot be read: {error}.") from error
    hashes: list[bytes] = []
    entries: list[bytes] = []
    for index, width in tiles(checkpoint.size):
        hashes += read_hashes(client.send(calls.log_tile("0", index, width)))
        entries += read_entries(client.send(calls.log_tile("entries", index, width)))
    return Log(checkpoint, tuple(hashes), tuple(entries))


def _answer_faults(answer: Mapping[str, Any], name: str) -> list[str]:
    try:
        return list(node_faults(answer))
    except MalformedProofError as error:
        raise MisusedError(f"{name}: {error}.") from error


def _claims(
    client: Client, answer: Mapping[str, Any] | None, snapshot: str | None
) -> Mapping[str, Mapping[str, str]]:
    """Return what is claimed of the snapshots that are to be in the log."""
    if answer is not None:
        proof = answer["proof"]
        return {
            str(proof.get("snapshot")): {
                "nodes": str(proof.get("size")),
                "nodes-root": str(proof.get("root")),
            }
        }
    listed = {one.id: one for one in client.snapshots().snapshots}
    if snapshot is not None:
        listed = {snapshot: listed[snapshot]} if snapshot in listed else {}
        if not listed:
            return {snapshot: {}}
    return {
        one.id: {"nodes": str(one.node_count), "nodes-root": one.nodes_root, "files-root": one.root_sha256}
        for one in listed.values()
        if one.nodes_root is not None
    }


def _kept(path: Path) -> Checkpoint | None:
    try:
        return Checkpoint.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise MisusedError(f"{path} holds no checkpoint that was kept: {error}.") from error


def _keep(path: Path, now: Checkpoint) -> None:
    try:
        path.write_text(now.note, encoding="utf-8")
    except OSError as error:
        raise MisusedError(f"{path} cannot be written: {error.strerror}.") from error


def _said(
    log: Log, answer: Mapping[str, Any] | None, snapshots: list[str], options: argparse.Namespace
) -> Iterator[str]:
    now = log.checkpoint
    if answer is not None:
        yield f"{answer.get('citation')}: as it was published in {answer['proof']['snapshot']}"
    yield f"{now.origin}: {counted(now.size, 'snapshot')}, whole"
    if options.key is not None:
        yield f"signed by {options.key.partition('+')[0]}"
    if options.kept is not None:
        yield "only grew since it was last seen" if options.kept.exists() else "seen for the first time"
    yield f"holds {', '.join(snapshots)}" if snapshots else "no retained snapshot has a tree"
