"""`lawctl log`: the log of published snapshots, and the key that signs it."""

import argparse
from pathlib import Path

from serving.commands.output import print_json, print_text
from serving.commands.verbs import Parsers, add_noun, add_snapshots, add_verb, settings_of
from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import LOG
from serving.contract.leaves import leaf_fields
from serving.contract.manifest import Manifest
from serving.snapshot.lifecycle import LifecycleError, only_writer
from serving.snapshot.pointer import list_snapshots
from serving.transparency import publications
from serving.transparency.checkpoint import Signer, make_key
from serving.transparency.log import read_log


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "log", "show the log of published snapshots, and make the key that signs it")
    shown = add_verb(
        verbs,
        "show",
        _show,
        "check every byte of the log, and list its entries, oldest first",
        more="`snapshot verify` compares a snapshot with its entry.",
    )
    add_snapshots(shown)
    begun = add_verb(
        verbs,
        "begin",
        _begin,
        "begin another log with the retained snapshots, in the place of one that is lost for good",
        more="Whoever kept a checkpoint of the lost one refuses it: look for a backup or a mirror first.",
    )
    begun.add_argument("--key", type=Path, metavar="FILE", help="the key that signs it (default: unsigned)")
    add_snapshots(begun)
    key = add_verb(
        verbs,
        "key",
        _key,
        "make the key that signs the log of this service",
        more="Publications read it where LAW_LOG_KEY names its file; the printed line is for everybody.",
    )
    key.add_argument("name", help="name of the log, such as law.example/log")
    key.add_argument("file", type=Path, help="new file for the key, which its owner alone can read")


def _show(options: argparse.Namespace) -> int:
    snapshots = settings_of(options).snapshots
    log = read_log(snapshots / LOG)
    retained = list_snapshots(snapshots)
    unlogged = [one for one in retained if log is None and _has_tree(snapshots / one)]
    entries = [] if log is None else [leaf_fields(entry) for entry in log.entries]
    if options.json:
        origin = None if log is None else log.origin
        print_json({"origin": origin, "entries": entries, "unlogged": unlogged})
        return 1 if unlogged else 0
    if unlogged:
        print_text(publications.LogLostError(snapshots, unlogged).message)
        return 1
    if log is None:
        print_text(f"{snapshots} has no log: nothing was published with a tree yet.")
        return 0
    print_text(f"{log.origin}, {len(entries)} {'entry' if len(entries) == 1 else 'entries'}, all sound")
    for number, entry in enumerate(entries):
        name = entry.get("snapshot", "an entry of another format")
        gone = "" if name in retained else "  not retained"
        print_text(f"{number:>6}  {name}  {entry.get('created', '')}  {entry.get('nodes-root', '')}{gone}")
    return 0


def _begin(options: argparse.Namespace) -> int:
    snapshots = settings_of(options).snapshots
    signer = None if options.key is None else Signer.load(options.key)
    with only_writer(snapshots):
        if read_log(snapshots / LOG) is not None:
            raise LifecycleError(f"{snapshots} has a log, which publications continue.")
        added = publications.add_snapshots(snapshots, signer)
    if options.json:
        print_json({"added": list(added)})
    else:
        print_text(f"A log is begun with {', '.join(added) or 'nothing'}.")
    return 0


def _has_tree(folder: Path) -> bool:
    try:
        return Manifest.load(folder).nodes_root is not None
    except SnapshotCorruptError:
        return False  # `snapshot verify` says what is wrong with it


def _key(options: argparse.Namespace) -> int:
    signer = make_key(options.name, options.file)
    if options.json:
        print_json({"file": str(options.file), "verifier": signer.verifier})
    else:
        print_text(signer.verifier)
    return 0
