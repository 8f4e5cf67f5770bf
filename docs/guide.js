// What the theme's markup lacks, mended when a page is shown.
document$.subscribe(() => {
  // A table that is wider than the screen scrolls in a frame that the theme makes: the keyboard reaches it, too.
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (frame.scrollWidth <= frame.clientWidth) continue;
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", "Table");
  }
  document.querySelector(".md-search[role=dialog]")?.setAttribute("aria-label", "Search");
});
// Each block of code gets its button later, in a landmark of its own, though it leads nowhere.
new MutationObserver(() => {
  for (const buttons of document.querySelectorAll("nav.md-code__nav:not([role])")) buttons.setAttribute("role", "none");
}).observe(document.body, { childList: true, subtree: true });
