"""Rules for what the ids and citations of a code body are made of: nothing of it can be mended later."""

import re
from collections.abc import Sequence
from itertools import permutations
from string import Formatter

from assets.errors import RegistryError
from assets.registry.code_bodies import CodeBody

_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""Key of a code body: lower case, with hyphens."""

_ROOT = re.compile(r"(?:/[a-z0-9]+(?:-[a-z0-9]+)*)+")
"""Beginning of canonical identifiers: `/ca-san-mateo/code`, with neither capitals nor a slash at its end."""

_TEXTS = ("key", "name", "root", "citation", "short_name", "publisher", "license")
_FIELDS = {"num", "title"}
"""Fields of the template of a section's citation."""


def require_identity(body: CodeBody) -> None:
    """Refuse a code body whose key, root or template of citations could not stay as it is.

    Raises:
        RegistryError: one is empty, no text or not of its form; the message names code body and field.
    """
    for field in _TEXTS:
        value = getattr(body, field)
        if not isinstance(value, str) or not value.strip():
            raise RegistryError(f"Code body {body.key!r}: {field} {value!r} is no text.")
    if _KEY.fullmatch(body.key) is None:
        raise RegistryError(f"Code body {body.key!r}: a key is in lower case with hyphens, such as va-code.")
    if _ROOT.fullmatch(body.root) is None:
        raise RegistryError(
            f"Code body {body.key!r}: root {body.root!r} is not of the form /va/code, in lower case, with a "
            "slash before each part and none at the end."
        )
    try:
        fields = {field for _, field, *_ in Formatter().parse(body.citation) if field is not None}
    except ValueError as error:
        raise RegistryError(f"Code body {body.key!r}: citation {body.citation!r}: {error}.") from None
    unknown = sorted(fields - _FIELDS)
    if unknown:
        raise RegistryError(
            f"Code body {body.key!r}: citation has {{{unknown[0]}}}; a template knows {{title}} and {{num}}."
        )


def require_roots_apart(bodies: Sequence[CodeBody]) -> None:
    """Refuse code bodies of which provisions could have the same identifier, and so the same id.

    Raises:
        RegistryError: a root is that of another code body, or begins with it.
    """
    for one, other in permutations(bodies, 2):
        if f"{one.root}/".startswith(f"{other.root}/"):
            raise RegistryError(
                f"Code body {one.key}: root {one.root} lies in root {other.root} of {other.key}, so that two "
                "provisions could have one id."
            )
