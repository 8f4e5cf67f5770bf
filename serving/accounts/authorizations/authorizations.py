"""Registration of clients, consent, exchange of codes and tokens. Each call is one durable transaction."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from serving.accounts.accounts import require_room
from serving.accounts.attempts import REGISTRATIONS_FROM_NETWORK, Throttle
from serving.accounts.authorizations.codes import Code, Consent, find_code, make_code, use_code
from serving.accounts.authorizations.connections import (
    Connection,
    Tokens,
    connect,
    connections_of,
    end_connection,
    find_by_access_token,
    find_by_refresh_token,
    renew,
)
from serving.accounts.authorizations.registered_clients import Client, find_client, register_client
from serving.accounts.expiry import sweep
from serving.contract.errors import NotFoundError
from serving.metering import schema
from serving.metering.addresses import network_of
from serving.metering.database import Database
from serving.metering.keys import MintedKey
from serving.metering.ledger import load_balance


@dataclass(frozen=True, slots=True)
class Exchange:
    """One exchange at the token endpoint, inside a transaction that locks the account that it is about."""

    connection: sa.Connection
    now: int

    def client(self, client_id: str) -> Client | None:
        """Return the client with that id; None if there is none."""
        return find_client(self.connection, client_id, now=self.now)

    def code(self, text: str) -> Code | None:
        """Return the code with that text, used or not, and lock its account; None if there is none."""
        found = find_code(self.connection, text, now=self.now)
        if found is None:
            return None
        load_balance(self.connection, found.consent.account_id)
        # Another exchange may have used it while this one waited.
        return find_code(self.connection, text, now=self.now)

    def refreshable(self, text: str) -> Connection | None:
        """Return the connection that a refresh token renews, and lock its account.

        A token that was used before ends the connection: its client or a thief has a copy.
        """
        found = find_by_refresh_token(self.connection, text)
        if found is None:
            return None
        load_balance(self.connection, found[0].key.account_id)
        found = find_by_refresh_token(self.connection, text)
        if found is None or not found[0].is_live(self.now):
            return None
        connected, is_newest = found
        if is_newest:
            return connected
        end_connection(self.connection, connected.key.key_id, now=self.now)
        return None

    def redeem(self, client: Client, code: Code) -> Tokens | None:
        """Connect the client by its code; a second use ends the connection of the first and returns None.

        Raises:
            ValidationError: the account has as many live keys as it may.
        """
        if code.key_id is not None:
            end_connection(self.connection, code.key_id, now=self.now)
            return None
        key_id, tokens = connect(self.connection, client, code.consent, now=self.now)
        use_code(self.connection, code, key_id=key_id, now=self.now)
        return tokens

    def renew(self, connected: Connection, refresh: str, scopes: tuple[str, ...]) -> Tokens:
        """Replace the tokens of a connection that `refreshable` returned."""
        return renew(self.connection, connected, refresh, scopes, now=self.now)

    def connected(self, text: str) -> Connection | None:
        """Return the connection that an access token or a refresh token belongs to; None if there is none."""
        by_refresh = find_by_refresh_token(self.connection, text)
        return find_by_access_token(self.connection, text) if by_refresh is None else by_refresh[0]

    def end(self, connected: Connection) -> None:
        """End a connection."""
        load_balance(self.connection, connected.key.account_id)
        end_connection(self.connection, connected.key.key_id, now=self.now)


class Authorizations:
    """Clients that registered, and what account holders allow them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._throttle = Throttle(database)

    def register(self, *, name: str, redirect_uris: Sequence[str], address: str) -> Client:
        """Register a client from that network address.

        Raises:
            TooManyAttemptsError: too many registered from there.
        """
        bucket = REGISTRATIONS_FROM_NETWORK.of(network_of(address))
        # A flood must not queue for turns to write, for which every charge waits.
        with self._database.reading(behind=True) as connection:
            self._throttle.require_room(connection, [bucket])
        with self._database.writing() as connection:
            self._throttle.take(connection, [bucket])
            now = self._database.now(connection)
            client = register_client(connection, name=name, redirect_uris=redirect_uris, now=now)
            sweep(connection, schema.attempts, now=now)
            return client

    def find_client(self, client_id: str) -> Client | None:
        """Return the client with that id; None if there is none."""
        with self._database.reading(behind=True) as connection:
            return find_client(connection, client_id, now=self._database.now(connection))

    def allow(self, consent: Consent) -> MintedKey:
        """Make the code by which a client gets what an account holder allows it.

        Raises:
            ValidationError: the account has as many live keys as it may.
        """
        with self._database.writing() as connection:
            load_balance(connection, consent.account_id)
            now = self._database.now(connection)
            if not any(
                one.client_id == consent.client_id and one.is_live(now)
                for one in connections_of(connection, consent.account_id)
            ):
                require_room(connection, consent.account_id, now=now)
            return make_code(connection, consent, now=now)

    @contextmanager
    def exchanging(self) -> Iterator[Exchange]:
        """Yield an exchange in a transaction of its own."""
        with self._database.writing() as connection:
            yield Exchange(connection, self._database.now(connection))

    def live_connections(self, account_id: int) -> Sequence[Connection]:
        """Return the agents that are connected to an account, the newest first."""
        with self._database.reading(behind=True) as connection:
            now = self._database.now(connection)
            return [one for one in connections_of(connection, account_id) if one.is_live(now)]

    def disconnect(self, account_id: int, key_id: int) -> None:
        """End a connection of an account at once. Ending one that has ended changes nothing.

        Raises:
            NotFoundError: the account has no such connection.
        """
        with self._database.writing() as connection:
            load_balance(connection, account_id)
            if all(one.key.key_id != key_id for one in connections_of(connection, account_id)):
                raise NotFoundError(f"The account has no agent {key_id}.", kind="key")
            end_connection(connection, key_id, now=self._database.now(connection))
