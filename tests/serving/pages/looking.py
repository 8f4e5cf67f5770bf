"""How a page looks to who cannot see all of it: what can be measured, and what the keyboard reaches."""

from playwright.sync_api import BrowserContext, Page, expect

BUSY_SECONDS = 60
"""What a browser on a busy machine may take for anything; it waits no longer than it has to."""

FAULTS = """() => {
  const faults = [];
  if (document.documentElement.scrollWidth > window.innerWidth) faults.push("scrolls sideways");
  const channel = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (it) => {
    for (; it; it = it.parentElement) {
      const colour = parse(getComputedStyle(it).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const it = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !it.checkVisibility() || it.closest("svg, script")) continue;
    const [one, other] = [light(parse(getComputedStyle(it).color)), light(behind(it))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(2)}: ${walker.currentNode.data.trim()}`);
  }
  for (const it of document.querySelectorAll("input:not([type=hidden], [hidden]), select, textarea, button")) {
    const named = it.labels?.length || it.textContent.trim() || it.ariaLabel;
    if (!named) faults.push(`without a name: ${it.outerHTML}`);
  }
  for (const it of document.querySelectorAll("[hidden]"))
    if (it.checkVisibility()) faults.push(`hidden and seen: ${it.outerHTML}`);
  const ids = [...document.querySelectorAll("[id]")].map((it) => it.id);
  if (new Set(ids).size !== ids.length) faults.push("an id twice");
  for (const it of document.querySelectorAll("[aria-describedby], [aria-labelledby]")) {
    for (const id of `${it.getAttribute("aria-describedby") ?? ""} ${it.getAttribute("aria-labelledby") ?? ""}`.split(" "))
      if (id && !ids.includes(id)) faults.push(`refers to nothing: ${id}`);
  }
  if (document.querySelectorAll("h1").length !== 1) faults.push("not one h1");
  return faults;
}"""


def be_patient(context: BrowserContext) -> BrowserContext:
    """Have a browser, and what is expected of its pages, wait as long as a busy machine takes."""
    expect.set_options(timeout=BUSY_SECONDS * 1000)
    context.set_default_timeout(BUSY_SECONDS * 1000)
    return context


def faults(page: Page) -> list[str]:
    """What a page has wrong that can be measured: width, contrast (WCAG AA), names, references."""
    page.wait_for_load_state()  # a click returns when the page that it leads to has begun to come
    return [f"{page.url}: {fault}" for fault in page.evaluate(FAULTS)]


def press_until(page: Page, name: str, key: str = "Tab") -> None:
    """Go on by keyboard until what has the focus has that name, and is seen to have it."""
    for _ in range(60):
        page.keyboard.press(key)
        found = page.evaluate(
            "() => { const it = document.activeElement;"
            " return [it.getAttribute('aria-label') || it.labels?.[0]?.textContent || it.textContent,"
            " getComputedStyle(it).outlineStyle, it.getBoundingClientRect().width] }"
        )
        if (found[0] or "").strip() == name:
            assert found[1] == "solid", f"nothing shows that {name} has the focus"
            assert found[2] > 0
            return
    raise AssertionError(f"the keyboard does not reach {name}")
