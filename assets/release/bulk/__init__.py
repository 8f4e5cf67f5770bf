"""Files of whole code bodies for download: tables in two formats, and their data dictionary."""
