"""Pools of threads for blocking calls of pages: one for each kind of work, so that none starves another."""

from collections.abc import Callable
from dataclasses import dataclass

from serving.concurrency.pool import BoundedPool

LIMIT = 64
"""Calls of one kind that run or wait."""
SHARE = 16
"""Calls of one kind that one network may have under way, so that a network that floods blocks only itself."""

SEARCH_LIMIT, SEARCH_SHARE = 16, 4
"""Searches that run or wait, and of them those of one network: fewer, since each takes long."""

ADDRESS_LIMIT, ADDRESS_SHARE = 16, 2
"""Questions to the geocoder that run or wait, and of them those of one network: few, for its sake."""

MAX_MAILS = 32
"""Mails that are being sent or wait."""


@dataclass(frozen=True, slots=True)
class PagePools:
    """The pools of the pages.

    Attributes:
        pages: pages open to anybody: zoning maps, costs of a formation.
        searches: searches of the law.
        sign_ins: signing in and up, and passwords, whose hashing is slow.
        accounts: sessions, and pages of accounts that are signed in.
        checkouts: calls to Stripe, which may answer late.
        addresses: questions to the geocoder, which may answer late.
        mails: mails that are sent apart from the answers; a mail server that hangs blocks no page.
    """

    pages: BoundedPool
    searches: BoundedPool
    sign_ins: BoundedPool
    accounts: BoundedPool
    checkouts: BoundedPool
    addresses: BoundedPool
    mails: BoundedPool

    @classmethod
    def create(cls) -> "PagePools":
        """Return new pools."""
        return cls(
            pages=BoundedPool("pages", threads=2, limit=LIMIT, share=SHARE),
            searches=BoundedPool("searches", threads=2, limit=SEARCH_LIMIT, share=SEARCH_SHARE),
            sign_ins=BoundedPool("sign-ins", threads=2, limit=LIMIT, share=SHARE),
            accounts=BoundedPool("visits", threads=2, limit=LIMIT, share=SHARE),
            checkouts=BoundedPool("checkouts", threads=2, limit=LIMIT, share=SHARE),
            addresses=BoundedPool("addresses", threads=2, limit=ADDRESS_LIMIT, share=ADDRESS_SHARE),
            mails=BoundedPool("mails", threads=1, limit=MAX_MAILS),
        )

    def depths(self) -> dict[str, Callable[[], int]]:
        """Return, by name, how many calls of each pool run or wait."""
        return {
            "pages": self.pages.depth,
            "page_searches": self.searches.depth,
            "sign_ins": self.sign_ins.depth,
            "visits": self.accounts.depth,
            "checkouts": self.checkouts.depth,
            "addresses": self.addresses.depth,
            "mails": self.mails.depth,
        }
