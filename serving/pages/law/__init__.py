"""Pages of the law: a page for every provision, lists of what is held, sitemaps. No script is needed."""
