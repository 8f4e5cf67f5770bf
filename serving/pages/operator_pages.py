"""Pages of the operator's own text: terms, privacy, status and contact, each where its file is there.

The text is a small part of Markdown: headings, paragraphs, lists, links and bold words. All else, HTML
included, shows as it is written.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import falcon
import falcon.asgi
from markupsafe import Markup, escape

from serving.pages.headers import protect_page
from serving.pages.public import POLICY, render_public
from serving.pages.ready_files import ReadyFile
from serving.pages.rendering import Renderer
from serving.pages.static_files import ASK_AGAIN, StaticFiles
from serving.responses.bodies import send_stored
from serving.responses.documents import ready_to_send
from serving.settings.settings import SettingsError

NAMES = {"terms": "Terms", "privacy": "Privacy", "status": "Status", "contact": "Contact"}
"""The pages, by the name of their file without `.md`, with the words of the link to each."""
MOST_BYTES = 1 << 18
_HEADING = re.compile(r"(#{1,3})\s+(.+)")
_ITEM = re.compile(r"(?:([-*])|\d{1,3}\.)\s+(.+)")
_LISTS = {"ul": Markup("<ul>{}</ul>"), "ol": Markup("<ol>{}</ol>")}
_ELEMENTS = {
    "p": Markup("<p>{}</p>"),
    "h2": Markup("<h2>{}</h2>"),
    "h3": Markup("<h3>{}</h3>"),
    "li": Markup("<li>{}</li>"),
}
_INLINE = re.compile(r"\[([^\[\]]+)\]\(((?:https://|mailto:|/(?!/))[^\s()]*)\)|\*\*([^*]+)\*\*")


@dataclass(frozen=True, slots=True)
class OperatorText:
    """One text: where its page is, the words of the link to it, its title and what follows the title."""

    path: str
    link: str
    title: str
    body: Markup


def read_texts(folder: Path | None) -> tuple[OperatorText, ...]:
    """Return the texts that an operator has written; none where no folder is set.

    Raises:
        SettingsError: the folder is not there, or a text is too large or no UTF-8.
    """
    if folder is None:
        return ()
    if not folder.is_dir():
        raise SettingsError(f"LAW_OPERATOR_PAGES: there is no folder {folder}.")
    files = ((folder / f"{name}.md", name) for name in NAMES)
    return tuple(_text(path, name) for path, name in files if path.is_file())


def renderer_for(static: StaticFiles, texts: Sequence[OperatorText], public_url: str) -> Renderer:
    """Return the renderer of pages that link to an operator's texts."""
    return Renderer(static, public_url=public_url, links=[(text.path, text.link) for text in texts])


def markup(text: str) -> tuple[str | None, Markup]:
    """Return the title of a text, its first heading if that is of the first level, and the rest as HTML."""
    lines = [line.strip() for line in text.splitlines()]
    blocks = [list(block) for is_blank, block in groupby(lines, key=lambda line: not line) if not is_blank]
    title = None
    if blocks and (first := _HEADING.fullmatch(blocks[0][0])) and len(first[1]) == 1:
        title = first[2]
        blocks[0] = blocks[0][1:]
    return title, Markup("\n").join(html for block in blocks for html in _block(block))


def add_operator_pages(
    app: falcon.asgi.App[Any, Any], texts: Sequence[OperatorText], renderer: Renderer
) -> None:
    """Add a page for each text."""
    for text in texts:
        page = render_public(renderer, "operator_page.html", text)
        app.add_route(text.path, OperatorPageResource(ReadyFile(ready_to_send(page), falcon.MEDIA_HTML)))


class OperatorPageResource:
    """Serves one page, rendered when the server started."""

    def __init__(self, page: ReadyFile) -> None:
        self._page = page

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the page."""
        protect_page(resp, POLICY)
        send_stored(req, resp, self._page.body, cache=ASK_AGAIN, content_type=self._page.content_type)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


def _text(path: Path, name: str) -> OperatorText:
    try:
        content = path.read_bytes()
        if len(content) > MOST_BYTES:
            raise SettingsError(f"LAW_OPERATOR_PAGES: {path} has more than {MOST_BYTES:,} bytes.")
        title, body = markup(content.decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"LAW_OPERATOR_PAGES: {path} cannot be read as UTF-8.") from error
    return OperatorText(f"/{name}", NAMES[name], title or NAMES[name], body)


def _block(lines: Sequence[str]) -> Iterator[Markup]:
    """Yield the HTML of a block of lines: headings end a paragraph, and so do items of a list."""
    for kind, group in groupby(_joined(lines), key=lambda part: part[0]):
        parts = [_inline(words) for _, words in group]
        if kind in _LISTS:
            yield _LISTS[kind].format(Markup("").join(_ELEMENTS["li"].format(part) for part in parts))
        else:
            yield from (_ELEMENTS[kind].format(part) for part in parts)


def _joined(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the elements of a block with their words, each joined from the lines that go on with it."""
    kind, words = "p", ""
    for line in lines:
        heading, item = _HEADING.fullmatch(line), _ITEM.fullmatch(line)
        if heading is None and item is None:
            if kind in ("h2", "h3"):
                yield kind, words
                kind, words = "p", ""
            words = f"{words} {line}".strip()
            continue
        if words:
            yield kind, words
        if heading is not None:
            kind, words = "h3" if len(heading[1]) == 3 else "h2", heading[2]
        elif item is not None:
            kind, words = "ul" if item[1] else "ol", item[2]
    if words:
        yield kind, words


def _inline(words: str) -> Markup:
    parts, end = [], 0
    for found in _INLINE.finditer(words):
        parts.append(escape(words[end : found.start()]))
        label, address, bold = found.groups()
        if bold is None:
            parts.append(Markup('<a href="{}">{}</a>').format(address, label))
        else:
            parts.append(Markup("<strong>{}</strong>").format(bold))
        end = found.end()
    return Markup("").join([*parts, escape(words[end:])])
