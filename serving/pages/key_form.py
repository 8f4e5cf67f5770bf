"""The form for a new key: its values as submitted, and as the address of its page has them."""

from dataclasses import dataclass
from urllib.parse import urlencode

import falcon.asgi

from serving.accounts.accounts import MAX_KEY_NAME
from serving.metering.keys import SCOPES
from serving.pages.forms import Form
from serving.pages.site import HOME

_LONGEST = 20
"""Characters of a day or a scope that are kept: those that are accepted are shorter."""


@dataclass(frozen=True, slots=True)
class KeyForm:
    """Values of the form for a new key: the defaults, or those that were typed."""

    name: str = ""
    scopes: tuple[str, ...] = SCOPES
    expires: str = ""

    @classmethod
    def submitted(cls, form: Form) -> "KeyForm":
        """Return the values of a submitted form."""
        return cls(form.one("name").strip(), form.many("scopes"), form.one("expires"))

    @classmethod
    def in_address(cls, req: falcon.asgi.Request) -> "KeyForm":
        """Return the values in the address of the page; the defaults if it has none."""
        name, scopes = req.get_param("name"), req.get_param_as_list("scopes")
        if name is None or scopes is None:
            return cls()
        expires = req.get_param("expires") or ""
        return cls(name[:MAX_KEY_NAME], tuple(scopes), expires[:_LONGEST])

    @property
    def address(self) -> str:
        """Address of the page with the form as it was typed."""
        fields = [("name", self.name[:MAX_KEY_NAME]), ("expires", self.expires[:_LONGEST])]
        # An address without scopes would be one in which none was chosen yet.
        fields += [("scopes", scope) for scope in ("", *self.scopes) if scope in ("", *SCOPES)]
        return f"{HOME}?{urlencode(fields)}#keys"
