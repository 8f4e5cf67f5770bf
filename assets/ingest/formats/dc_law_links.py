"""Links of the D.C. Code: `§42-404|(a)` is a section and its paragraphs, `47|18|II` containers by number."""

from assets.ingest.links import ACT, FollowLink, HeldBody, HeldLaw, LinkTarget, only

_OPTIONAL = frozenset({"subtitle", "subdivision", "unit"})
"""Levels that a path of containers may leave out: what they hold is numbered through what holds them."""


def follow_links(law: HeldLaw, held: HeldBody) -> FollowLink:
    """Return what follows the links of a code body."""
    containers = _containers(law, held)

    def follow(target: str) -> LinkTarget:
        first = target.partition("|")[0]
        if first.startswith("§"):
            return law.longest(held.body.root, [first.strip("§ []")])
        if first[:1].isdigit():
            return only(containers.get("|".join(part for part in target.split("|") if part), []))
        return LinkTarget(None, ACT)

    return follow


def _containers(law: HeldLaw, held: HeldBody) -> dict[str, list[int]]:
    """Return containers by their numbers from the title down, such as `47|18|II`.

    A container is under its full path alone, where that names one, or else under paths without optional
    levels, which may name several.
    """
    # By position, the paths that the numbers of its children go on from; the first is the full one.
    bases: dict[int, list[str]] = {}
    full: dict[str, list[int]] = {}
    short: dict[str, list[int]] = {}
    for position in held.positions:
        number, above = law.numbers[position], bases.get(law.parents[position], [])
        if law.citable[position] or number is None:
            continue
        level = law.levels[position]
        own = [number] if level == "title" else [f"{base}|{number}" for base in above]
        bases[position] = own + above if level in _OPTIONAL else own
        for path in own[:1]:
            full.setdefault(path, [position])
        for path in own[1:]:
            short.setdefault(path, []).append(position)
    return short | full
