"""The pools that pages run their blocking calls on: one for each kind of work, and none starves another."""

from dataclasses import dataclass

from serving.concurrency.pool import BoundedPool

LIMIT = 64
"""Calls of one kind that run or wait."""
SHARE = 16
"""Calls of one kind that one network may have under way: what it floods, it floods for itself."""


@dataclass(frozen=True, slots=True)
class PagePools:
    """The pools.

    Attributes:
        pages: what anybody may open: zoning maps, what a formation costs.
        sign_ins: signing in and up, and passwords, whose hashes take their time.
        accounts: the sessions and pages of who is signed in.
        checkouts: calls to Stripe, which answers when it likes.
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
