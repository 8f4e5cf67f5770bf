"""Law that a search is about and that a snapshot lacks, in part or all of it."""

from collections.abc import Collection
from itertools import chain

from serving.contract.manifest import Manifest
from serving.contract.records import Jurisdiction
from serving.services.jurisdictions import holds_law
from serving.services.named_jurisdictions import named_jurisdictions
from serving.services.requests import NotHeld


def missing_law(
    manifest: Manifest,
    query: str,
    *,
    acts: Collection[str] = (),
    jurisdiction: str | None = None,
    code_body: str | None = None,
) -> tuple[NotHeld, ...]:
    """Return the jurisdictions that a search is about and whose law is missing, in part or all of it.

    It is about that of the filters; without one, about those that the query names. Those of which nothing is
    held come first.

    Args:
        manifest: that of the snapshot that is searched.
        query: the search's.
        acts: names of acts in it that are held: who asks for the Alaska Native Claims Settlement Act asks for
            no law of Alaska.
        jurisdiction: short code that results are narrowed to.
        code_body: id of a code body, likewise.
    """
    filtered = jurisdiction or next(
        (body.jurisdiction for body in manifest.code_bodies if body.id == code_body), None
    )
    asked = (
        [one for one in manifest.jurisdictions if one.short_code == filtered]
        if filtered
        else _named_besides(manifest, query, acts)
    )
    if not asked:
        return ()
    whole = {body.jurisdiction: True for body in manifest.code_bodies}
    whole |= {body.jurisdiction: False for body in manifest.code_bodies if not body.complete}
    missing = (
        NotHeld(asked=one.name, jurisdiction=one.short_code, partly=holds_law(manifest, one.short_code))
        for one in asked
        if not whole.get(one.short_code)
    )
    return tuple(sorted(missing, key=lambda one: one.partly))


def _named_besides(manifest: Manifest, query: str, acts: Collection[str]) -> list[Jurisdiction]:
    """Return the jurisdictions that a query names, each once, without those that are named within acts."""
    named = list(named_jurisdictions(manifest, query))
    if named:
        for within in chain.from_iterable(named_jurisdictions(manifest, act) for act in acts):
            if within in named:
                named.remove(within)
    return list(dict.fromkeys(named))
