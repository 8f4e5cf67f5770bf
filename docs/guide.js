// A table that is wider than the screen scrolls in a frame that the theme makes: the keyboard reaches it, too.
document$.subscribe(() => {
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (frame.scrollWidth <= frame.clientWidth) continue;
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", "Table");
  }
});
