"""Markdown for text of the law: characters that Markdown would read as markup are escaped."""

import re

_INLINE = re.compile(r"[\\`*_~]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<=\])[(:]")
"""Characters to escape: emphasis, code, tags, entities, and brackets that would be a link: `[(5)](A)` is
law."""
_LINE_START = re.compile(r"^( *)([#>+=-])", re.MULTILINE)
_NUMBERED = re.compile(r"^( *\d+)([.)])(?=\s|$)", re.MULTILINE)


def escape(text: str) -> str:
    """Return text in which nothing is markup, with its lines unchanged."""
    escaped = _INLINE.sub(r"\\\g<0>", text)
    return _NUMBERED.sub(r"\1\\\2", _LINE_START.sub(r"\1\\\2", escaped))
