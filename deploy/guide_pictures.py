"""Give the pictures of the guide their sizes, so that a page does not move when they come."""

import re
import struct
from pathlib import Path
from posixpath import dirname, join, normpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

_PICTURE = re.compile(r'<img (?=[^>]*src="([^":]+\.png)")')
_SIZE = slice(16, 24)
"""Bytes of a PNG file that hold its width and height."""


def on_page_content(html: str, page: Page, config: MkDocsConfig, **_others: object) -> str:
    """Return a page with the width and height of its own pictures."""

    def with_size(found: re.Match[str]) -> str:
        path = Path(config.docs_dir, normpath(join(dirname(page.url), found[1])))
        width, height = struct.unpack(">II", path.read_bytes()[_SIZE])
        return f'<img width="{width}" height="{height}" '

    return _PICTURE.sub(with_size, html)
