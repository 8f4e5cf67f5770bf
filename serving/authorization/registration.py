"""Registration of clients by themselves (RFC 7591): what they say is read, and what is stored is answered."""

from dataclasses import dataclass
from typing import Any

import orjson

from serving.accounts.accounts import MAX_KEY_NAME
from serving.accounts.authorizations.registered_clients import Client
from serving.accounts.names import clean_name
from serving.authorization.issuer import GRANT_TYPES, PUBLIC_CLIENT
from serving.authorization.redirect_uris import LONGEST, is_acceptable
from serving.contract.errors import LawError, ValidationError
from serving.metering.clock import SECOND
from serving.metering.keys import SCOPES

MAX_REDIRECT_URIS = 8
UNNAMED = "An app that gives no name"


class InvalidMetadataError(LawError):
    """A client cannot be registered as it asks; `error` is the code that RFC 7591 has for the reason."""

    code = "invalid_client_metadata"

    def __init__(self, message: str, *, error: str = code) -> None:
        super().__init__(message)
        self.error = error


@dataclass(frozen=True, slots=True)
class ClientMetadata:
    """The part of a client's metadata that is used; all else that it says is passed over."""

    name: str
    redirect_uris: tuple[str, ...]

    @classmethod
    def parse(cls, body: bytes) -> "ClientMetadata":
        """Read the body of a registration.

        Raises:
            InvalidMetadataError: it is no JSON object, or asks for what this server has not.
        """
        try:
            found = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise InvalidMetadataError("The body is not JSON.") from error
        if not isinstance(found, dict):
            raise InvalidMetadataError("The body is not a JSON object.")
        for name, wanted in (("grant_types", GRANT_TYPES[0]), ("response_types", "code")):
            if found.get(name) is not None and wanted not in _texts(found, name):
                raise InvalidMetadataError(f"{name} has to name {wanted}: it is all that this server has.")
        return cls(_name(found), _redirect_uris(found))


def registered(client: Client) -> dict[str, Any]:
    """Return the answer to a registration: the client as it is stored."""
    return {
        "client_id": client.client_id,
        "client_id_issued_at": client.created_at // SECOND,
        "client_name": client.name,
        "redirect_uris": list(client.redirect_uris),
        "grant_types": list(GRANT_TYPES),
        "response_types": ["code"],
        "token_endpoint_auth_method": PUBLIC_CLIENT,
        "scope": " ".join(SCOPES),
    }


def _name(found: dict[str, Any]) -> str:
    name = found.get("client_name") or UNNAMED
    if not isinstance(name, str):
        raise InvalidMetadataError("client_name is not a text.")
    try:
        return clean_name(name, what="client_name", limit=MAX_KEY_NAME, parameter="client_name")
    except ValidationError as error:
        raise InvalidMetadataError(error.message) from error


def _redirect_uris(found: dict[str, Any]) -> tuple[str, ...]:
    uris = _texts(found, "redirect_uris")
    if not 1 <= len(uris) <= MAX_REDIRECT_URIS:
        raise InvalidMetadataError(
            f"A client registers 1 to {MAX_REDIRECT_URIS} redirect URIs.", error="invalid_redirect_uri"
        )
    if not all(map(is_acceptable, uris)):
        raise InvalidMetadataError(
            "A redirect URI is an https address, an http address of this machine, or has an app's own scheme "
            f"with a dot in it; without a user and without a fragment, of {LONGEST} characters at most.",
            error="invalid_redirect_uri",
        )
    return uris


def _texts(found: dict[str, Any], name: str) -> tuple[str, ...]:
    texts = found.get(name)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InvalidMetadataError(f"{name} is not a list of texts.")
    return tuple(texts)
