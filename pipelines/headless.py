"""Run the jobs in this process, as `lawbuild` does: build code bodies, publish them, say what came of it."""

import resource
import sys
import time
from collections.abc import Collection, Sequence
from functools import partial

import dagster as dg

from assets.errors import BuildError
from assets.ingest.origins import is_fetched, origin_of
from assets.ingest.report import ProvisionsReport
from assets.registry import CodeBody, Registry, load_registry
from assets.release.preview import manifest_in_service, preview_publication
from assets.selection.selection import load_selection
from assets.storage.needs import needs_of_builds
from assets.storage.working_copy import keep, working_copy
from assets.storage.workspace_parts import sightings_part
from assets.text.tables import read_provisions
from assets.workspace import Workspace, alone_in
from assets.zoning.sources import layer_origin
from pipelines.fetching import announced
from pipelines.freshness import freshness_table
from pipelines.in_service import SNAPSHOT, say_in_service
from pipelines.jobs import PUBLICATION
from pipelines.left_places import free_left_places
from pipelines.preview import previewed
from pipelines.progress import progress_on_stderr
from pipelines.publication import (
    Contents,
    choose,
    forget_dropped,
    require_nothing_lost,
)
from pipelines.reading_summary import reading_summary
from pipelines.run_report import RunReport
from pipelines.runs import Runs, open_instance
from pipelines.snapshot_runs import run_publication, worker_ahead
from pipelines.storage import needs_of_command, say_moved, say_waiting
from pipelines.unchanged import PUBLISHED, forget_made, is_published, is_unchanged, say_unchanged
from pipelines.wanted import Publication, Wanted


def build(
    wanted: Sequence[Wanted], publication: Publication, workspace: Workspace, seen: Collection[str] = ()
) -> int:
    """Build code bodies and layers, publish them beside all that was accepted, and say what is in service.

    Args:
        wanted: what to build.
        publication: what to leave out, and whether to publish after a failure.
        workspace: where.
        seen: keys of what was seen a moment ago to have changed, and need not be looked at again.

    Returns:
        0 if all went well, else 1: something failed, and then nothing is published unless that is wanted.

    Raises:
        BuildError: the publication would take out of service what nobody asked to leave out.
        SourceError: a source is neither given nor packaged nor pinned, and no publisher is known.
        FetchError: a publisher does not tell its releases, or cannot be reached.
    """
    registry = load_registry(workspace.registry)
    for build in wanted:
        _require_source(build, registry, workspace)
    # What another build makes in the meantime decides on what there is to do.
    with (
        alone_in(workspace.root, waiting=partial(say_waiting, workspace)),
        working_copy(needs_of_command(workspace, registry, [build.key for build in wanted]), say_moved),
    ):
        require_nothing_lost(publication, wanted, workspace, registry)
        changed = _changed(wanted, publication, workspace, registry, seen)
        for line in announced(changed, registry):
            sys.stderr.write(f"Fetching {line}\n")
        began = time.monotonic()
        reports, failed = _build(changed, wanted, publication, workspace, registry)
        _conclude(time.monotonic() - began)
        is_new = bool(reports) and reports[-1][0] == SNAPSHOT and reports[-1][1].succeeded
        say_in_service(workspace, [build.key for build in changed] if is_new else [], failed)
    return 1 if failed else 0


def _build(
    changed: Sequence[Wanted],
    wanted: Sequence[Wanted],
    publication: Publication,
    workspace: Workspace,
    registry: Registry,
) -> tuple[list[tuple[str, RunReport]], list[str]]:
    """Build what changed and publish; return the reports by what was made, and what failed."""
    reports: list[tuple[str, RunReport]] = []
    with (
        worker_ahead(workspace) as ahead,
        _instance(workspace) as instance,
        progress_on_stderr() as progress,
    ):
        runs = Runs(instance, workspace, progress)
        for build in changed:
            job, source = ("build_zoning_layer", "layer_files") if build.is_layer else _BODY
            config = {source: {"config": {"path": build.path}}}
            report = runs.run(job, partition=build.key, config=config)
            _say(report, build.key)
            reports.append((build.key, report))
        failed = [key for key, report in reports if not report.succeeded]
        contents = choose(publication, wanted, workspace, registry)
        if failed and not publication.rest:
            _say_unpublished(failed, contents)
        elif not contents.code_bodies:
            sys.stderr.write(
                "lawbuild: nothing is published, since no code body would be in it: none is accepted, or all "
                "are left out. Build one too, as in `lawbuild sample-code`.\n"
            )
            failed.append(SNAPSHOT)
        elif not publication.anew and is_published(contents, registry, workspace):
            sys.stderr.write(PUBLISHED)
            forget_dropped(publication, workspace, registry)
        else:
            chosen: dict[str, object] = {
                "code_bodies": list(contents.code_bodies),
                "layers": list(contents.layers),
            }
            selection = {name: {"config": chosen} for name in PUBLICATION}
            selection[SNAPSHOT] = {"config": chosen | {"publish_worse": publication.worse}}
            held = load_selection(workspace, registry, contents.code_bodies, contents.layers)
            report = run_publication(runs, selection, chunks=held.chunks.num_rows, ahead=ahead)
            _say(report, SNAPSHOT)
            reports.append((SNAPSHOT, report))
            if report.succeeded:
                forget_dropped(publication, workspace, registry)
            else:
                failed.append(SNAPSHOT)
    return reports, failed


