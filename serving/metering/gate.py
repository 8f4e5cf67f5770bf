"""The gate of metered calls: identifies keys, counts and charges requests, and puts errors in one order.

REST and MCP meter alike, because both use this module and only tell it which operation a request is.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from serving.contract.errors import (
    InsufficientCreditsError,
    InsufficientScopeError,
    InvalidApiKeyError,
    LawError,
    NotFoundError,
    RateLimitedError,
    StoreUnavailableError,
)
from serving.metering.clock import rfc3339
from serving.metering.group_commit import GroupCommit, Taker
from serving.metering.keys import digest, is_well_formed
from serving.metering.records import (
    Charge,
    InsufficientCredits,
    Key,
    KeyRefused,
    Outcome,
    RateLimited,
    Receipt,
    Refund,
    Refunded,
    Settled,
)
from serving.metering.tally import Tally
from serving.metering.tiers import can_grow
from serving.metering.unknown_keys import UnknownKeys

KNOWN_KEYS = 57_344
"""Keys that a process remembers with their scopes, which never change; the oldest is forgotten first."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation that costs credits.

    Attributes:
        name: name in the ledger.
        scopes: any one of them opens it.
        cost: credits for one answer.
        per_citations: number of citations that this buys; None where their number changes nothing.
    """

    name: str
    scopes: tuple[str, ...]
    cost: int
    per_citations: int | None = None

    @property
    def price(self) -> str:
        """The price in words, such as `1 credit`."""
        price = f"{self.cost} credit{'' if self.cost == 1 else 's'}"
        return price if self.per_citations is None else f"{price} for each {self.per_citations} citations"


@dataclass(frozen=True, slots=True)
class Caller:
    """The owner of a key that was presented. Settling a call decides whether the key is still valid."""

    key_hash: str
    account_id: int
    key_id: int
    prefix: str
    scopes: tuple[str, ...]

    def lacks_scope(self, operation: Operation) -> InsufficientScopeError | None:
        """Return an error if no scope of the key opens the operation, else None."""
        for scope in operation.scopes:
            if scope in self.scopes:
                return None
        wanted = " or ".join(f"`{scope}`" for scope in operation.scopes)
        return InsufficientScopeError(
            f"This call needs a key with the scope {wanted}; this key has {', '.join(self.scopes)}. "
            "Create one with that scope on the settings page."
        )


_BEFORE_PAYMENT = frozenset({"snapshot_gone", "snapshot_damaged"})
"""Kinds of `NotFoundError` that are reported before credits are checked."""

Counted = Settled | InsufficientCredits | RateLimited
"""Outcome of a call with a valid key."""


class Gate:
    """Identifies callers and settles their calls.

    Args:
        commit: settles work for this process.
        find_key: looks a key up by its hash.
        unknown_keys: limits how often a network may present unknown keys.
        tally: receives what is refused here.
    """

    def __init__(
        self,
        commit: GroupCommit,
        find_key: Callable[[str], Awaitable[Key | None]],
        unknown_keys: UnknownKeys,
        tally: Tally | None = None,
    ) -> None:
        self.tally = tally or Tally()
        self._commit = commit
        self._find_key = find_key
        self._unknown_keys = unknown_keys
        self._known: OrderedDict[str, Caller] = OrderedDict()

    async def identify(self, key: str | None, *, address: str | None = None) -> Caller:
        """Return the caller with a key, from memory if this process has met the key before.

        Args:
            key: the key as it was sent.
            address: network address that it came from; None if it came over no network.

        Raises:
            InvalidApiKeyError: there is no key, its form is wrong, or no account has it.
            RateLimitedError: the network sent too many keys that no account has; this one was not looked up.
            StoreUnavailableError: the store cannot be reached.
        """
        try:
            return await self._identify(key, address)
        except LawError as error:
            self.tally.refused(error)
            raise

    async def _identify(self, key: str | None, address: str | None) -> Caller:
        if key is None:
            raise InvalidApiKeyError(
                "A key is needed: send the header `Authorization: Bearer <API_KEY>`. Keys are created on "
                "the settings page."
            )
        key_hash = digest(key)
        caller = self._known.get(key_hash)
        if caller is None:
            if not is_well_formed(key):
                raise InvalidApiKeyError(
                    "This is not a key of this service: its form or its checksum is wrong. Copy it whole."
                )
            self._unknown_keys.require_room(address)
            found = await self._find_key(key_hash)
            if found is None:
                self._unknown_keys.count(address)
                raise _refused("unknown")
            caller = Caller(key_hash, found.account_id, found.key_id, found.prefix, found.scopes)
            self._known[key_hash] = caller
            if len(self._known) > KNOWN_KEYS:
                self._known.popitem(last=False)
        return caller

    async def settle(
        self,
        caller: Caller,
        operation: Operation,
        *,
        request_id: str,
        problem: Exception | None,
        free: bool,
        snapshot: str | None = None,
    ) -> Counted:
        """Count a call against the limits, and charge it unless it fails or is free; return once committed.

        Args:
            caller: the owner of the key.
            operation: what is called.
            request_id: id of the request in the ledger.
            problem: the error that the call is already known to end in.
            free: whether the answer costs nothing, such as 304 Not Modified.
            snapshot: the snapshot that is read, for the ledger.

        Raises:
            InvalidApiKeyError: the key was revoked, has expired or is gone.
            OverloadedError: too many calls wait; nothing was counted.
            StoreUnavailableError: the store failed.
        """
        cost = 0 if free or problem is not None else operation.cost
        charge = Charge(caller.key_hash, cost, operation.name, request_id, snapshot)
        outcome: Outcome | Exception
        try:
            outcome = await self._commit.settle(charge)
        except LawError as error:
            outcome = error
        return self.counted(caller, outcome)

    def submit(
        self,
        caller: Caller,
        operation: Operation,
        *,
        request_id: str,
        snapshot: str,
        taker: Taker,
    ) -> None:
        """Settle a call that no known problem forbids, as `settle` does; the outcome goes to `taker`.

        Raises:
            OverloadedError: too many calls wait; nothing was counted.
            StoreUnavailableError: the store is not open.
        """
        charge = Charge(caller.key_hash, operation.cost, operation.name, request_id, snapshot)
        self._commit.submit(charge, taker)

    def known(self, key: str) -> Caller | None:
        """Return the caller with a key if this process has met the key before, else None."""
        return self._known.get(digest(key))

    def counted(self, caller: Caller, outcome: Outcome | Exception) -> Counted:
        """Return the outcome of a call with a valid key, from the answer of the store.

        Raises:
            Exception: the same errors as `settle`.
        """
        if isinstance(outcome, Exception):
            self.tally.refused(outcome)
            raise outcome
        if isinstance(outcome, KeyRefused):
            self._known.pop(caller.key_hash, None)
            raise _refused(outcome.reason)
        if isinstance(outcome, Settled | InsufficientCredits | RateLimited):
            return outcome
        raise StoreUnavailableError("The store answered something else than it was asked.")

    async def refund(self, receipt: Receipt, *, request_id: str) -> Refunded | None:
        """Refund the charge of an answer that failed; return None if there is no charge to refund."""
        outcome = await self._commit.settle(Refund(receipt, request_id))
        return outcome if isinstance(outcome, Refunded) else None


def verdict(outcome: Counted, operation: Operation, problem: Exception | None) -> Settled | Exception:
    """Return the settled call, or the one error to report.

    A rate limit comes first, then a problem of the call, then missing credits. A `NotFoundError` is reported
    after missing credits, unless it is the snapshot itself that is gone or damaged.
    """
    if isinstance(outcome, RateLimited):
        return _rate_limited(outcome)
    short = outcome.balance < operation.cost
    if problem is not None and not (short and _comes_after_payment(problem)):
        return problem
    if problem is None and isinstance(outcome, Settled):
        return outcome
    return _insufficient(outcome, operation)


def _insufficient(outcome: Settled | InsufficientCredits, operation: Operation) -> InsufficientCreditsError:
    noun = "credit" if operation.cost == 1 else "credits"
    renews_at = rfc3339(outcome.renews_at)
    return InsufficientCreditsError(
        f"This call costs {operation.cost} {noun}, and {outcome.balance} are left: {outcome.allotment} of "
        f"the month's allotment and {outcome.wallet} in the wallet. Nothing was taken. Buy a pack, or wait "
        f"until the allotment renews at {renews_at}.",
        allotment=outcome.allotment,
        wallet=outcome.wallet,
        renews_at=renews_at,
    )


def _rate_limited(outcome: RateLimited) -> RateLimitedError:
    window, state = (
        ("60 seconds", outcome.windows.minute)
        if outcome.window == "minute"
        else ("24 hours", outcome.windows.day)
    )
    raised = "; a larger pack raises the limit" if can_grow(outcome.tier) else ""
    return RateLimitedError(
        f"This key made {state.limit:,} requests within {window}, all that the tier {outcome.tier} allows. "
        f"Wait {outcome.retry_after_seconds} seconds{raised}.",
        retry_after_seconds=outcome.retry_after_seconds,
    )


def _comes_after_payment(problem: Exception) -> bool:
    return isinstance(problem, NotFoundError) and problem.kind not in _BEFORE_PAYMENT


def _refused(reason: str) -> LawError:
    said = {
        "unknown": "No account has this key",
        "revoked": "This key was revoked",
        "expired": "This key has expired",
    }[reason]
    return InvalidApiKeyError(f"{said}. Create a key on the settings page.")
