"""The gap of files to which nothing in a source leads: drafts, copies, law that is gone or not yet placed."""

from collections.abc import Sequence

_NAMED = 25


def unplaced(label: str, paths: Sequence[str], leading: str) -> tuple[str, ...]:
    """Return the gap as a sentence; nothing where there are no such files.

    The report of a build has all of them under `set_aside`.

    Args:
        label: of the unit that they lie beside.
        paths: of the files.
        leading: what might have led to them, such as `index`.
    """
    if not paths:
        return ()
    files = "1 file" if len(paths) == 1 else f"{len(paths):,} files"
    more = f"; and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return (
        f"{label} is read without {files} that no {leading} leads to: {', '.join(paths[:_NAMED])}{more}.",
    )
