"""The price list: tiers with their limits, packs of credits, monthly allotments."""

from dataclasses import dataclass

from serving.contract.errors import ValidationError


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier: the requests that a key may make in any 60 seconds and in any 24 hours."""

    name: str
    per_minute: int
    per_day: int


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack of credits that can be bought. Its name is also that of the tier that it brings."""

    name: str
    price_cents: int
    credits: int


TIERS = {
    tier.name: tier
    for tier in (
        Tier("free", 30, 1_000),
        Tier("starter", 60, 5_000),
        Tier("pro", 120, 20_000),
        Tier("bulk", 300, 60_000),
    )
}
"""Tiers by name, from the smallest to the largest."""

PACKS = {
    pack.name: pack
    for pack in (Pack("starter", 500, 1_000), Pack("pro", 2_000, 5_000), Pack("bulk", 5_000, 15_000))
}
"""Packs by name, from the smallest to the largest."""

FREE = "free"
ALLOTMENT = 1_000
"""Credits that every account gets each month."""
FORMED_ALLOTMENT = 5_000
"""Credits a month for an account that had a company formed."""

_RANK = {name: rank for rank, name in enumerate(TIERS)}


def can_grow(tier: str) -> bool:
    """Return whether a pack brings a larger tier than this one."""
    return any(_RANK[pack] > _RANK[tier] for pack in PACKS)


def find_pack(name: str) -> Pack:
    """Return the pack of that name.

    Raises:
        ValidationError: there is none.
    """
    if name not in PACKS:
        raise ValidationError(f"{name!r} is not a pack; the packs are {', '.join(PACKS)}.", parameter="pack")
    return PACKS[name]


def raised(tier: str, pack: Pack) -> str:
    """Return the name of the tier after a purchase: never a smaller one than before."""
    return max(tier, pack.name, key=_RANK.__getitem__)
