"""The authorization server as doors use it: requests for consent, tokens, registrations. All calls block."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from authlib.oauth2.rfc6749 import OAuth2Error, UnsupportedResponseTypeError

from serving.accounts.authorizations.authorizations import Authorizations
from serving.accounts.authorizations.codes import Consent
from serving.accounts.authorizations.registered_clients import Client
from serving.authorization.grants import REVOCATION, Answer, Protocol, Request
from serving.authorization.issuer import AUTHORIZE, REVOKE, TOKEN, Issuer
from serving.authorization.parameters import read_parameters
from serving.authorization.redirect_uris import with_answer
from serving.authorization.registration import ClientMetadata, InvalidMetadataError, registered
from serving.contract.errors import LawError, RateLimitedError, TooManyAttemptsError

Pairs = Iterable[tuple[str, str]]


class RequestRefusedError(LawError):
    """A request for consent that no account holder is asked about.

    Attributes:
        client: the client that made it; None if it is unknown.
        return_to: the client's address with the error, for a link; None where it has not proved to be the
            client's. Browsers are not sent there by themselves: anybody may register any address.
    """

    code = "authorization_refused"

    def __init__(self, message: str, *, client: Client | None = None, return_to: str | None = None) -> None:
        super().__init__(message)
        self.client = client
        self.return_to = return_to


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """A client's request for the consent of an account holder, checked.

    Attributes:
        scopes: scopes that it asks for.
        state: text that goes back to the client with the answer.
    """

    client: Client
    redirect_uri: str
    resource: str
    scopes: tuple[str, ...]
    challenge: str
    state: str | None


class AuthorizationServer:
    """Answers clients, over the accounts.

    Attributes:
        issuer: the addresses under which it is reached.
        authorizations: its records.
    """

    def __init__(self, issuer: Issuer, authorizations: Authorizations) -> None:
        self.issuer = issuer
        self.authorizations = authorizations

    def consider(self, pairs: Pairs) -> ConsentRequest:
        """Check a request for consent.

        Raises:
            RequestRefusedError: it is not as the protocol has it.
        """
        parameters: dict[str, str] = {}
        protocol = Protocol(self.issuer, self.authorizations.find_client)
        try:
            parameters = read_parameters(pairs)
            request = Request("GET", self.issuer.address + AUTHORIZE, parameters)
            grant = protocol.get_consent_grant(request)
        except OAuth2Error as error:
            raise self._refusal(parameters, error) from error
        resource = self.issuer.resource_of(parameters.get("resource"))
        return ConsentRequest(
            client=grant.client.record,
            redirect_uri=grant.redirect_uri,
            resource=resource or self.issuer.resources[0],
            scopes=tuple(request.scope.split()),
            challenge=parameters["code_challenge"],
            state=parameters.get("state"),
        )

    def allow(self, asked: ConsentRequest, *, account_id: int, scopes: tuple[str, ...]) -> str:
        """Let a client have some of the scopes that it asks for; return where to send the browser.

        Raises:
            ValidationError: the account has as many live keys as it may.
        """
        code = self.authorizations.allow(
            Consent(
                account_id=account_id,
                client_id=asked.client.client_id,
                redirect_uri=asked.redirect_uri,
                resource=asked.resource,
                scopes=scopes,
                challenge=asked.challenge,
            )
        )
        return self._answer(asked.redirect_uri, {"code": code.text}, asked.state)

    def deny(self, asked: ConsentRequest) -> str:
        """Return where to send the browser of an account holder who refuses."""
        return self._answer(asked.redirect_uri, {"error": "access_denied"}, asked.state)

    def exchange(self, pairs: Pairs) -> Answer:
        """Answer a request to the token endpoint."""
        try:
            request = Request("POST", self.issuer.address + TOKEN, read_parameters(pairs))
        except OAuth2Error as error:
            return _refused(error)
        with self.authorizations.exchanging() as exchange:
            answer: Answer = Protocol(self.issuer, exchange.client, exchange).create_token_response(request)
        return answer

    def revoke(self, pairs: Pairs) -> Answer:
        """Answer a request to the revocation endpoint."""
        try:
            request = Request("POST", self.issuer.address + REVOKE, read_parameters(pairs))
        except OAuth2Error as error:
            return _refused(error)
        with self.authorizations.exchanging() as exchange:
            protocol = Protocol(self.issuer, exchange.client, exchange)
            answer: Answer = protocol.create_endpoint_response(REVOCATION, request)
        return answer

    def register(self, body: bytes, *, address: str) -> Answer:
        """Answer a request to the registration endpoint, which came from that network address.

        Raises:
            RateLimitedError: too many clients registered from there.
        """
        try:
            metadata = ClientMetadata.parse(body)
            client = self.authorizations.register(
                name=metadata.name, redirect_uris=metadata.redirect_uris, address=address
            )
        except InvalidMetadataError as error:
            return 400, {"error": error.error, "error_description": error.message}
        except TooManyAttemptsError as error:
            raise RateLimitedError(
                "Too many clients registered from this network.",
                retry_after_seconds=error.retry_after_seconds,
            ) from error
        return 201, registered(client)

    def _answer(self, redirect_uri: str, parameters: dict[str, str], state: str | None) -> str:
        told = parameters if state is None else {**parameters, "state": state}
        return with_answer(redirect_uri, {**told, "iss": self.issuer.address})

    def _refusal(self, parameters: dict[str, str], error: OAuth2Error) -> RequestRefusedError:
        client = self.authorizations.find_client(parameters.get("client_id", ""))
        said = error.get_error_description() or error.error
        if isinstance(error, UnsupportedResponseTypeError):
            said = "This server answers with codes alone: response_type=code."
        return_to = None
        if error.redirect_uri:
            told = {"error": error.error, "error_description": said}
            return_to = self._answer(error.redirect_uri, told, parameters.get("state"))
        return RequestRefusedError(said, client=client, return_to=return_to)


def _refused(error: OAuth2Error) -> Answer:
    status, body, _ = error()
    found: dict[str, Any] = body
    return status, found
