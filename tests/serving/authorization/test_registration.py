"""What clients say of themselves when they register."""

import json

import pytest

from serving.authorization.registration import UNNAMED, ClientMetadata, InvalidMetadataError

URIS = ["https://agent.example/cb"]


@pytest.mark.parametrize(
    "said",
    [
        {"token_endpoint_auth_method": "client_secret_post", "scope": "claudeai", "grant_types": None},
        {
            "grant_types": ["authorization_code", "refresh_token", "urn:x"],
            "response_types": ["code", "token"],
        },
        {"logo_uri": "javascript:x", "jwks": 5, "contacts": "x", "application_type": "native"},
    ],
)
def test_what_is_not_used_is_passed_over(said):
    found = ClientMetadata.parse(
        json.dumps({"redirect_uris": URIS, "client_name": " An  agent ", **said}).encode()
    )
    assert found == ClientMetadata("An agent", tuple(URIS))


def test_a_client_needs_no_name():
    assert ClientMetadata.parse(json.dumps({"redirect_uris": URIS}).encode()).name == UNNAMED


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": URIS * 9}, "invalid_redirect_uri"),
        ({"redirect_uris": ["javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": [*URIS, "http://agent.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": None}, "invalid_client_metadata"),
        ({"redirect_uris": URIS[0]}, "invalid_client_metadata"),
        ({"redirect_uris": [5]}, "invalid_client_metadata"),
        ({"redirect_uris": {}}, "invalid_client_metadata"),
        ({"client_name": 5}, "invalid_client_metadata"),
        ({"client_name": "x" * 101}, "invalid_client_metadata"),
        ({"client_name": "Cla\u202eude"}, "invalid_client_metadata"),
        ({"client_name": "   "}, "invalid_client_metadata"),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"grant_types": "authorization_code"}, "invalid_client_metadata"),
        ({"grant_types": [{}]}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
    ],
)
def test_what_cannot_be_registered_is_refused(said, error):
    with pytest.raises(InvalidMetadataError) as refused:
        ClientMetadata.parse(json.dumps({"redirect_uris": URIS} | said).encode())
    assert refused.value.error == error


@pytest.mark.parametrize("body", [b"", b"[]", b"5", b"{", b"\xff", b'{"redirect_uris":' + b"[" * 3000])
def test_what_is_no_object_is_refused(body):
    with pytest.raises(InvalidMetadataError):
        ClientMetadata.parse(body)
