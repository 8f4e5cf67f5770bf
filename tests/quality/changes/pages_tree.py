"""The San Mateo Code as its site shows it: what the tables of contents lead to, by rules of this module alone."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from lxml import html

from tests.quality.changes.trees import Unit, container_name, state_of

_CODE = "us/ca/cities/san-mateo/code"
_DERIVED = "(self::h2 | self::h4 | preceding-sibling::*[self::h2 or self::h4][1])[.='Cross References']"
"""Lines of what refers to a provision, which the site finds out."""
_ENDINGS = ("/index.html", ".html")
_BRACKETS = re.compile(r"\s*\[([^\]]*)\]\s*$")
_CONTAINER = re.compile(r"(Title|Chapter|Article|Division|Part) (\w+(?:\.\d+)*)\.?\s*")


def read_pages(folder: Path) -> Iterator[Unit]:
    """Yield the sections and containers of the code below a folder."""
    found = ((base, _page_of(base)) for base in sorted(folder.rglob(_CODE)))
    base, page = next((base, page) for base, page in found if page is not None)
    yield from _below(page, base.parents[_CODE.count("/")], ())


def _page_of(address: Path) -> html.HtmlElement | None:
    """Return what a page says; None where the source does not have it."""
    for ending in _ENDINGS:
        path = Path(f"{address}{ending}")
        if path.is_file():
            return html.fromstring(path.read_bytes()).find(".//article/div")
    return None


def _below(content: html.HtmlElement, root: Path, place: Sequence[str]) -> Iterator[Unit]:
    """Yield what a table of contents leads to; a subheading holds the entries up to the next one."""
    held = tuple(place)
    for entry in content.xpath("./nav//a[@href] | ./nav//h2"):
        if entry.tag == "h2":
            name, heading = _named(_words(entry))
            yield Unit(container_name(place, name), "", heading, "", (), tuple(place))
            held = (*place, name)
        else:
            address = root / str(entry.get("href")).lstrip("/")
            page = _page_of(address)
            if page is not None:
                yield from _page(page, root, held)


def _page(content: html.HtmlElement, root: Path, place: tuple[str, ...]) -> Iterator[Unit]:
    (title,) = content.iterfind("h1")
    contents = content.find("nav")
    words = _words(title)
    remark = _BRACKETS.search(words)
    state = state_of(remark[1]) if remark else ""
    name, heading = _named(words[: remark.start()] if remark and state else words)
    notes = [words for line in content.xpath(f"./aside/*[not({_DERIVED})]") if (words := _words(line))]
    derived = [_words(line) for line in content.xpath(f"./aside/*[{_DERIVED}]")]
    lines = [_words(line) for line in content if line.tag not in ("h1", "nav", "aside", "hr")]
    if len(lines) == 1 and re.fullmatch(r"\[?\w+\]?\.?", lines[0]):
        state = state or state_of(lines[0])
    named = name if contents is None else container_name(place, name)
    yield Unit(named, state, heading, " ".join(lines), tuple(notes), place, tuple(derived))
    if contents is not None:
        yield from _below(content, root, (*place, name))


def _named(title: str) -> tuple[str, str]:
    """Return the name of what a title is of, and its heading."""
    match = _CONTAINER.match(title)
    if match is not None:
        return f"{match[1]} {match[2]}".lower(), title[match.end() :]
    number, _, heading = title.removeprefix("§").strip().partition(" ")
    return number, heading.strip()


def _words(element: html.HtmlElement) -> str:
    return " ".join("".join(map(str, element.itertext())).split())
