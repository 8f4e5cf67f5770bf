"""`lawctl mirror`: write a mirror of the snapshot in service, and pull one where it is served."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from serving.commands.output import print_json, print_text
from serving.commands.verbs import Parsers, add_noun, add_snapshots, add_verb, settings_of, whole_number
from serving.mirror.errors import MirrorError

_KEEP = 5
"""Snapshots that stay, as publications retain them."""


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "mirror", "mirror the snapshot in service to other servers, and pull it there")
    key = add_verb(
        verbs,
        "key",
        _key,
        "make a key of a mirror",
        more="It takes two: one that signs roots, to be kept offline, and one that signs what is mirrored.",
    )
    key.add_argument("file", type=Path, help="new file for the key, which its owner alone can read")
    root = add_verb(
        verbs,
        "root",
        _root,
        "begin a mirror, renew its root, or change its keys",
        more="The root lasts a year. Those who pull take its successor by themselves.",
    )
    root.add_argument("folder", type=Path, help="folder of the mirror")
    root.add_argument("--root-key", type=Path, required=True, metavar="FILE", help="key that signs the root")
    root.add_argument(
        "--key", type=Path, metavar="FILE", help="key that signs all else (default: LAW_MIRROR_KEY)"
    )
    root.add_argument(
        "--old-root-key", type=Path, metavar="FILE", help="key that signed the root before, if it was another"
    )
    published = add_verb(
        verbs,
        "publish",
        _publish,
        "put the snapshot in service into a mirror, or renew what the mirror says of it",
        more="What it signs last lasts three days: run it daily at least.",
    )
    published.add_argument("folder", type=Path, help="folder of the mirror")
    add_snapshots(published)
    pulled = add_verb(
        verbs,
        "pull",
        _pull,
        "fetch the snapshot of a mirror, check every byte, and put it in service",
        more="A pull that broke off goes on where it was. Nothing old, expired, changed or mixed is taken.",
    )
    pulled.add_argument("mirror", help="address of the mirror, or its folder")
    pulled.add_argument(
        "--root", type=Path, required=True, metavar="FILE", help="a root of the mirror, from its publisher"
    )
    pulled.add_argument(
        "--keep",
        type=whole_number,
        default=_KEEP,
        metavar="N",
        help=f"snapshots to retain (default: {_KEEP})",
    )
    add_snapshots(pulled)


def _key(options: argparse.Namespace) -> int:
    with _extra():
        from serving.mirror.keys import make_key  # noqa: PLC0415 - of an extra
    signer = make_key(options.file)
    if options.json:
        print_json({"file": str(options.file), "keyId": signer.public_key.keyid})
    else:
        print_text(signer.public_key.keyid)
    return 0


def _root(options: argparse.Namespace) -> int:
    with _extra():
        from serving.mirror.keys import load_key  # noqa: PLC0415 - of an extra
        from serving.mirror.roles import write_root  # noqa: PLC0415 - likewise
    before = None if options.old_root_key is None else load_key(options.old_root_key)
    online = load_key(options.key or _mirror_key(options))
    version = write_root(options.folder, load_key(options.root_key), online, before, datetime.now(UTC))
    if options.json:
        print_json({"version": version})
    else:
        print_text(f"{options.folder} has root {version}.")
    return 0


def _publish(options: argparse.Namespace) -> int:
    with _extra():
        from serving.mirror.keys import load_key  # noqa: PLC0415 - of an extra
        from serving.mirror.publishing import publish  # noqa: PLC0415 - likewise
    signer = load_key(_mirror_key(options))
    mirrored = publish(settings_of(options).snapshots, options.folder, signer, datetime.now(UTC))
    if options.json:
        print_json(
            {
                "snapshot": mirrored.snapshot,
                "files": mirrored.files,
                "added": mirrored.added,
                "version": mirrored.version,
            }
        )
    else:
        new = f"{mirrored.added:,} of {mirrored.files:,} files new"
        print_text(f"{options.folder} has {mirrored.snapshot}, {new}, in version {mirrored.version}.")
    return 0


def _pull(options: argparse.Namespace) -> int:
    with _extra():
        from serving.mirror.pulling import pull  # noqa: PLC0415 - of an extra
    root = options.root.read_bytes()
    pulled = pull(
        options.mirror, settings_of(options).snapshots, root, keep=options.keep, now=datetime.now(UTC)
    )
    if options.json:
        print_json(
            {
                "before": pulled.before,
                "current": pulled.snapshot,
                "fetched": pulled.fetched,
                "removed": pulled.removed,
            }
        )
    else:
        state = "is in service still" if pulled.before == pulled.snapshot else "is in service"
        print_text(f"{pulled.snapshot} {state}; {pulled.fetched:,} bytes were fetched.")
    return 0


def _mirror_key(options: argparse.Namespace) -> Path:
    path = settings_of(options).mirror_key
    if path is None:
        raise MirrorError("LAW_MIRROR_KEY names no key; `lawctl mirror key` makes one.")
    return path


@contextmanager
def _extra() -> Iterator[None]:
    """Say what to install where the library of mirrors is missing.

    Raises:
        MirrorError: it is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise MirrorError(
            f"Mirrors need {error.name}, which is not installed: `pip install 'legal-research-api[mirror]'`."
        ) from error
