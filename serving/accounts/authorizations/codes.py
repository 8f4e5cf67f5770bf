"""Authorization codes: one use within a minute, bound to the client and to all that it asked for."""

from dataclasses import dataclass

import sqlalchemy as sa

from serving.accounts.expiry import sweep
from serving.metering import schema
from serving.metering.clock import MINUTE
from serving.metering.keys import CODE, MintedKey, digest, mint

LIFETIME = MINUTE
USED_KEPT = 10 * MINUTE
"""Time for which a used code is remembered, so that a second use of it is noticed."""

_table = schema.authorization_codes


@dataclass(frozen=True, slots=True)
class Consent:
    """Consent of an account holder to some of what a client asks for.

    Attributes:
        account_id: the account that it may use.
        client_id: the client.
        redirect_uri: where the code is sent.
        resource: the part of the service that the client asked for.
        scopes: scopes that the holder left it.
        challenge: S256 challenge of PKCE, which the client's verifier has to meet.
    """

    account_id: int
    client_id: str
    redirect_uri: str
    resource: str
    scopes: tuple[str, ...]
    challenge: str


@dataclass(frozen=True, slots=True)
class Code:
    """A code that was given out. `key_id` is the connection that was made with it, if one was."""

    code_hash: str
    consent: Consent
    key_id: int | None


def make_code(connection: sa.Connection, consent: Consent, *, now: int) -> MintedKey:
    """Make a code, in place of one that the client has not used. The account must be locked."""
    minted = mint(CODE)
    connection.execute(
        sa.delete(_table).where(
            _table.c.account_id == consent.account_id,
            _table.c.client_id == consent.client_id,
            _table.c.key_id.is_(None),
        )
    )
    connection.execute(
        sa.insert(_table).values(
            code_hash=minted.digest,
            account_id=consent.account_id,
            client_id=consent.client_id,
            redirect_uri=consent.redirect_uri,
            resource=consent.resource,
            scopes=",".join(consent.scopes),
            challenge=consent.challenge,
            expires_at=now + LIFETIME,
        )
    )
    sweep(connection, _table, now=now)
    return minted


def find_code(connection: sa.Connection, text: str, *, now: int) -> Code | None:
    """Return the code with that text, used or not; None if it is unknown or expired."""
    query = sa.select(_table).where(_table.c.code_hash == digest(text), _table.c.expires_at > now)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    consent = Consent(
        account_id=row.account_id,
        client_id=row.client_id,
        redirect_uri=row.redirect_uri,
        resource=row.resource,
        scopes=tuple(row.scopes.split(",")),
        challenge=row.challenge,
    )
    return Code(row.code_hash, consent, row.key_id)


def use_code(connection: sa.Connection, code: Code, *, key_id: int, now: int) -> None:
    """Use a code up for the connection that was made with it. The account must be locked."""
    connection.execute(
        sa.update(_table)
        .where(_table.c.code_hash == code.code_hash)
        .values(key_id=key_id, expires_at=now + USED_KEPT)
    )
