"""The code bodies of a selection as a manifest lists them."""

from assets.selection.selection import SelectedBody, Selection
from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import Jurisdiction


def code_body_entries(selection: Selection) -> tuple[CodeBodyEntry, ...]:
    """Return the code bodies as the manifest lists them; their order is that of the tables' indexes."""
    return tuple(
        CodeBodyEntry(
            id=entry.id,
            key=entry.body.key,
            name=entry.body.name,
            jurisdiction=entry.body.jurisdiction,
            level=_jurisdiction(entry, selection).level,
            current_through=entry.report.current_through,
            release_point=entry.report.release_point,
            node_count=entry.count,
            chunk_count=entry.chunk_count,
            complete=entry.report.complete,
            source_url=entry.body.source_url,
            license=entry.body.license,
            source_sha256=entry.report.source_sha256,
            whole_titles=() if entry.report.complete else entry.report.whole_titles,
            titles=() if entry.report.complete else _titles(entry),
        )
        for entry in selection.bodies
    )


def _titles(entry: SelectedBody) -> tuple[str, ...]:
    """Return the titles of a code, where they are known and its citations name one."""
    main, *_ = entry.body.citation_schemes()
    return tuple(entry.body.titles) if main.has_title else ()


def _jurisdiction(entry: SelectedBody, selection: Selection) -> Jurisdiction:
    return next(
        jurisdiction
        for jurisdiction in selection.jurisdictions
        if jurisdiction.short_code == entry.body.jurisdiction
    )
