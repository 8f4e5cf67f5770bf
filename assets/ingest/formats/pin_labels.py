"""Labels of the parts of a section in a link, as a pin cite: `a`, `1` become `(a)(1)`."""

import re
from collections.abc import Iterable

_LABEL = re.compile(r"\(?([0-9a-z]{1,5}(?:-[0-9a-z]{1,3})?)\)?", re.IGNORECASE | re.ASCII)


def pin_of(parts: Iterable[str]) -> str:
    """Return parts as a pin cite; empty where one of them is no label."""
    labels = [_LABEL.fullmatch(part) for part in parts if part]
    return "".join(f"({label.group(1)})" for label in labels if label) if all(labels) else ""
