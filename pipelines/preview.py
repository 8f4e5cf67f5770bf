"""Words of a preview: what a publication would change, for a terminal."""

from collections.abc import Iterator

from assets.findings import Severity
from assets.release.preview import BodyPreview, Preview


def previewed(preview: Preview) -> Iterator[str]:
    """Yield the lines that say what a publication would change, and what would hold it back."""
    before = f"snapshot {preview.snapshot}" if preview.snapshot else "nothing, which is in service"
    yield f"A publication of what is accepted now would change of {before}:"
    for body in preview.bodies:
        yield f"  {body.key:24} {_changes(body)}"
        yield from (f"    is missing: {gap}" for gap in body.gaps)
        yield from (f"    of an earlier edition: {title}" for title in body.stale_titles)
    yield from (f"  {code:24} a new zoning map" for code in preview.layers_added)
    yield from (f"  {code:24} its zoning map leaves service" for code in preview.layers_removed)
    for finding in preview.findings:
        word = "It would be held back" if finding.severity is Severity.ERROR else "To be judged"
        yield f"{word}: {finding.where}: {finding.message}"
    yield "The gates of citations and of search are passed, or not, while it is published."


def _changes(body: BodyPreview) -> str:
    if not body.after:
        return f"leaves service with {body.before:,} provisions"
    if not body.before:
        return f"new, with {body.after:,} provisions"
    if body.is_same:
        return f"the same {body.after:,} provisions"
    counts = f"{body.added:,} added, {body.removed:,} removed, {body.changed:,} changed of {body.before:,}"
    return f"{counts}, such as {'; '.join(body.examples)}" if body.examples else counts
