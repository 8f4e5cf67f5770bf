"""Visitors of the settings page, and the cookies by which they are known."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

import falcon.asgi

from serving.accounts import devices, sessions
from serving.contract.loopback import is_loopback
from serving.metering.addresses import network_of
from serving.metering.clock import SECOND
from serving.pages import form_tokens

SESSION = "lr_session"
FORMS = "lr_form"
DEVICE = "lr_device"
"""Cookie with the tokens by which accounts know a browser that has signed in to them, the last one first."""
MAX_ACCOUNTS = 4
"""Most accounts that know one browser; the cookie has no room for more."""
_BETWEEN = "."
PATH = "/"
"""Path of the cookies: the settings share them with the page that opens orders."""
_LONGEST = 200
"""Characters of a cookie that are examined: ours are shorter."""


@dataclass(frozen=True, slots=True, repr=False)
class Visitor:
    """The visitor's cookies. All are secrets and stay out of `repr`."""

    session: str | None
    devices: Sequence[str]
    form_secret: str
    is_new: bool
    address: str

    @property
    def network(self) -> str:
        """Network of the visitor, in the form of limits."""
        return network_of(self.address)

    @property
    def form_token(self) -> str:
        """Token for the visitor's forms."""
        return form_tokens.token_for(self.form_secret, self.session)

    def once_token(self, state: str) -> str:
        """Return the token for a form that may be used only while something is in that state."""
        return form_tokens.token_for(self.form_secret, self.session, purpose=f"once {state}")

    def is_once_token(self, given: str, state: str) -> bool:
        """Return whether the form was made while it was in that state."""
        return form_tokens.is_token(given, self.form_secret, self.session, purpose=f"once {state}")


def visitor_of(req: falcon.asgi.Request) -> Visitor:
    """Return the visitor with the cookies of a request; a first visit gets a secret for its forms."""
    form_secret = _cookie(req, FORMS)
    return Visitor(
        session=_cookie(req, SESSION),
        devices=tuple(filter(None, (_cookie(req, DEVICE) or "").split(_BETWEEN)))[:MAX_ACCOUNTS],
        form_secret=form_secret or form_tokens.new_secret(),
        is_new=form_secret is None,
        address=req.remote_addr,
    )


@dataclass(frozen=True, slots=True)
class Cookies:
    """Sets the cookies. `secure` ones are sent over HTTPS only."""

    secure: bool

    @classmethod
    def for_address(cls, public_url: str) -> "Cookies":
        """Return the cookies of a service at that address: secure unless it is this machine."""
        return cls(secure=not is_loopback(urlsplit(public_url).hostname or ""))

    def remember(self, resp: falcon.asgi.Response, visitor: Visitor) -> None:
        """Set the secret for forms on a first visit."""
        if visitor.is_new:
            self._set(resp, FORMS, visitor.form_secret)

    def start_session(self, resp: falcon.asgi.Response, token: str) -> None:
        """Sign the browser in."""
        self._set(resp, SESSION, token, seconds=sessions.LIFETIME // SECOND)

    def know_device(self, resp: falcon.asgi.Response, visitor: Visitor, token: str) -> None:
        """Set the token by which an account will know the browser again."""
        others = [other for other in visitor.devices if other != token]
        value = _BETWEEN.join([token, *others][:MAX_ACCOUNTS])
        self._set(resp, DEVICE, value, seconds=devices.LIFETIME // SECOND)

    def end_session(self, resp: falcon.asgi.Response) -> None:
        """Sign the browser out."""
        self._set(resp, SESSION, "", expires=datetime.fromtimestamp(0, UTC))

    def _set(
        self,
        resp: falcon.asgi.Response,
        name: str,
        value: str,
        *,
        seconds: int | None = None,
        expires: datetime | None = None,
    ) -> None:
        resp.set_cookie(
            name,
            value,
            max_age=seconds,
            expires=expires,
            path=PATH,
            secure=self.secure,
            http_only=True,
            same_site="Lax",
        )


def _cookie(req: falcon.asgi.Request, name: str) -> str | None:
    value = (req.get_cookie_values(name) or [""])[0]
    return value if 0 < len(value) <= _LONGEST and value.isascii() else None
