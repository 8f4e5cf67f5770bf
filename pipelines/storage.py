"""The store of a workspace as `lawbuild` uses it: what commands take from it before they begin."""

import sys
from collections.abc import Sequence
from dataclasses import replace

from assets.registry import Registry
from assets.storage.given_sources import on_this_machine
from assets.storage.needs import Need, joined, needs_of_builds, needs_of_publication
from assets.storage.working_copy import take
from assets.workspace import Workspace, alone_in
from pipelines.wanted import Wanted


def needs_of_command(workspace: Workspace, registry: Registry, keys: Sequence[str]) -> tuple[Need, ...]:
    """Return what builds, and a publication after them, need of the store."""
    builds = needs_of_builds(workspace, registry, keys)
    return joined([*builds, *needs_of_publication(workspace, registry)])


def take_alone(needs: Sequence[Need], workspace: Workspace) -> None:
    """Take what a command looks at from the store, once nobody builds in the working copy.

    Raises:
        StorageError: the store does not give it.
    """
    if workspace.is_copy:
        with alone_in(workspace.root, waiting=lambda: say_waiting(workspace)):
            take(needs, say_moved)


def with_sources_here(wanted: Sequence[Wanted], workspace: Workspace) -> list[Wanted]:
    """Return builds whose sources are all on this machine: those that were given as URLs are fetched.

    Raises:
        StorageError: a store does not give one.
    """
    return [
        replace(build, path=on_this_machine(build.path, workspace, build.key, say_moved)) for build in wanted
    ]


def say_moved(line: str) -> None:
    """Say what was taken or stored."""
    sys.stderr.write(f"{line}\n")


def say_waiting(workspace: Workspace) -> None:
    """Say that another build has the workspace."""
    sys.stderr.write(f"lawbuild: another build is at work in {workspace.root}; waiting for it to end.\n")
