"""Pages that find law: the search with its results, and the first page with its search box."""
