"""Builds of layers that are timed by the confined process that does them: what it took to start is left out."""

from datetime import datetime
from pathlib import Path
from time import process_time

from assets.confinement.worksheet import Worksheet
from assets.registry import Layer
from assets.zoning.build import build_layer


def timed_build(
    sheet: Worksheet, pinned: Path, layer: Layer, destination: Path, *, built_at: datetime
) -> float:
    """Build a layer and return the processor seconds that it took."""
    sheet.take_up(layer.short_code, 0)
    started = process_time()
    build_layer(pinned, layer, destination, built_at=built_at)
    return process_time() - started
