"""The protocol as Authlib has it, with what OAuth 2.1 adds: S256 alone, resources, and tokens that rotate."""

from collections.abc import Callable, Mapping
from typing import Any

from authlib.oauth2.rfc6749 import (
    AuthorizationServer,
    InvalidGrantError,
    InvalidRequestError,
    OAuth2Error,
    OAuth2Request,
)
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge

from serving.accounts.authorizations.authorizations import Exchange
from serving.accounts.authorizations.codes import Code
from serving.accounts.authorizations.connections import ACCESS_LIFETIME, Connection, Tokens
from serving.accounts.authorizations.registered_clients import Client
from serving.authorization.issuer import GRANT_TYPES, PUBLIC_CLIENT, Issuer
from serving.authorization.redirect_uris import is_match
from serving.contract.errors import ValidationError
from serving.metering.clock import SECOND
from serving.metering.keys import SCOPES

REVOCATION = RevocationEndpoint.ENDPOINT_NAME


class InvalidTargetError(OAuth2Error):
    """The client asks for a token for something that is not of this service (RFC 8707)."""

    error = "invalid_target"
    description = "This server gives no tokens for that resource."


class PublicClient:
    """A registered client as Authlib asks of it."""

    def __init__(self, client: Client) -> None:
        self.record = client

    def get_client_id(self) -> str:
        """Return its id."""
        return self.record.client_id

    def get_default_redirect_uri(self) -> None:
        """Return None: a client names the redirect URI of each request."""

    def get_allowed_scope(self, scope: str | None) -> str:
        """Return the scopes that a client may be offered, all if it asks for none that there is.

        Others, such as `offline_access`, are passed over: the account holder decides, and the answer says.
        """
        asked = (scope or "").split()
        known = [name for name in SCOPES if name in asked]
        return " ".join(known or SCOPES)

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Return whether it registered the URI."""
        return any(is_match(redirect_uri, registered) for registered in self.record.redirect_uris)

    def check_client_secret(self, client_secret: str) -> bool:
        """Return False: there are no secrets."""
        del client_secret
        return False

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        """Return whether it authenticates in that way."""
        del endpoint
        return method == PUBLIC_CLIENT

    def check_response_type(self, response_type: str) -> bool:
        """Return whether it may ask for that response."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Return whether it may use that grant."""
        return grant_type in GRANT_TYPES


class Request(OAuth2Request):
    """A request to one of the endpoints."""

    def __init__(self, method: str, uri: str, parameters: Mapping[str, str]) -> None:
        super().__init__(method, uri)
        self.payload = BasicOAuth2Payload(dict(parameters))

    @property
    def form(self) -> Mapping[str, str]:
        """Parameters of the body."""
        found: Mapping[str, str] = self.payload.data
        return found


class Challenge(CodeChallenge):
    """PKCE, which no request may leave out, by S256 alone."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ("S256",)

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        """Check the challenge of an authorization request.

        Raises:
            InvalidRequestError: it is missing, or made by another method.
        """
        super().validate_code_challenge(grant, redirect_uri)
        parameters = grant.request.payload.data
        if parameters.get("code_challenge") is None or parameters.get("code_challenge_method") != "S256":
            raise InvalidRequestError("PKCE is required: send a code_challenge, made by S256.")


class Resource:
    """Resource indicators (RFC 8707): what is authorised for one resource is not exchanged for another."""

    def __init__(self, issuer: Issuer) -> None:
        self._issuer = issuer

    def __call__(self, grant: Any) -> None:
        """Have the grant check resources."""
        grant.register_hook("after_validate_authorization_request_payload", self.check_asked)
        grant.register_hook("after_validate_token_request", self.check_code)

    def check_asked(self, grant: Any, redirect_uri: str) -> None:
        """Check the resource of an authorization request."""
        del redirect_uri
        self.require_ours(grant.request)

    def check_code(self, grant: Any, result: None) -> None:
        """Check that a code is exchanged for the resource that it was given for."""
        del result
        request = grant.request
        if "resource" in request.form and self.require_ours(request) != request.authorization_code.resource:
            raise InvalidTargetError

    def require_ours(self, request: Request) -> str:
        """Return the resource that a request is about.

        Raises:
            InvalidTargetError: it is not of this service.
        """
        found = self._issuer.resource_of(request.form.get("resource"))
        if found is None:
            raise InvalidTargetError
        return found


class PresentedCode:
    """An authorization code as Authlib asks of it."""

    code_challenge_method = "S256"

    def __init__(self, code: Code) -> None:
        self.record = code
        self.code_challenge = code.consent.challenge
        self.resource = code.consent.resource

    def get_redirect_uri(self) -> str:
        """Return the redirect URI to which the code was sent."""
        return self.record.consent.redirect_uri

    def get_scope(self) -> str:
        """Return what the account holder allowed."""
        return " ".join(self.record.consent.scopes)


class PresentedToken:
    """A token with its connection as Authlib asks of it."""

    def __init__(self, connected: Connection, text: str) -> None:
        self.record = connected
        self.text = text

    def check_client(self, client: PublicClient) -> bool:
        """Return whether it was given to that client."""
        return self.record.client_id == client.record.client_id

    def get_scope(self) -> str:
        """Return what the account holder allowed."""
        return " ".join(self.record.scopes)


class CodeGrant(AuthorizationCodeGrant):
    """Exchange of a code for the tokens of a new connection."""

    TOKEN_ENDPOINT_AUTH_METHODS = (PUBLIC_CLIENT,)

    def query_authorization_code(self, code: str, client: PublicClient) -> PresentedCode | None:
        """Return the code if it is the client's, used or not."""
        found = self.server.exchange.code(code)
        if found is None or found.consent.client_id != client.record.client_id:
            return None
        return PresentedCode(found)

    def authenticate_user(self, authorization_code: PresentedCode) -> Tokens | None:
        """Connect the client, now that all is checked; return None for a code that was used before.

        Raises:
            InvalidGrantError: the account has as many live keys as it may.
        """
        try:
            exchange: Exchange = self.server.exchange
            return exchange.redeem(self.request.client.record, authorization_code.record)
        except ValidationError as error:
            raise InvalidGrantError("The account has as many keys and agents as it may.") from error

    def delete_authorization_code(self, authorization_code: PresentedCode) -> None:
        """Do nothing: a code is used up as it is redeemed."""


