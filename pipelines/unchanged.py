"""Builds that would make again what is there: told before anything is run."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from assets.connectors.release import UNNAMED
from assets.errors import SourceError
from assets.ingest.lineage import provisions_inputs, reading_rules
from assets.ingest.origins import is_fetched, origin_of
from assets.ingest.pinned import PinnedSource
from assets.ingest.sources import is_pinned
from assets.registry import CodeBody, Registry, load_registry
from assets.release.lineage import is_in_service, publication_inputs
from assets.stage_record import forget, made_from
from assets.text.lineage import text_inputs, text_rules
from assets.workspace import Workspace
from pipelines.in_service import say_in_service
from pipelines.publication import Contents, choose
from pipelines.wanted import Publication, Wanted
from serving.contract.errors import LawError
from serving.encoder.config import load_config, verify_files

PUBLISHED = "Nothing changed: the snapshot in service is what would be published.\n"


def look_for_changes(
    wanted: Sequence[Wanted], publication: Publication, workspace: Workspace
) -> frozenset[str] | None:
    """Return what was seen to have changed, by key; None where there is nothing to do, which is then said.

    The first change seen ends the look: others that are wanted may have changed too.
    """
    if not wanted or publication != Publication():
        return frozenset()
    registry = load_registry(workspace.registry)
    contents = choose(publication, wanted, workspace, registry)
    if not is_published(contents, registry, workspace):
        return frozenset()
    for build in wanted:
        if not is_unchanged(build, registry, workspace):
            return frozenset([build.key])
    say_unchanged(wanted)
    sys.stderr.write(PUBLISHED)
    say_in_service(workspace, [], [])
    return None


def say_unchanged(builds: Sequence[Wanted]) -> None:
    """Say of each build that nothing changed."""
    for build in builds:
        sys.stderr.write(f"{build.key}: nothing changed since it was accepted.\n")


def is_unchanged(build: Wanted, registry: Registry, workspace: Workspace) -> bool:
    """Return whether a code body's source, entry and code are those that its accepted tables were made by.

    Layers are always built: they take seconds.
    """
    if build.is_layer:
        return False
    body, accepted = registry.code_body(build.key), workspace.accepted(build.key)
    try:
        rules = text_rules(verify_files(workspace.encoder, load_config(workspace.encoder)))
        source = PinnedSource.load(workspace.source_files(body.key))
    except LawError:
        return False
    read = provisions_inputs(source, reading_rules(body, workspace.registry / "tags.toml"))
    if made_from(accepted / "provisions") != read:
        return False
    for part, before in (("chunks", "provisions"), ("embeddings", "chunks")):
        if made_from(accepted / part) != text_inputs(accepted / before, rules):
            return False
    return _is_same_source(build, body, source, workspace)


def is_published(contents: Contents, registry: Registry, workspace: Workspace) -> bool:
    """Return whether a publication of these contents would be the snapshot in service again."""
    inputs = publication_inputs(workspace, registry, contents.code_bodies, contents.layers)
    return is_in_service(workspace, inputs)


def forget_made(build: Wanted, workspace: Workspace) -> None:
    """Make the next build of a code body read, cut and check everything anew."""
    shutil.rmtree(workspace.read_titles(build.key), ignore_errors=True)
    for part in ("provisions", "chunks", "embeddings"):
        forget(workspace.root / part / build.key)
        forget(workspace.accepted(build.key) / part)


def _is_same_source(build: Wanted, body: CodeBody, source: PinnedSource, workspace: Workspace) -> bool:
    pinned = workspace.source_files(body.key)
    if is_fetched(build.path, body):
        from pipelines.fetching import newest_release  # noqa: PLC0415 - a given path asks no publisher

        return source.release not in {None, UNNAMED} and source.release == newest_release(body)
    try:
        origin: Path | None = origin_of(build.path, body, datasets=workspace.datasets, pinned=pinned)
        return origin is None or is_pinned(origin, body, pinned)
    except SourceError:
        return False  # the build says what is wrong
