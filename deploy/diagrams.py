"""Draw the diagrams of `docs/` (`python -m deploy.diagrams MERMAID_JS`), and show the drawings in the guide.

A diagram stands in its page as Mermaid source, which a code host draws. The guide loads no script of three
megabytes for it: it shows a drawing that was made once, and is kept under the digest of its source.
"""

import base64
import hashlib
import html
import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
DRAWINGS = DOCS / "images" / "diagrams"
_SOURCE = re.compile(r"^```mermaid\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
_DRAW = """async source => {
    const flowchart = {htmlLabels: false};
    mermaid.initialize({startOnLoad: false, theme: "neutral", htmlLabels: false, flowchart});
    return (await mermaid.render("diagram", source)).svg;
}"""


class MissingDrawingError(Exception):
    """A diagram was changed and not drawn again."""


def drawing_of(source: str) -> Path:
    """Return where the drawing of a diagram is kept."""
    return DRAWINGS / f"{hashlib.sha256(source.strip().encode()).hexdigest()[:16]}.svg"


def sources() -> dict[Path, str]:
    """Return the diagrams of all pages, by the drawing of each."""
    pages = [page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md"))]
    return {drawing_of(source): source for page in pages for source in _SOURCE.findall(page)}


def show(source: str, language: str, css_class: str, options: Any, md: Any, **more: Any) -> str:  # noqa: ARG001 - the shape of a fence of pymdownx
    """Return the HTML that shows a diagram, for mkdocs.

    Raises:
        MissingDrawingError: it is not drawn.
    """
    drawing = drawing_of(source)
    if not drawing.is_file():
        raise MissingDrawingError(f"{drawing.name} is missing: draw it with `python -m deploy.diagrams`")
    content = base64.b64encode(drawing.read_bytes()).decode("ascii")
    return (
        f'<p class="{css_class}"><img alt="{html.escape(source)}" style="background: #fff; padding: .5rem"'
        f' src="data:image/svg+xml;base64,{content}"></p>'
    )


def draw(script: Path) -> list[Path]:
    """Draw what is not drawn yet, with the script of Mermaid in Chromium, and drop what no page has."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - to show a diagram needs no browser

    wanted = sources()
    for drawing in set(DRAWINGS.glob("*.svg")) - set(wanted):
        drawing.unlink()
    missing = {drawing: source for drawing, source in wanted.items() if not drawing.is_file()}
    DRAWINGS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        page.add_script_tag(path=script)
        for drawing, source in missing.items():
            drawing.write_text(page.evaluate(_DRAW, source) + "\n", encoding="utf-8")
        browser.close()
    return sorted(missing)


if __name__ == "__main__":
    for drawn in draw(Path(sys.argv[1])):
        sys.stdout.write(f"{drawn}\n")
