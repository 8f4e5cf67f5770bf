"""`lawctl keys`, over both engines."""

import pytest

from serving.cli import main
from serving.metering.keys import digest, is_well_formed
from serving.metering.records import Charge, KeyRefused, Settled
from serving.metering.store import store_opener


@pytest.fixture
def account(lawctl):
    return str(lawctl("accounts", "create", "--email", "a@example.org", "--json").json["id"])


def settle(url: str, key: str):
    store = store_opener(url)()
    try:
        return store.settle([Charge(digest(key), 1, "node", "r")])[0]
    finally:
        store.close()


def test_a_key_is_printed_once_alone_and_works_until_it_is_revoked(lawctl, url, account):
    made = lawctl("keys", "create", "a@example.org", "--name", "laptop", "--scopes", "search,node")
    key = made.out.rstrip("\n")
    assert is_well_formed(key)
    assert "never shown again" in made.err
    assert key not in made.err
    assert isinstance(settle(url, key), Settled)
    listed = lawctl("keys", "list", account)
    assert key not in listed.out
    assert f"{key[:12]}…  live   search,node" in listed.out
    (found,) = lawctl("keys", "list", account, "--json").json
    assert (found["id"], found["name"], found["state"], found["requests"]) == (1, "laptop", "live", 1)
    assert (found["scopes"], found["expiresAt"]) == (["search", "node"], None)
    assert "revoked since" in lawctl("keys", "revoke", account, "1").out
    assert settle(url, key) == KeyRefused("revoked")
    assert "revoked" in lawctl("keys", "list", account).out
    assert lawctl("keys", "revoke", account, "1", "--json").json["state"] == "revoked"


def test_a_key_may_end(lawctl, account):
    def made(expires):
        return lawctl(
            *("keys", "create", account, "--name", "k", "--scopes", "node"), "--expires", expires, "--json"
        ).json

    assert made("2101-03-04")["expiresAt"] == "2101-03-04T00:00:00Z"
    ninety = made("90d")
    assert is_well_formed(ninety["key"])
    assert ninety["expiresAt"] > ninety["createdAt"]
    assert ninety["expiresAt"][10:19] == ninety["createdAt"][10:19]
    refused = lawctl(
        *("keys", "create", account, "--name", "k", "--scopes", "node", "--expires", "2020-01-01"), fails=True
    )
    assert "cannot end in the past" in refused.err


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("create", "1", "--name", "k", "--scopes", "node,fly"), "'fly' is not a scope"),
        (("create", "1", "--name", "k", "--scopes", ","), "at least one scope"),
        (("create", "1", "--name", " ", "--scopes", "node"), "A key's name"),
        (("create", "8", "--name", "k", "--scopes", "node"), "no account 8"),
        (("revoke", "1", "5"), "no key 5"),
        (("list", "8"), "no account 8"),
    ],
)
def test_what_cannot_be_done_is_named(lawctl, account, words, match):
    refused = lawctl("keys", *words, fails=True)
    assert (refused.status, refused.out) == (1, "")
    assert match in refused.err


@pytest.mark.parametrize(
    "words",
    [
        ("create", "1", "--name", "k"),
        ("create", "1", "--scopes", "node"),
        ("create", "1", "--name", "k", "--scopes", "node", "--expires", "soon"),
        ("create", "1", "--name", "k", "--scopes", "node", "--expires", "0d"),
        ("revoke", "1", "first"),
        ("revoke", "1", "0"),
        ("revoke", "1", "9" * 400),
    ],
)
def test_misuse_is_status_2(capsys, words):
    with pytest.raises(SystemExit) as misused:
        main(["keys", *words])
    assert misused.value.code == 2
    assert "usage: lawctl keys" in capsys.readouterr().err
