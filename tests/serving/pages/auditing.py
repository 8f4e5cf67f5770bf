"""Audits of pages in Chromium: what axe finds in both schemes and at both widths, what moves, and whom they ask."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.serving.servers import CHECKOUT

SIZES: tuple[ViewportSize, ...] = ({"width": 1280, "height": 900}, {"width": 390, "height": 844})
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
STILL = 0.001
"""Layout shift that nobody sees, as Chromium scores it: parts of a pixel, which it rounds one way or the other."""
AXE = CHECKOUT / ".cache" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const found = await axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    // The size of targets is off unless it is named.
    rules: {"target-size": {enabled: true}},
    resultTypes: ["violations", "incomplete"],
  });
  const told = (rules, mark) => rules.map(({id, nodes}) =>
    [id + mark, nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`)]);
  return [...told(found.violations, ""), ...told(found.incomplete, "?")];
}"""
MOVED = """() => {
  const observer = new PerformanceObserver(() => {});
  observer.observe({type: "layout-shift", buffered: true});
  return observer.takeRecords().map(({value, sources}) =>
    [value, sources.map(({node}) => node?.outerHTML?.slice(0, 100))]);
}"""


@cache
def axe() -> str:
    """The script of axe; the test is skipped where it is not installed."""
    if not AXE.exists():
        pytest.skip("axe is not installed: `make conformance` does it, with npm")
    return AXE.read_text(encoding="utf-8")


class Auditor:
    """Looks at pages as both kinds of screens and both schemes show them, and keeps what is wrong with them.

    Args:
        page: a page of Chromium.
        home: address of the service that it looks at.
        known: rules whose findings were judged; a name that ends with `?` is of what axe leaves to judge.
        schemes: those to look at; one alone where a page keeps the scheme that it was first seen in.
    """

    def __init__(
        self, page: Page, home: str, *, known: Collection[str] = (), schemes: Sequence[Scheme] = SCHEMES
    ) -> None:
        self.page = page
        self.faults: list[str] = []
        self._home = home
        self._known = known
        self._schemes = schemes
        page.on("request", lambda request: self._note_request(request.url))

    def visit(self, *addresses: str) -> None:
        """Audit pages, each loaded at both widths."""
        for address in addresses:
            for size in SIZES:
                self._resize(size)
                self.page.goto(self._home + address)
                self._note_moves()
                self._audit()

    def load(self, *addresses: str) -> None:
        """Note what moves while pages come, at both widths."""
        for size in SIZES:
            self._resize(size)
            for address in addresses:
                self.page.goto(self._home + address)
                self._note_moves()

    def look(self) -> None:
        """Audit the page as it stands now, such as one that is shown once."""
        for size in SIZES:
            self._resize(size)
            self._audit()

    def _resize(self, size: ViewportSize) -> None:
        self.page.emulate_media(color_scheme=self._schemes[0])
        self.page.set_viewport_size(size)

    def _audit(self) -> None:
        # Given to the page as a debugger gives it: the page's policy lets no script of others in.
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(f"{axe()};0")
        for scheme in self._schemes:
            self.page.emulate_media(color_scheme=scheme)
            for rule, places in self.page.evaluate(RUN):
                if rule not in self._known:
                    self._note(f"{rule}, {scheme}: {places}")

    def _note_moves(self) -> None:
        moves = self.page.evaluate(MOVED)
        if sum(value for value, _ in moves) > STILL:
            self._note(f"moves: {moves}")

    def _note_request(self, url: str) -> None:
        if not url.startswith((self._home, "data:", "blob:")):
            self._note(f"asks {url}")

    def _note(self, fault: str) -> None:
        width = (self.page.viewport_size or SIZES[0])["width"]
        self.faults.append(f"{self.page.url} at {width} px: {fault}")
