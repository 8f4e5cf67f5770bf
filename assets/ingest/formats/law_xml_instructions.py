"""Instructions to the codifiers in law-xml: elements of the `codify` schema that were left in a file.

A tool of the publisher carries them out and takes them away: one that is still there was not applied. They
are told by their tags in the bytes, so that a file need not be parsed again.
"""

import re
from collections.abc import Iterator

from assets.ingest.misreadings import Instruction
from assets.ingest.model import SourceFile

_PREFIX = re.compile(rb"xmlns:([A-Za-z][\w.-]*)\s*=\s*[\"'][^\"'<>]*/codify[\"']")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_NOT_A_LINE = re.compile(rb"[^\n]+")


def instructions(file: SourceFile) -> Iterator[Instruction]:
    """Yield the instructions in a file, in document order. See `assets.ingest.misreadings.Instructions`."""
    prefixes = {match.group(1) for match in _PREFIX.finditer(file.content)}
    if not any(b"<" + prefix + b":" in file.content for prefix in prefixes):
        return
    content = _COMMENT.sub(lambda comment: _NOT_A_LINE.sub(b"", comment.group()), file.content)
    line, seen = 1, 0
    names = b"|".join(map(re.escape, sorted(prefixes)))
    for match in re.finditer(rb"<(?:" + names + rb"):([A-Za-z][\w.-]*)", content):
        line += content.count(b"\n", seen, match.start())
        seen = match.start()
        yield Instruction(match.group(1).decode(), line)