class RefreshGrant(RefreshTokenGrant):
    """Exchange of a refresh token for the next two tokens."""

    TOKEN_ENDPOINT_AUTH_METHODS = (PUBLIC_CLIENT,)
    INCLUDE_NEW_REFRESH_TOKEN = True

    def validate_token_request(self) -> None:
        """Check the client, the token, the scopes and the resource."""
        super().validate_token_request()
        asked = self.request.form.get("resource")
        resource = self.request.refresh_token.record.resource
        if asked is not None and self.server.issuer.resource_of(asked) != resource:
            raise InvalidTargetError

    def authenticate_refresh_token(self, refresh_token: str) -> PresentedToken | None:
        """Return the token with its connection, if it is the newest of it."""
        found = self.server.exchange.refreshable(refresh_token)
        return None if found is None else PresentedToken(found, refresh_token)

    def authenticate_user(self, refresh_token: PresentedToken) -> Tokens:
        """Renew the connection."""
        asked = (self.request.form.get("scope") or "").split()
        scopes = tuple(name for name in SCOPES if name in asked) or refresh_token.record.scopes
        renewed: Tokens = self.server.exchange.renew(refresh_token.record, refresh_token.text, scopes)
        return renewed

    def revoke_old_credential(self, refresh_token: PresentedToken) -> None:
        """Do nothing: a token is replaced as its connection is renewed."""


class Revocation(RevocationEndpoint):
    """The end of a connection, by either of its tokens (RFC 7009)."""

    CLIENT_AUTH_METHODS = (PUBLIC_CLIENT,)

    def check_params(self, request: Request, client: PublicClient) -> None:
        """Check that there is a token; a hint of its type is not needed.

        Raises:
            InvalidRequestError: there is none.
        """
        del client
        if "token" not in request.form:
            raise InvalidRequestError("Missing 'token' in request.")

    def query_token(self, token_string: str, token_type_hint: str | None) -> PresentedToken | None:
        """Return the token with its connection; None if there is none."""
        del token_type_hint
        found = self.server.exchange.connected(token_string)
        return None if found is None else PresentedToken(found, token_string)

    def revoke_token(self, token: PresentedToken, request: Request) -> None:
        """End the connection."""
        del request
        self.server.exchange.end(token.record)


Answer = tuple[int, dict[str, Any]]
"""Status and JSON body of an answer."""


class Protocol(AuthorizationServer):
    """Authlib's authorization server over the records of one request."""

    def __init__(
        self, issuer: Issuer, find_client: Callable[[str], Client | None], exchange: Exchange | None = None
    ) -> None:
        super().__init__()
        self.issuer = issuer
        self.exchange = exchange
        self._find_client = find_client
        self.register_grant(CodeGrant, [Challenge(), Resource(issuer)])
        self.register_grant(RefreshGrant)
        self.register_endpoint(Revocation)
        self.register_token_generator("default", _token_answer)

    def query_client(self, client_id: str) -> PublicClient | None:
        """Return the client with that id; None if there is none."""
        found = self._find_client(client_id)
        return None if found is None else PublicClient(found)

    def save_token(self, token: dict[str, Any], request: Request) -> None:
        """Do nothing: tokens are stored as they are made."""

    def create_oauth2_request(self, request: Request) -> Request:
        """Return the request, which is in Authlib's form already."""
        return request

    def handle_response(self, status: int, body: Any, headers: object) -> Answer:
        """Return the answer."""
        del headers
        return status, dict(body)

    def send_signal(self, name: str, *args: object, **kwargs: object) -> None:
        """Do nothing: nobody listens."""


def _token_answer(**given: Any) -> dict[str, Any]:
    """Return the answer with new tokens; Authlib calls them the user of the grant."""
    tokens: Tokens = given["user"]
    return {
        "access_token": tokens.access.text,
        "token_type": "Bearer",
        "expires_in": ACCESS_LIFETIME // SECOND,
        "refresh_token": tokens.refresh.text,
        "scope": " ".join(tokens.scopes),
    }
