"""Byte ranges of elements in their file, which provenance points at.

lxml keeps line numbers but no offsets, so the tags are found in the bytes again. In well-formed XML a `<`
outside comments, CDATA sections and processing instructions always begins a tag.
"""

import codecs
import re
from functools import lru_cache

from assets.errors import MalformedFileError
from assets.ingest.model import SourceFile

_NOT_ASCII = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


@lru_cache(maxsize=16)
def _tags(names: frozenset[str]) -> re.Pattern[bytes]:
    words = b"|".join(sorted((re.escape(name.encode()) for name in names), reverse=True))
    return re.compile(
        rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
        rb"|</(?:[\w.-]+:)?(?:" + words + rb")\s*>"
        rb"|<(?:[\w.-]+:)?(?:" + words + rb")(?=[\s/>])(?:[^>\"']|\"[^\"]*\"|'[^']*')*>",
        re.DOTALL,
    )


def element_ranges(file: SourceFile, names: frozenset[str]) -> list[tuple[int, int]]:
    """Return [start, end) of every element with one of these local names, in document order of start tags.

    Args:
        file: a well-formed file in an encoding whose markup is ASCII, as UTF-8 is.
        names: local names, whatever their prefix.

    Raises:
        MalformedFileError: the file is in UTF-16 or UTF-32.
    """
    content = file.content
    if content.startswith(_NOT_ASCII):
        raise MalformedFileError(
            file.path, "is not in UTF-8 or another encoding with ASCII markup", line=1, column=1
        )
    ranges: list[tuple[int, int]] = []
    open_elements: list[int] = []
    for match in _tags(names).finditer(content):
        tag = match.group()
        second = tag[1:2]
        if second in b"!?":
            continue
        if second == b"/":
            position = open_elements.pop()
            ranges[position] = (ranges[position][0], match.end())
        else:
            ranges.append(match.span())
            if not tag.endswith(b"/>"):
                open_elements.append(len(ranges) - 1)
    return ranges
