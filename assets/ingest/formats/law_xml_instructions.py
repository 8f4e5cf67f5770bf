"""Instructions to the codifiers in law-xml: elements of the `codify` schema that were left in a file.

A tool of the publisher carries them out and takes them away: one that is still there was not applied. They
are told by their tags in the bytes, so that a file need not be parsed again.
"""

import re
from collections.abc import Iterator

from assets.ingest.misreadings import Instruction
from assets.ingest.model import SourceFile

_PREFIX = re.compile(rb"xmlns:([A-Za-z][\w.-]*)\s*=\s*[\"'][^\"'<>]*/codify[\"']")


def instructions(file: SourceFile) -> Iterator[Instruction]:
    """Yield the instructions in a file, in document order. See `assets.ingest.misreadings.Instructions`."""
    content = file.content
    prefixes = {match.group(1) for match in _PREFIX.finditer(content)}
    if not any(b"<" + prefix + b":" in content for prefix in prefixes):
        return
    names = b"|".join(map(re.escape, sorted(prefixes)))
    tag = re.compile(rb"<(?:" + names + rb"):([A-Za-z][\w.-]*)")
    line, counted = 1, 0
    for start, end in _outside_comments(content):
        for match in tag.finditer(content, start, end):
            line += content.count(b"\n", counted, match.start())
            counted = match.start()
            yield Instruction(match.group(1).decode(), line)


def _outside_comments(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield [start, end) of what is no comment."""
    start = 0
    while (begin := content.find(b"<!--", start)) >= 0:
        yield start, begin
        end = content.find(b"-->", begin + 4)
        if end < 0:
            return
        start = end + 3
    yield start, len(content)
