"""The protocol over both stores: what is bound to what, what is used once, and what ends a connection."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Barrier
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa

from serving.accounts.accounts import MAX_LIVE_KEYS
from serving.accounts.authorizations.authorizations import Authorizations
from serving.accounts.authorizations.codes import LIFETIME, USED_KEPT
from serving.accounts.authorizations.connections import ACCESS_LIFETIME, REFRESH_LIFETIME
from serving.authorization.issuer import Issuer
from serving.authorization.server import AuthorizationServer, ConsentRequest, RequestRefusedError
from serving.contract.errors import ValidationError
from serving.metering import schema
from serving.metering.clock import SECOND
from serving.metering.keys import SCOPES, digest
from serving.metering.records import KeyRefused, RateLimited, Settled
from tests.serving.authorization.agents import REDIRECT, s256
from tests.serving.meters import Meter

ISSUER = Issuer("https://law.example", ("https://law.example/mcp", "https://law.example"))
VERIFIER = "a-verifier-of-an-agent_that.is~long-enough-to-be-one"
OTHER = "https://other.example/callback"


@dataclass
class Scene:
    """An account, a registered client, and the server between them."""

    meter: Meter
    server: AuthorizationServer
    account_id: int
    client_id: str

    def asks(self, **changed: str | None) -> ConsentRequest:
        return self.server.consider(asking(self.client_id, **changed).items())

    def code(self, *, scopes: tuple[str, ...] = ("search", "node"), **changed: str | None) -> str:
        address = self.server.allow(self.asks(**changed), account_id=self.account_id, scopes=scopes)
        return told(address)["code"]

    def exchange(self, code: str, **changed: str | None) -> tuple[int, dict[str, Any]]:
        fields = {
            "grant_type": "authorization_code",
            "client_id": self.client_id,
            "code": code,
            "redirect_uri": REDIRECT,
            "code_verifier": VERIFIER,
        } | changed
        return self.server.exchange([(name, one) for name, one in fields.items() if one is not None])

    def refresh(self, token: str, **changed: str) -> tuple[int, dict[str, Any]]:
        fields = {"grant_type": "refresh_token", "client_id": self.client_id, "refresh_token": token}
        return self.server.exchange((fields | changed).items())

    def connect(self, **options: Any) -> dict[str, Any]:
        status, tokens = self.exchange(self.code(**options))
        assert status == 200, tokens
        return tokens

    def outcome(self, token: str) -> object:
        """What becomes of a call with an access token."""
        return self.meter.charge(digest(token))[0]

    def opens(self, token: str) -> bool:
        return isinstance(self.outcome(token), Settled)

    def live(self) -> int:
        return len(self.server.authorizations.live_connections(self.account_id))


def asking(client_id: str, /, **changed: str | None) -> dict[str, str]:
    fields = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": REDIRECT,
        "code_challenge": s256(VERIFIER),
        "code_challenge_method": "S256",
        "resource": ISSUER.resources[0],
        "scope": "search node",
    } | changed
    return {name: one for name, one in fields.items() if one is not None}


def told(address: str) -> dict[str, str]:
    return {name: one for name, (one,) in parse_qs(urlsplit(address).query, strict_parsing=True).items()}


@pytest.fixture
def scene(meter: Meter) -> Scene:
    return scene_of(meter)


@pytest.fixture
def stranger(scene: Scene) -> str:
    """Id of another client with the same redirect URI."""
    return scene.server.authorizations.register(
        name="Stranger", redirect_uris=[REDIRECT], address="192.0.2.2"
    ).client_id


def test_a_connection_opens_what_its_holder_allowed(scene):
    tokens = scene.connect(scopes=("node",))
    assert (tokens["token_type"], tokens["scope"]) == ("Bearer", "node")
    assert tokens["expires_in"] * SECOND == ACCESS_LIFETIME
    key = scene.meter.accounts.find_key(digest(tokens["access_token"]))
    assert (key.account_id, key.name, key.scopes, key.is_of_agent) == (
        scene.account_id,
        "Agent",
        ("node",),
        True,
    )
    assert isinstance(scene.outcome(tokens["access_token"]), Settled)
    (charge,) = [one for one in scene.meter.accounts.ledger(scene.account_id) if one.kind == "charge"]
    assert charge.key_id == key.key_id


def test_only_hashes_are_stored(scene):
    code = scene.code()
    _, tokens = scene.exchange(code)
    with scene.meter.database.reading() as connection:
        rows = [
            row
            for table in (schema.keys, schema.connections, schema.authorization_codes)
            for row in connection.execute(sa.select(table))
        ]
    stored = " ".join(str(value) for row in rows for value in row)
    assert digest(tokens["access_token"]) in stored
    for secret in (code, tokens["access_token"], tokens["refresh_token"]):
        assert secret not in stored


# What a request for consent has to be.


@pytest.mark.parametrize(
    ("changed", "said", "goes_back"),
    [
        ({"client_id": None}, "client_id", False),
        ({"client_id": "nobody"}, "does not exist", False),
        ({"redirect_uri": None}, "redirect_uri", False),
        ({"redirect_uri": f"{REDIRECT}/"}, "not supported", False),
        ({"redirect_uri": f"{REDIRECT}?x=1"}, "not supported", False),
        ({"redirect_uri": REDIRECT.replace("https", "http")}, "not supported", False),
        ({"redirect_uri": "https://agent.example.evil.example/callback"}, "not supported", False),
        ({"redirect_uri": 'https://a"b'}, "not accepted", False),
        ({"response_type": "token"}, "response_type=code", True),
        ({"response_type": None}, "response_type=code", True),
        ({"code_challenge": None}, "code_challenge", True),
        ({"code_challenge": None, "code_challenge_method": None}, "PKCE", True),
        ({"code_challenge_method": None}, "S256", True),
        ({"code_challenge_method": "plain"}, "code_challenge_method", True),
        ({"code_challenge": "too-short"}, "code_challenge", True),
        ({"resource": "https://evil.example/mcp"}, "resource", True),
        ({"resource": "https://law.example.evil.example"}, "resource", True),
        ({"state": "\x00"}, "state", False),
        ({"scope": "sé"}, "scope", False),
        ({"state": "a" * 2049}, "state", False),
    ],
)
def test_a_request_that_is_not_as_it_should_is_refused(scene, changed, said, goes_back):
    with pytest.raises(RequestRefusedError, match=said) as refused:
        scene.asks(**({"state": "kept"} | changed))
    if goes_back:
        assert refused.value.return_to is not None
        answer = told(refused.value.return_to)
        assert refused.value.return_to.startswith(f"{REDIRECT}?")
        assert (answer["state"], answer["iss"], bool(answer["error"])) == ("kept", ISSUER.address, True)
    else:
        assert refused.value.return_to is None, "nobody is sent to an address that is not the client's"


def test_a_parameter_given_twice_is_refused(scene):
    fields = asking(scene.client_id)
    with pytest.raises(RequestRefusedError, match="redirect_uri is given twice"):
        scene.server.consider([*fields.items(), ("redirect_uri", OTHER)])


@pytest.mark.parametrize(
    ("scope", "offered"),
    [
        ("search node", ("search", "node")),
        ("node search offline_access openid", ("search", "node")),
        (None, SCOPES),
        ("claudeai", SCOPES),
    ],
)
def test_scopes_that_there_are_not_are_passed_over(scene, scope, offered):
    assert scene.asks(scope=scope).scopes == offered


@pytest.mark.parametrize("resource", [None, *ISSUER.resources, *(f"{one}/" for one in ISSUER.resources)])
def test_tokens_are_for_this_service(scene, resource):
    assert scene.asks(resource=resource).resource in ISSUER.resources


def test_the_answer_names_its_issuer_and_returns_the_state(scene):
    asked = scene.asks(state="x&y=z €".encode("ascii", "ignore").decode())
    allowed = told(scene.server.allow(asked, account_id=scene.account_id, scopes=("node",)))
    assert (allowed["iss"], allowed["state"]) == (ISSUER.address, "x&y=z ")
    assert told(scene.server.deny(asked)) == {
        "error": "access_denied",
        "state": "x&y=z ",
        "iss": ISSUER.address,
    }


# Codes.


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_verifier": "b" * 60}, "invalid_grant"),
        ({"code_verifier": None}, "invalid_request"),
        ({"redirect_uri": OTHER}, "invalid_grant"),
        ({"redirect_uri": None}, "invalid_grant"),
        ({"client_id": None}, "invalid_client"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"code": "lr_code_none"}, "invalid_grant"),
        ({"code": None}, "invalid_request"),
        ({"resource": "https://law.example"}, "invalid_target"),
        ({"resource": "https://evil.example"}, "invalid_target"),
        ({"client_secret": "x"}, "invalid_client"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": None}, "unsupported_grant_type"),
        ({"code_verifier": "é" * 50}, "invalid_request"),
    ],
)
def test_a_code_is_bound_to_all_that_it_was_given_for(scene, changed, error):
    code = scene.code()
    status, answer = scene.exchange(**({"code": code} | changed))
    assert (status, answer["error"]) == (400, error)
    assert "access_token" not in answer
    assert scene.live() == 0
    assert scene.exchange(code)[0] == 200, "a stranger's try does not use it up"


def test_a_code_is_not_another_clients(scene, stranger):
    code = scene.code()
    assert scene.exchange(code, client_id=stranger)[1]["error"] == "invalid_grant"


def test_a_code_is_good_for_a_minute(scene):
    code = scene.code()
    scene.meter.clock.pass_(LIFETIME / SECOND)
    assert scene.exchange(code)[1]["error"] == "invalid_grant"
    late = scene.code()
    scene.meter.clock.pass_(LIFETIME / SECOND - 0.000001)
    assert scene.exchange(late)[0] == 200


def test_a_second_use_of_a_code_ends_the_connection(scene):
    code = scene.code()
    _, tokens = scene.exchange(code)
    assert scene.exchange(code, code_verifier="b" * 60)[1]["error"] == "invalid_grant"
    assert scene.opens(tokens["access_token"]), "without the verifier it is no use"
    scene.meter.clock.pass_(USED_KEPT / SECOND - 1)
    assert scene.exchange(code)[1]["error"] == "invalid_grant"
    assert scene.outcome(tokens["access_token"]) == KeyRefused("revoked")
    assert scene.refresh(tokens["refresh_token"])[1]["error"] == "invalid_grant"
    assert scene.live() == 0


def test_a_newer_code_replaces_one_that_was_not_used(scene):
    first, second = scene.code(), scene.code()
    assert scene.exchange(first)[1]["error"] == "invalid_grant"
    assert scene.exchange(second)[0] == 200


def test_of_many_uses_at_once_one_at_most_is_good(live_scene):
    scene = live_scene
    code = scene.code()
    answers = at_once(lambda: scene.exchange(code))
    assert sorted(status for status, _ in answers) == [200] + [400] * 5
    assert scene.live() == 0, "the others were second uses"


@pytest.fixture
def live_scene(live_meter: Meter) -> Scene:
    """As `scene`, by the time that threads go by."""
    return scene_of(live_meter)


def at_once(deed: Callable[[], tuple[int, dict[str, Any]]]) -> list[tuple[int, dict[str, Any]]]:
    """Answers to the deed done in six threads at the same moment."""
    barrier = Barrier(6)

    def one(_: int) -> tuple[int, dict[str, Any]]:
        barrier.wait()
        return deed()

    with ThreadPoolExecutor(6) as threads:
        return list(threads.map(one, range(6)))


def scene_of(meter: Meter) -> Scene:
    server = AuthorizationServer(ISSUER, Authorizations(meter.database))
    client = server.authorizations.register(
        name="Agent", redirect_uris=[REDIRECT, OTHER], address="192.0.2.1"
    )
    return Scene(meter, server, meter.accounts.create().account_id, client.client_id)


# Tokens.


def test_an_access_token_is_good_for_an_hour(scene):
    tokens = scene.connect()
    scene.meter.clock.pass_(ACCESS_LIFETIME / SECOND - 1)
    assert scene.opens(tokens["access_token"])
    scene.meter.clock.pass_(1)
    assert scene.outcome(tokens["access_token"]) == KeyRefused("expired")
    status, renewed = scene.refresh(tokens["refresh_token"])
    assert (status, renewed["scope"]) == (200, "search node")
    assert scene.opens(renewed["access_token"])
    assert scene.outcome(tokens["access_token"]) == KeyRefused("unknown")


def test_a_refresh_token_is_good_for_thirty_days_from_its_making(scene):
    tokens = scene.connect()
    for _ in range(3):
        scene.meter.clock.pass_(REFRESH_LIFETIME / SECOND - 1)
        status, tokens = scene.refresh(tokens["refresh_token"])
        assert status == 200, tokens
    scene.meter.clock.pass_(REFRESH_LIFETIME / SECOND)
    assert scene.refresh(tokens["refresh_token"])[1]["error"] in ("invalid_grant", "invalid_client")
    assert scene.live() == 0


def test_a_refresh_token_that_was_used_before_ends_the_connection(scene):
    first = scene.connect()
    _, second = scene.refresh(first["refresh_token"])
    _, third = scene.refresh(second["refresh_token"])
    assert scene.opens(third["access_token"])
    assert scene.refresh(first["refresh_token"])[1]["error"] == "invalid_grant"
    assert scene.outcome(third["access_token"]) == KeyRefused("revoked")
    assert scene.refresh(third["refresh_token"])[1]["error"] == "invalid_grant"


def test_of_many_refreshes_at_once_one_is_good_and_the_others_end_the_connection(live_scene):
    scene = live_scene
    tokens = scene.connect()
    answers = at_once(lambda: scene.refresh(tokens["refresh_token"]))
    assert sorted(status for status, _ in answers) == [200] + [400] * 5
    assert scene.live() == 0


@pytest.mark.parametrize(
    "token", ["", "lr_refresh_", "lr_refresh_" + "0" * 60, "x" * 2048, "lr_live_" + "0" * 38]
)
def test_what_is_no_refresh_token_ends_nothing(scene, token):
    tokens = scene.connect()
    assert scene.refresh(token)[0] == 400
    for mistyped in (tokens["refresh_token"][:-1], tokens["refresh_token"] + "0"):
        assert scene.refresh(mistyped)[1]["error"] == "invalid_grant"
    assert scene.refresh(tokens["access_token"])[1]["error"] == "invalid_grant"
    assert scene.opens(tokens["access_token"])
    assert scene.refresh(tokens["refresh_token"])[0] == 200


def test_a_refresh_token_is_not_another_clients(scene, stranger):
    tokens = scene.connect()
    assert scene.refresh(tokens["refresh_token"], client_id=stranger)[1]["error"] == "invalid_grant"
    assert scene.opens(tokens["access_token"])


def test_a_token_may_be_renewed_for_fewer_scopes_and_not_for_more(scene):
    tokens = scene.connect()
    status, fewer = scene.refresh(tokens["refresh_token"], scope="node")
    assert (status, fewer["scope"]) == (200, "node")
    assert scene.refresh(fewer["refresh_token"], scope="gis")[1]["error"] == "invalid_scope"
    status, again = scene.refresh(fewer["refresh_token"], scope=" ")
    assert (status, again["scope"]) == (200, "search node")
    assert (
        scene.refresh(again["refresh_token"], resource="https://evil.example")[1]["error"] == "invalid_target"
    )


def test_the_limits_are_those_of_the_connection_however_often_it_is_renewed(scene):
    tokens = scene.connect()
    for _ in range(3):
        assert all(
            isinstance(one, Settled) for one in scene.meter.charge(digest(tokens["access_token"]), times=10)
        )
        _, tokens = scene.refresh(tokens["refresh_token"])
    assert isinstance(scene.outcome(tokens["access_token"]), RateLimited)
    (connected,) = scene.server.authorizations.live_connections(scene.account_id)
    assert connected.key.passed == 30


# The end of connections, and how many there may be.


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
@pytest.mark.parametrize("hint", [None, "access_token", "refresh_token", "something"])
def test_either_token_ends_the_connection(scene, which, hint):
    tokens = scene.connect()
    fields = {"client_id": scene.client_id, "token": tokens[which]}
    assert scene.server.revoke((fields | ({"token_type_hint": hint} if hint else {})).items()) == (200, {})
    assert scene.outcome(tokens["access_token"]) == KeyRefused("revoked")
    assert scene.refresh(tokens["refresh_token"])[1]["error"] == "invalid_grant"
    assert scene.server.revoke(fields.items()) == (200, {}), "again changes nothing"


def test_nobody_ends_another_clients_connection(scene, stranger):
    tokens = scene.connect()
    own_key = scene.meter.accounts.create_key(scene.account_id, name="own", scopes=SCOPES)[1]
    for client_id, token in (
        (stranger, tokens["access_token"]),
        ("nobody", tokens["access_token"]),
        (scene.client_id, own_key.text),
    ):
        scene.server.revoke([("client_id", client_id), ("token", token)])
    assert scene.opens(tokens["access_token"])
    assert scene.opens(own_key.text), "a key is the holder's to revoke"
    assert scene.server.revoke([("client_id", scene.client_id)])[0] == 400


def test_the_holder_ends_a_connection_and_no_other(scene):
    tokens, other = scene.connect(), scene.meter.accounts.create().account_id
    (connected,) = scene.server.authorizations.live_connections(scene.account_id)
    with pytest.raises(Exception, match="no agent"):
        scene.server.authorizations.disconnect(other, connected.key.key_id)
    assert scene.opens(tokens["access_token"])
    scene.server.authorizations.disconnect(scene.account_id, connected.key.key_id)
    assert not scene.opens(tokens["access_token"])
    assert scene.refresh(tokens["refresh_token"])[1]["error"] == "invalid_grant"


def test_a_key_that_is_revoked_as_any_key_ends_the_connection(scene):
    tokens = scene.connect()
    (connected,) = scene.server.authorizations.live_connections(scene.account_id)
    scene.meter.accounts.revoke_key(scene.account_id, connected.key.key_id)
    assert scene.refresh(tokens["refresh_token"])[1]["error"] == "invalid_grant"
    assert scene.live() == 0


def test_a_client_that_connects_again_replaces_its_connection(scene):
    first, second = scene.connect(), scene.connect(scopes=("search",))
    assert not scene.opens(first["access_token"])
    assert scene.opens(second["access_token"])
    assert scene.live() == 1
    other = replace(scene, account_id=scene.meter.accounts.create().account_id)
    third = other.connect()
    assert scene.opens(second["access_token"]), "another account's connection of the same client is its own"
    assert other.opens(third["access_token"])


def test_agents_count_among_the_keys_of_an_account(scene, stranger):
    scene.connect()
    for number in range(MAX_LIVE_KEYS - 1):
        scene.meter.accounts.create_key(scene.account_id, name=f"{number}", scopes=SCOPES)
    with pytest.raises(ValidationError, match="at most 10 live keys"):
        scene.meter.accounts.create_key(scene.account_id, name="one more", scopes=SCOPES)
    with pytest.raises(ValidationError, match="at most 10 live keys"):
        replace(scene, client_id=stranger).code()
    assert scene.connect(), "it replaces its own"
    # An agent whose token has expired can renew it, so it still counts.
    scene.meter.clock.pass_(2 * ACCESS_LIFETIME / SECOND)
    listed = scene.meter.accounts.list_keys(scene.account_id)[0]
    assert listed.expires_at > scene.meter.clock.now()
    with pytest.raises(ValidationError, match="at most 10 live keys"):
        scene.meter.accounts.create_key(scene.account_id, name="one more", scopes=SCOPES)
    scene.meter.clock.pass_(REFRESH_LIFETIME / SECOND)
    assert scene.meter.accounts.create_key(scene.account_id, name="one more", scopes=SCOPES)


def test_an_account_that_filled_up_meanwhile_is_said_to_be_full(scene):
    code = scene.code()
    for number in range(MAX_LIVE_KEYS):
        scene.meter.accounts.create_key(scene.account_id, name=f"{number}", scopes=SCOPES)
    status, answer = scene.exchange(code)
    assert (status, answer["error"]) == (400, "invalid_grant")
    assert "as many keys" in answer["error_description"]


def test_retiring_old_keys_of_a_name_leaves_agents_connected(scene):
    tokens = scene.connect()
    for _ in range(3):
        scene.meter.accounts.create_key(scene.account_id, name="Agent", scopes=SCOPES, keep=0)
    assert scene.opens(tokens["access_token"])


ODD: list[Callable[[Scene], object]] = [
    lambda scene: scene.server.exchange([]),
    lambda scene: scene.server.exchange([("grant_type", "x" * 3000)]),
    lambda scene: scene.server.exchange([("grant_type", "refresh_token"), ("grant_type", "refresh_token")]),
    lambda scene: scene.server.exchange([("grant_type", 'a"b\\'), ("client_id", "\x7f")]),
    lambda scene: scene.server.revoke([]),
    lambda scene: scene.server.revoke([("token", "\ud800"), ("client_id", "x")]),
]


@pytest.mark.parametrize("odd", ODD)
def test_odd_requests_are_answered(scene, odd):
    status, answer = odd(scene)
    assert status in (400, 401)
    assert answer["error"]
