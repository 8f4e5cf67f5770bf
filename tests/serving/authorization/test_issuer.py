"""The issuer: where there is one, and that its name is the same to the byte wherever it stands."""

import json

import pytest

from serving.api.discovery import MCP, protected_resource
from serving.authorization.issuer import Issuer
from serving.settings.settings import Settings, SettingsError


@pytest.mark.parametrize(
    ("address", "oauth", "has_one"),
    [
        ("https://law.example", "on", True),
        ("https://law.example/base", "on", True),
        ("https://law.example", "off", False),
        ("http://law.example", "on", False),
        ("http://10.0.0.1:8000", "on", False),
        ("http://127.0.0.1:8000", "on", True),
        ("http://localhost:8000", "on", True),
        ("http://[::1]:8000", "on", True),
        ("http://localhost.evil.example", "on", False),
    ],
)
def test_tokens_cross_no_network_in_clear(address, oauth, has_one):
    settings = Settings.from_env({"LAW_BASE_URL": address, "LAW_OAUTH": oauth})
    assert (Issuer.of(settings) is not None) is has_one


def test_the_setting_is_on_or_off():
    assert Settings.from_env({"LAW_OAUTH": "OFF"}).oauth == "off"
    with pytest.raises(SettingsError, match="on or off"):
        Settings.from_env({"LAW_OAUTH": "yes"})


@pytest.mark.parametrize(
    "address", ["https://law.example", "https://law.example:8443", "http://127.0.0.1:8000"]
)
def test_the_issuer_is_the_same_byte_for_byte(address):
    issuer = Issuer.of(Settings.from_env({"LAW_BASE_URL": f"{address}/"}))
    assert issuer is not None
    assert issuer.metadata()["issuer"] == issuer.address == address
    for path in ("", MCP):
        described = json.loads(protected_resource(address, path, issuer=issuer.address))
        assert described["authorization_servers"] == [address]
        assert described["resource"] in issuer.resources


def test_without_an_issuer_a_resource_names_none():
    assert "authorization_servers" not in json.loads(protected_resource("https://law.example", ""))


def test_its_metadata_promises_what_there_is():
    issuer = Issuer.of(Settings.from_env({"LAW_BASE_URL": "https://law.example"}))
    assert issuer is not None
    metadata = issuer.metadata()
    assert metadata["code_challenge_methods_supported"] == ["S256"]
    assert metadata["token_endpoint_auth_methods_supported"] == ["none"]
    assert all(
        metadata[name].startswith("https://law.example/") for name in metadata if name.endswith("_endpoint")
    )
