"""Facets: counts of a search's matches by jurisdiction, code body, level and tag, with labels for people."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from serving.contract.manifest import Manifest
from serving.services.requests import FacetCount
from serving.snapshot.facets import Facets, ValueCount
from serving.snapshot.nodes import NodeTable


def count_rows(nodes: NodeTable, rows: Sequence[int], *, onto: Facets | None = None) -> Facets:
    """Return the numbers of provisions by their columns, added to other counts if there are any."""
    base = onto or Facets()
    return Facets(
        jurisdiction=_count(base.jurisdiction, (nodes.jurisdiction(row) for row in rows)),
        code_body=_count(base.code_body, (nodes.code_body(row).id for row in rows)),
        level=_count(base.level, (nodes.level(row) for row in rows)),
        tag=_count(base.tag, (tag for row in rows for tag in nodes.tags(row))),
    )


def label_facets(manifest: Manifest, facets: Facets) -> dict[str, tuple[FacetCount, ...]]:
    """Return the counts in the form of answers, each value with its name."""
    jurisdictions = {entry.short_code: entry.name for entry in manifest.jurisdictions}
    code_bodies = {entry.id: entry.name for entry in manifest.code_bodies}
    return {
        "jurisdiction": _label(facets.jurisdiction, jurisdictions),
        "codeBody": _label(facets.code_body, code_bodies),
        "level": _label(facets.level, {}),
        "tag": _label(facets.tag, {}),
    }


def _count(base: tuple[ValueCount, ...], values: Iterable[str]) -> tuple[ValueCount, ...]:
    counts = Counter({entry.value: entry.count for entry in base})
    counts.update(values)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(ValueCount(value, count) for value, count in ordered)


def _label(counts: tuple[ValueCount, ...], names: Mapping[str, str]) -> tuple[FacetCount, ...]:
    return tuple(
        FacetCount(entry.value, names.get(entry.value) or _words(entry.value), entry.count)
        for entry in counts
    )


def _words(value: str) -> str:
    words = value.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]
