"""Clients that registered: limited by network and in number, kept while they are connected."""

import pytest
import sqlalchemy as sa

from serving.accounts.attempts import REGISTRATIONS_FROM_NETWORK
from serving.accounts.authorizations import registered_clients
from serving.accounts.authorizations.authorizations import Authorizations
from serving.accounts.authorizations.registered_clients import UNCONNECTED_LIFETIME, find_client, keep_client
from serving.contract.errors import TooManyAttemptsError
from serving.metering import schema
from serving.metering.clock import DAY, HOUR, SECOND

URIS = ["https://agent.example/cb", "http://127.0.0.1/cb"]


@pytest.fixture
def authorizations(meter):
    return Authorizations(meter.database)


def register(authorizations, number=1, network=1):
    return authorizations.register(
        name=f"Agent {number}", redirect_uris=URIS, address=f"203.0.{network // 250}.{network % 250}"
    )


def test_a_client_is_found_as_it_registered(authorizations):
    client = register(authorizations)
    assert authorizations.find_client(client.client_id) == client
    assert client.redirect_uris == tuple(URIS)
    assert authorizations.find_client("nobody") is None
    assert authorizations.find_client("") is None


def test_a_network_registers_so_many_an_hour(authorizations, meter):
    for number in range(REGISTRATIONS_FROM_NETWORK.most):
        register(authorizations, number)
    with pytest.raises(TooManyAttemptsError):
        register(authorizations)
    assert register(authorizations, network=2)
    meter.clock.pass_(HOUR / SECOND)
    assert register(authorizations)


def test_a_client_that_nobody_connects_is_forgotten(authorizations, meter):
    unused, used = register(authorizations, 1), register(authorizations, 2)
    with meter.database.writing() as connection:
        keep_client(connection, used.client_id, now=meter.clock.now(), until=meter.clock.now() + 30 * DAY)
    meter.clock.pass_(UNCONNECTED_LIFETIME / SECOND)
    assert authorizations.find_client(unused.client_id) is None
    assert authorizations.find_client(used.client_id) == used
    register(authorizations, 3)
    with meter.database.reading() as connection:
        kept = set(connection.execute(sa.select(schema.oauth_clients.c.name)).scalars())
    assert kept == {"Agent 2", "Agent 3"}, "its row goes as another registers"
    meter.clock.pass_(30 * DAY / SECOND)
    assert authorizations.find_client(used.client_id) is None


def test_so_many_unconnected_clients_are_kept_and_no_more(authorizations, meter, monkeypatch):
    monkeypatch.setattr(registered_clients, "MAX_UNCONNECTED", 3)
    connected = register(authorizations, 0)
    with meter.database.writing() as connection:
        keep_client(connection, connected.client_id, now=meter.clock.now(), until=meter.clock.now() + DAY)
    made = []
    for number in range(1, 6):
        meter.clock.pass_(1)
        made.append(register(authorizations, number))
    with meter.database.reading() as connection:
        now = meter.clock.now()
        kept = [find_client(connection, one.client_id, now=now) is not None for one in [connected, *made]]
    assert kept == [True, False, False, True, True, True]
