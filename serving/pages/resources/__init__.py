"""Resources of the pages, one module for each thing that a visitor does."""