def trial(wanted: Sequence[Wanted], workspace: Workspace) -> int:
    """Read code bodies and say what the checks of what was read say; nothing is encoded or published.

    What was accepted before stays, and a build that follows goes on from what was read here.

    Returns:
        0 if no check failed, else 1.

    Raises:
        BuildError: a zoning layer is named, whose build takes seconds and is its own trial.
        SourceError: a source is neither given nor packaged nor pinned, and no publisher is known.
    """
    registry = load_registry(workspace.registry)
    for build in wanted:
        if build.is_layer:
            raise BuildError(
                f"--trial reads code bodies; {build.key} is a zoning layer, which builds in seconds."
            )
        _require_source(build, registry, workspace)
    failed = False
    with (
        alone_in(workspace.root, waiting=partial(say_waiting, workspace)),
        working_copy(needs_of_builds(workspace, registry, [build.key for build in wanted]), say_moved),
        _instance(workspace) as instance,
        progress_on_stderr() as progress,
    ):
        runs = Runs(instance, workspace, progress)
        for build in wanted:
            config = {"source_files": {"config": {"path": build.path}}}
            report = runs.run("try_code_body", partition=build.key, config=config)
            _say(report, build.key)
            if "provisions" in report.made:
                _say_read(registry.code_body(build.key), workspace)
            failed |= not report.succeeded
    sys.stderr.write("Nothing was encoded, accepted or published: this was a trial.\n")
    return int(failed)


def _changed(
    wanted: Sequence[Wanted],
    publication: Publication,
    workspace: Workspace,
    registry: Registry,
    seen: Collection[str],
) -> list[Wanted]:
    """Return what there is to build; of the rest, say that nothing changed."""
    if publication.anew:
        for build in wanted:
            forget_made(build, workspace)
        return list(wanted)
    changed = [build for build in wanted if build.key in seen or not is_unchanged(build, registry, workspace)]
    say_unchanged([build for build in wanted if build not in changed])
    return changed


def check(wanted: Sequence[Wanted], workspace: Workspace) -> int:
    """Ask publishers for their newest releases, and print how old what was accepted is beside them.

    Returns:
        0 if all that were asked answered, else 1.

    Raises:
        BuildError: something is named that has no connector.
    """
    registry = load_registry(workspace.registry)
    lines, answered = freshness_table(wanted, registry, workspace)
    keep([sightings_part(workspace)])
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0 if answered else 1


def dry_run(wanted: Sequence[Wanted], publication: Publication, workspace: Workspace) -> int:
    """Say what a build would read and fetch, and what a publication would change; nothing is done.

    Returns:
        2: nothing was built.

    Raises:
        SourceError: a source is neither given nor packaged nor pinned, and no publisher is known.
        FetchError: a publisher does not tell its releases.
    """
    registry = load_registry(workspace.registry)
    for build in wanted:
        _require_source(build, registry, workspace)
        if not is_fetched(build.path, registry.entry(build.key)):
            source = build.path or "the source that is packaged or pinned"
            sys.stderr.write(f"Would read {build.key}: {source}\n")
    for line in announced(wanted, registry):
        sys.stderr.write(f"Would fetch {line}\n")
    contents = choose(publication, wanted, workspace, registry)
    served = manifest_in_service(workspace)
    if contents.code_bodies:
        bodies, layers = contents.code_bodies, contents.layers
        preview = preview_publication(workspace, registry, served, bodies=bodies, layers=layers)
        sys.stderr.write("".join(f"{line}\n" for line in previewed(preview)))
    else:
        sys.stderr.write("Nothing was accepted yet: a publication now would hold nothing.\n")
    for build in wanted:
        if build.key not in contents and not build.is_layer:
            sys.stderr.write(
                f"{build.key} has not been built and accepted here: what it would add is not known before. "
                f"`lawbuild --trial {build.key}` reads it without publishing.\n"
            )
    return 2


_BODY = ("build_code_body", "source_files")


def _require_source(build: Wanted, registry: Registry, workspace: Workspace) -> None:
    """Raise an error, before anything is built, for a build whose source is nowhere."""
    if is_fetched(build.path, registry.entry(build.key)):
        return
    if build.is_layer:
        layer, pinned = registry.layer(build.key), workspace.layer_source(build.key)
        layer_origin(build.path, layer, datasets=workspace.datasets, pinned=pinned)
        return
    body, pinned = registry.code_body(build.key), workspace.source_files(build.key)
    origin_of(build.path, body, datasets=workspace.datasets, pinned=pinned)


def _instance(workspace: Workspace) -> dg.DagsterInstance:
    """Return the instance that notes the runs.

    The caller has the workspace alone: places in pools that runs in it still have are those of killed ones.
    """
    instance = open_instance()
    if not instance.is_ephemeral:
        free_left_places(instance, workspace)
    return instance


def _say(report: RunReport, what: str) -> None:
    sys.stderr.write(f"\n{what}: {report.summary}\n")
    for line in report.lines:
        sys.stderr.write(f"  {line}\n")
    sys.stderr.write("\n")


def _say_read(body: CodeBody, workspace: Workspace) -> None:
    read = ProvisionsReport.load(workspace.provisions(body.key))
    outlines = read_provisions(workspace, body.key, ["outline"]).column("outline")
    for line in reading_summary(body, read, outlines):
        sys.stderr.write(f"{line}\n")


def _say_unpublished(failed: Sequence[str], contents: Contents) -> None:
    sys.stderr.write(
        f"lawbuild: nothing is published, since {', '.join(failed)} failed. Mend it and build again"
    )
    if contents.code_bodies:
        sys.stderr.write(
            ", or publish the rest with --publish-rest: what failed then stays as it was accepted before, "
            "or is missing"
        )
    sys.stderr.write(".\n")


def _conclude(seconds: float) -> None:
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    peak = max(resource.getrusage(one).ru_maxrss for one in whose)
    sys.stderr.write(f"{seconds:.1f} s in all, peak memory of a process {peak / 1024:,.0f} MiB.\n")
