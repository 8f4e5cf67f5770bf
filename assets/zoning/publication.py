"""The zoning of a publication: the artefact of ready answers, the list of layers and their gaps."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from serving.contract.layers import LAYERS, LayerEntry
from serving.contract.layout import GIS

GAPS = "gaps.json"


@dataclass(frozen=True, slots=True)
class PublishedLayers:
    """The layers of a publication.

    Attributes:
        entries: by short code.
        gaps: by short code: what is known to be missing, in words.
    """

    entries: Mapping[str, LayerEntry]
    gaps: Mapping[str, Sequence[str]]

    @classmethod
    def load(cls, artefact: Path) -> "PublishedLayers":
        """Read the artefact of ready answers; it has no `gis` folder where there are no layers."""
        listed = artefact / GIS / LAYERS
        raw = json.loads(listed.read_bytes()) if listed.is_file() else []
        entries = [LayerEntry.from_json(entry) for entry in raw]
        gaps = json.loads((artefact / GAPS).read_bytes())
        return cls({entry.short_code: entry for entry in entries}, gaps)
