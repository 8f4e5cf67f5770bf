"""Law as Markdown that renders to exactly its characters: what Markdown would read as markup is escaped."""

import re

_INLINE = re.compile(r"[\\`*_~]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<=\])[(:]")
"""Emphasis, code, tags, entities and what makes a link of brackets: `[(5)](A)` is law, and no link."""
_LINE_START = re.compile(r"^( *)([#>+=-])", re.MULTILINE)
_NUMBERED = re.compile(r"^( *\d+)([.)])(?=\s|$)", re.MULTILINE)


def escape(text: str) -> str:
    """Return text in which nothing is markup, line by line as it was."""
    escaped = _INLINE.sub(r"\\\g<0>", text)
    return _NUMBERED.sub(r"\1\\\2", _LINE_START.sub(r"\1\\\2", escaped))
