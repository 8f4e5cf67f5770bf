"""The free datasets: the comparison of providers, and the price list with the rest of its founding offer."""

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import orjson
import pyarrow as pa

from serving.contract.errors import NotFoundError
from serving.contract.identity import content_etag
from serving.contract.layout import FORMATION_PRICES, LLC_SERVICES
from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody


@dataclass(frozen=True, slots=True)
class FoundingOffer:
    """The offer to the first customers: cents off the service fee, for `remaining` of `cap` orders."""

    discount: int
    cap: int
    remaining: int


def llc_services(snapshot: Snapshot) -> StoredBody:
    """Return the ready comparison of formation providers.

    Raises:
        NotFoundError: the snapshot was published without it.
    """
    return _dataset(snapshot, LLC_SERVICES)


def formation_prices(snapshot: Snapshot, *, taken: int) -> StoredBody:
    """Return the price list with the founding offer at present; without an offer once its cohort is full.

    Args:
        snapshot: holds the list.
        taken: slots of the cohort that are taken.

    Raises:
        NotFoundError: the snapshot was published without it.
    """
    return _with_offer(bytes(_dataset(snapshot, FORMATION_PRICES).plain), taken)


def founding_offer(snapshot: Snapshot, *, taken: int) -> FoundingOffer | None:
    """Return the founding offer at present; None once its cohort is full.

    Raises:
        NotFoundError: the snapshot was published without the price list.
    """
    stored = orjson.loads(_dataset(snapshot, FORMATION_PRICES).plain)
    return _offer(stored["foundingOffer"], taken)


def _dataset(snapshot: Snapshot, name: str) -> StoredBody:
    try:
        return snapshot.static(name)
    except NotFoundError:
        raise NotFoundError(f"Snapshot {snapshot.id} was published without {name}.", kind="dataset") from None


@lru_cache(maxsize=4)
def _with_offer(body: bytes, taken: int) -> StoredBody:
    answer = orjson.loads(body)
    offer = _offer(answer["foundingOffer"], taken)
    # `discount` is in cents, which its name does not say.
    answer["foundingOffer"] = None if offer is None else {**asdict(offer), "discountCents": offer.discount}
    plain = orjson.dumps(answer)
    return StoredBody(
        content_etag(plain),
        plain,
        pa.Codec("gzip", 6).compress(plain, asbytes=True),
        pa.Codec("zstd", 9).compress(plain, asbytes=True),
    )


def _offer(stored: dict[str, Any], taken: int) -> FoundingOffer | None:
    remaining = stored["cap"] - taken
    return FoundingOffer(stored["discount"], stored["cap"], remaining) if remaining > 0 else None
