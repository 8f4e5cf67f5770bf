"""Files of a USLM source by the title that they hold, or hold sections of."""

import re
from collections import defaultdict

from assets.ingest.formats import uslm_names as names
from assets.ingest.formats.uslm_names import Title
from assets.ingest.model import SourceFile, SourceFiles

_HEAD_BYTES = 4096
_HEAD_TITLE = re.compile(rb'identifier="[^"]*?/t(\d+[a-zA-Z]?)(?=["/ ])')
_TITLE_FOLDER = re.compile(r"(?:usc|title|t)?[-_ ]*(\d+[a-zA-Z]?)", re.IGNORECASE)


def files_by_title(files: SourceFiles) -> dict[Title, list[str]]:
    """Group the XML files by the title that they name in their first bytes, else in their path."""
    titles: dict[Title, list[str]] = defaultdict(list)
    for file in files:
        if file.path.lower().endswith(".xml"):
            titles[_title_of(file)].append(file.path)
    return titles


def _title_of(file: SourceFile) -> Title:
    match = _HEAD_TITLE.search(file.content[:_HEAD_BYTES])
    found = Title.parse(match.group(1).decode()) if match else None
    if found is None:
        folder, _, name = file.path.rpartition("/")
        of_folder = _TITLE_FOLDER.fullmatch(folder.rpartition("/")[2])
        found = Title.parse(of_folder.group(1) if of_folder else name.rpartition(".")[0])
    return found or Title(names.NO_TITLE)
