"""Visitors: the cookies of the settings page, how they are read, set and taken away."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

import falcon.asgi

from serving.accounts import devices, sessions
from serving.metering.addresses import network_of
from serving.metering.clock import SECOND
from serving.pages import form_tokens

SESSION = "lr_session"
FORMS = "lr_form"
DEVICE = "lr_device"
"""What accounts know a browser by once it has signed in to them, the last one first."""
MAX_ACCOUNTS = 4
"""Accounts that know one browser; the cookie has no room for more."""
_BETWEEN = "."
PATH = "/"
"""Of the cookies: the settings and the page that opens orders share them."""
_LONGEST = 200
"""Characters of a cookie that are looked at: ours are shorter."""


@dataclass(frozen=True, slots=True, repr=False)
class Visitor:
    """What a browser's cookies say. All are secrets: no `repr` shows them."""

    session: str | None
    devices: Sequence[str]
    form_secret: str
    is_new: bool
    address: str

    @property
    def network(self) -> str:
        """The network that it comes from, as limits see it."""
        return network_of(self.address)

    @property
    def form_token(self) -> str:
        """The token for the visitor's forms."""
        return form_tokens.token_for(self.form_secret, self.session)

    def once_token(self, state: str) -> str:
        """The token for a form that may be used while something is in that state."""
        return form_tokens.token_for(self.form_secret, self.session, purpose=f"once {state}")

    def is_once_token(self, given: str, state: str) -> bool:
        """Whether the form was made while it was in that state."""
        return form_tokens.is_token(given, self.form_secret, self.session, purpose=f"once {state}")


def visitor_of(req: falcon.asgi.Request) -> Visitor:
    """Read the cookies of a request; a first visit gets a secret for its forms."""
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
    """Sets the cookies. `secure` ones travel over HTTPS alone."""

    secure: bool

    @classmethod
    def for_address(cls, public_url: str) -> "Cookies":
        """Give those for a service at that address: secure unless it is this machine."""
        return cls(secure=not _is_local(urlsplit(public_url).hostname or ""))

    def remember(self, resp: falcon.asgi.Response, visitor: Visitor) -> None:
        """Give a first visit the secret of its forms."""
        if visitor.is_new:
            self._set(resp, FORMS, visitor.form_secret)

    def start_session(self, resp: falcon.asgi.Response, token: str) -> None:
        """Sign the browser in."""
        self._set(resp, SESSION, token, seconds=sessions.LIFETIME // SECOND)

    def know_device(self, resp: falcon.asgi.Response, visitor: Visitor, token: str) -> None:
        """Let an account know the browser when it comes again."""
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


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
