"""One module for each thing that a visitor of the settings page does."""
