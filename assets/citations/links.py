"""Follow the links that sources mark up to provisions of a selection, each in the notation of its format."""

from functools import lru_cache

from assets.ingest.links import HeldBody, HeldLaw, LinkTarget
from assets.ingest.readers import dialect
from assets.selection.selection import Selection

_DASHES = str.maketrans("‐‑‒–—−", "------")
_CACHE = 100_000


class LinkResolver:
    """Leads links to positions of a selection."""

    def __init__(self, selection: Selection) -> None:
        """Prepare to follow the links of every code body of a selection."""
        names = ("identifier", "num", "level", "citable")
        identifiers, numbers, levels, citable = (
            selection.provisions.column(name).to_pylist() for name in names
        )
        bodies = [HeldBody(entry.body, entry.first, entry.count) for entry in selection.bodies]
        law = HeldLaw(
            bodies,
            identifiers=identifiers,
            numbers=numbers,
            levels=levels,
            citable=citable,
            parents=selection.numbering.parents.tolist(),
        )
        self._follow = [
            lru_cache(_CACHE)(dialect(held.body.reader).follow_links(law, held)) for held in bodies
        ]

    def resolve(self, body: int, target: str) -> LinkTarget:
        """Return where a target leads, as it is written in the source of the code body number `body`."""
        return self._follow[body](target.strip().translate(_DASHES))
