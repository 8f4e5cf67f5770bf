"""Pools of threads for blocking calls of pages: one for each kind of work, so that none starves another."""

from dataclasses import dataclass

from serving.concurrency.pool import BoundedPool

LIMIT = 64
"""Calls of one kind that run or wait."""
SHARE = 16
"""Calls of one kind that one network may have under way, so that a network that floods blocks only itself."""


@dataclass(frozen=True, slots=True)
class PagePools:
    """The pools of the pages.

    Attributes:
        pages: pages open to anybody: zoning maps, costs of a formation.
        sign_ins: signing in and up, and passwords, whose hashing is slow.
        accounts: sessions, and pages of accounts that are signed in.
        checkouts: calls to Stripe, which may answer late.
    """

    pages: BoundedPool
    sign_ins: BoundedPool
    accounts: BoundedPool
    checkouts: BoundedPool

    @classmethod
    def create(cls) -> "PagePools":
        """Return new pools."""
        return cls(
            pages=BoundedPool("pages", threads=2, limit=LIMIT, share=SHARE),
            sign_ins=BoundedPool("sign-ins", threads=2, limit=LIMIT, share=SHARE),
            accounts=BoundedPool("visits", threads=2, limit=LIMIT, share=SHARE),
            checkouts=BoundedPool("checkouts", threads=2, limit=LIMIT, share=SHARE),
        )
