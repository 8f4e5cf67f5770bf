"""`lawbuild`: the command that builds and publishes without the UI; what it needs to build is loaded late."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

from assets.connectors.errors import UnreachableError
from assets.errors import BuildError
from assets.registry import CodeBody, Layer, Registry, load_registry
from assets.settings import BuildSettings
from assets.storage.needs import Extent, needs_of_all, needs_of_builds
from assets.workspace import Workspace
from pipelines.stopping import say_stopped, stoppable
from pipelines.storage import needs_of_command, take_alone, with_sources_here
from pipelines.wanted import Publication, Wanted, wanted_builds
from serving.arguments import CommandParser
from serving.contract.errors import LawError

_TASKS = ("--list", "--check", "--trial", "--verify-nodes")
"""Options that have nothing built for a publication, each in the place of a build."""
_PUBLISHING = ("--dry-run", "--publish", "--only", "--drop", "--publish-rest", "--publish-worse", "--anew")
"""Options that say what is published, or ask about it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    It is 0 where all was published, 1 after a failure, 2 where it was misused or has nothing to build;
    where a signal stopped it, 128 and the signal's number.
    """
    command = parser()
    options = command.parse_args(arguments)
    with stoppable() as stops:
        try:
            return _run(command, options)
        except KeyboardInterrupt:
            return say_stopped(command.prog, stops)


def _run(command: CommandParser, options: argparse.Namespace) -> int:
    _require_one_wish(command, options)
    try:
        workspace = BuildSettings.from_env().open()
        registry = load_registry(workspace.registry)
        if options.list:
            _list(registry)
            return 0
        asks = options.check or options.dry_run or options.verify_nodes
        if options.trial and not options.bodies:
            command.error("--trial reads what is named: `lawbuild --trial KEY=PATH`")
        if options.publish and options.bodies:
            command.error("--publish builds nothing: leave it out to build and publish")
        if not options.bodies and (options.only or not (options.drop or options.publish or asks)):
            command.error("name at least one code body, as in `lawbuild sample-code` (--list shows them)")
        publication = Publication(
            options.only,
            tuple(dict.fromkeys(options.drop)),
            options.publish_rest,
            worse=options.publish_worse,
            anew=options.anew,
        )
        wanted = wanted_builds(options.bodies, registry)
        return _build(options, wanted, publication, workspace)
    except LawError as error:
        sys.stderr.write(f"lawbuild: {error.message}\n")
        return 2 if isinstance(error, UnreachableError) else 1


def _require_one_wish(command: CommandParser, options: argparse.Namespace) -> None:
    """Refuse options of which one would be passed over in silence: two tasks, or a publication beside one."""
    tasks = [name for name in _TASKS if _is_given(options, name)]
    if len(tasks) > 1:
        command.error(f"{tasks[0]} and {tasks[1]} are tasks of their own: give one at a time")
    publishing = [name for name in _PUBLISHING if _is_given(options, name)]
    if tasks and publishing:
        command.error(
            f"{tasks[0]} publishes nothing, and {publishing[0]} is about a publication: leave one out"
        )


def _is_given(options: argparse.Namespace, name: str) -> bool:
    return bool(getattr(options, name.removeprefix("--").replace("-", "_")))


def parser() -> CommandParser:
    """Return the parser of the command."""
    command = CommandParser(
        prog="lawbuild",
        description="Build code bodies and zoning layers and publish them as a snapshot, beside all that "
        "was accepted before: what is in service stays there. What was built before is not built again: "
        "an unchanged source builds and publishes nothing, of a changed one what did not change is kept, and "
        "a build that was stopped goes on where it was. After a failure nothing is published.",
        epilog="Folders come from LAW_WORKSPACE, LAW_DATASETS and LAW_SNAPSHOTS (see the guide).",
    )
    command.add_argument("--version", action="version", version=f"lawbuild {version('legal-research-api')}")
    command.offer_completion()
    command.add_argument(
        "bodies",
        nargs="*",
        metavar="KEY[=PATH]",
        help="key of a code body or short code of a zoning layer, and the folder, .tar.xz, .tar.gz or .zip "
        "of its source (of a layer also the file; of either the URL of an archive) if not the registry's "
        "own, "
        "or else its publisher's newest release",
    )
    command.add_argument(
        "--only",
        action="store_true",
        help="publish what is built and nothing else; the rest stays accepted for the next publication",
    )
    command.add_argument(
        "--drop",
        action="append",
        default=[],
        metavar="KEY",
        help="take a code body or layer out of service for good (may be given several times)",
    )
    command.add_argument(
        "--publish-rest",
        action="store_true",
        help="publish although a build failed: what failed stays as it was accepted before, or is missing",
    )
    command.add_argument(
        "--publish-worse",
        action="store_true",
        help="publish although search finds less on the evaluation set than in the snapshot in service",
    )
    command.add_argument(
        "--anew",
        action="store_true",
        help="read, cut and check everything again and publish it, although nothing changed",
    )
    command.add_argument(
        "--dry-run",
        action="store_true",
        help="say what would be read and fetched, from where, and what a publication of what is accepted "
        "now would change, and stop with status 2",
    )
    command.add_argument(
        "--trial",
        action="store_true",
        help="read each KEY, say what the checks of what was read say, and stop: nothing is encoded, "
        "accepted or published. For an entry that is being written",
    )
    command.add_argument(
        "--publish",
        action="store_true",
        help="publish what was accepted, such as what sensors have built, and build nothing",
    )
    command.add_argument(
        "--check",
        action="store_true",
        help="ask the publishers of KEY, or of all that have a connector, for their newest releases, say how "
        "old what was accepted is and what to run, and stop; status 1: not all have answered",
    )
    command.add_argument(
        "--verify-nodes",
        type=_positive,
        metavar="N",
        help="draw N provisions in service of each KEY, or of all code bodies, derive them again from the "
        "bytes of their kept sources, say what differs, and stop; status 1: something does",
    )
    command.add_argument(
        "--list", action="store_true", help="list the code bodies and layers of the registry and stop"
    )
    return command


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _list(registry: Registry) -> None:
    for body in registry.code_bodies:
        source = _source(body)
        sys.stdout.write(f"{body.key:23} {body.jurisdiction:18} {body.reader:8} {source:12} {body.name}\n")
    for layer in registry.layers:
        source = _source(layer)
        sys.stdout.write(
            f"{layer.short_code:23} {layer.short_code:18} {'polygons':8} {source:12} {layer.name}\n"
        )


def _source(entry: CodeBody | Layer) -> str:
    """Return where an entry is read from, if no path is given."""
    return "packaged" if entry.source else "fetched" if entry.connector else "give a path"


def _taken(options: argparse.Namespace, wanted: Sequence[Wanted], workspace: Workspace) -> Sequence[Wanted]:
    """Take what a command needs from where it is stored; return what is wanted, with its sources here."""
    registry = load_registry(workspace.registry)
    keys = [build.key for build in wanted]
    if options.check:
        needs = needs_of_all(workspace, registry, Extent.RECORDS)
    elif options.trial:
        needs = needs_of_builds(workspace, registry, keys)
    elif options.verify_nodes and not keys:
        needs = needs_of_command(workspace, registry, [body.key for body in registry.code_bodies])
    else:
        needs = needs_of_command(workspace, registry, keys)
    take_alone(needs, workspace)
    return wanted if options.check or options.dry_run else with_sources_here(wanted, workspace)


def _build(
    options: argparse.Namespace, wanted: Sequence[Wanted], publication: Publication, workspace: Workspace
) -> int:
    try:
        from pipelines.unchanged import look_for_changes  # noqa: PLC0415 - likewise

        wanted = _taken(options, wanted, workspace)
        asks = options.check or options.dry_run or options.verify_nodes or options.trial
        seen = frozenset() if asks else look_for_changes(wanted, publication, workspace)
        if seen is None:
            return 0  # before Dagster is loaded, which takes longer than to see that
        from pipelines import headless  # noqa: PLC0415 - a server's install can say what it lacks
        from pipelines.rederivation import verify_nodes  # noqa: PLC0415 - likewise
    except ModuleNotFoundError as error:
        raise BuildError(
            f"This is an install for serving alone, without {error.name}. To build, install everything: "
            "`pip install --no-deps --require-hashes -r requirements.lock`, as `make install` does."
        ) from error
    if options.verify_nodes:
        return verify_nodes(options.verify_nodes, wanted, workspace)
    if options.check:
        return headless.check(wanted, workspace)
    if options.dry_run:
        return headless.dry_run(wanted, publication, workspace)
    if options.trial:
        return headless.trial(wanted, workspace)
    return headless.build(wanted, publication, workspace, seen)
