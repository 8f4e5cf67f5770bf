"""The issuer: the addresses of the authorization server, and its metadata (RFC 8414)."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from serving.api.discovery import MCP
from serving.contract.loopback import is_loopback
from serving.metering.keys import SCOPES
from serving.settings.settings import Settings

AUTHORIZE = "/settings/authorize"
TOKEN = "/oauth/token"  # noqa: S105 (a path)
REGISTER = "/oauth/register"
REVOKE = "/oauth/revoke"
PUBLIC_CLIENT = "none"
"""The one way in which clients authenticate: by PKCE alone, without a secret that they would have to keep."""
GRANT_TYPES = ("authorization_code", "refresh_token")


@dataclass(frozen=True, slots=True)
class Issuer:
    """The issuer identifier is the address of the service, byte for byte, with no slash at its end.

    Attributes:
        address: address of the service.
        resources: addresses of the parts of the service for which tokens are asked; the first is meant where
            a client names none.
    """

    address: str
    resources: tuple[str, ...]

    @classmethod
    def of(cls, settings: Settings) -> "Issuer | None":
        """Return the issuer of a service; None if it is off, or tokens would cross a network in clear."""
        address = settings.public_url
        parts = urlsplit(address)
        is_safe = parts.scheme == "https" or is_loopback(parts.hostname or "")
        return cls(address, (address + MCP, address)) if settings.oauth == "on" and is_safe else None

    def resource_of(self, asked: str | None) -> str | None:
        """Return the resource that a client names, with or without a slash at the end; None if not ours."""
        if asked is None:
            return self.resources[0]
        return next((known for known in self.resources if asked in (known, f"{known}/")), None)

    def metadata(self) -> dict[str, Any]:
        """Return the metadata of the authorization server."""
        return {
            "issuer": self.address,
            "authorization_endpoint": self.address + AUTHORIZE,
            "token_endpoint": self.address + TOKEN,
            "registration_endpoint": self.address + REGISTER,
            "revocation_endpoint": self.address + REVOKE,
            "scopes_supported": list(SCOPES),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": list(GRANT_TYPES),
            "token_endpoint_auth_methods_supported": [PUBLIC_CLIENT],
            "revocation_endpoint_auth_methods_supported": [PUBLIC_CLIENT],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": f"{self.address}/llms.txt",
        }
