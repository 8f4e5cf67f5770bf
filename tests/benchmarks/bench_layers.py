"""Measure the building of layers beside a bare GeoPandas read + dissolve + write of the same files.

Run: `python -m tests.benchmarks.bench_layers [--rounds N]`. It takes the shared maps where they are, else the
embedded sample. A layer's build reads, repairs, joins, rounds, simplifies and writes; the bare one reads, joins
and writes GeoJSON, after `make_valid`, without which GeoPandas raises on Chicago's polygons. `all` is what a
pipeline spends: the build in a confined process of its own, which also measures overlaps and gaps for the checks.
Prints processor seconds, the fastest of the rounds; exit status 1 if the ratio of build to bare over all maps is
above its bound.
"""

import argparse
import resource
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

import geopandas as gpd

from assets.confinement.room import Confinement
from assets.registry import Layer, load_registry
from assets.workspace import replacing
from assets.zoning.confined import MAP, build_confined
from assets.zoning.drivers import surroundings
from assets.zoning.sources import LayerSource, pin_layer
from tests.benchmarks.layer_builds import timed_build

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data"
BOUND = 2.0


@dataclass(frozen=True, slots=True)
class Map:
    """A map to build: which layer it is of, its archive, and the pattern that finds it there."""

    name: str
    short_code: str
    archive: Path
    file: str | None


MAPS = (
    Map("san mateo, zones", "ca-san-mateo", SHARED / "san-mateo.tar.xz", "sanmateocity_dissolved_*.zip"),
    Map("san mateo, parcels", "ca-san-mateo", SHARED / "san-mateo.tar.xz", "sanmateo_wgs84.zip"),
    Map("chicago, 2024", "il-chicago", SHARED / "chicago-zoning.tar.xz", "chicago-zoning-2024-*.geojson.gz"),
    Map("chicago, 2025", "il-chicago", SHARED / "chicago-zoning.tar.xz", "chicago-zoning-2025-*.geojson.gz"),
)
SAMPLE = Map("sample", "sample-city", ROOT / "datasets" / "sample" / "sample-city-zoning.geojson", None)


def main() -> int:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    registry = load_registry(ROOT / "datasets" / "registry")
    maps = [entry for entry in MAPS if entry.archive.is_file()] or [SAMPLE]
    print(f"{'map':<20}{'polygons':>10}{'zones':>8}{'bare s':>9}{'build s':>9}{'ratio':>8}{'all s':>8}")
    totals = [0.0, 0.0]
    for entry in maps:
        bare, built = _measure(entry, registry.layer(entry.short_code), rounds)
        totals = [totals[0] + bare, totals[1] + built]
    ratio = totals[1] / totals[0]
    verdict = "within" if ratio <= BOUND else "ABOVE"
    print(f"{'together':<38}{totals[0]:>9.2f}{totals[1]:>9.2f}{ratio:>8.2f}  {verdict} {BOUND:g}")
    return 0 if ratio <= BOUND else 1


def _measure(entry: Map, layer: Layer, rounds: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        now = datetime.now(UTC)
        source = _pinned(entry, layer, folder / "pinned", now)
        polygons = folder / "pinned" / source.polygons

        def bare() -> None:
            frame = gpd.read_file(polygons)
            frame.geometry = frame.geometry.make_valid()
            frame.dissolve(by=layer.zone_field).to_file(folder / "bare.geojson", driver="GeoJSON")

        def built() -> float:
            confinement = Confinement(MAP.of(source.weight), environment=surroundings(polygons))
            with replacing(folder / "built") as staging:
                return confinement.run(timed_build, folder / "pinned", layer, staging, built_at=now)

        def whole() -> None:
            with replacing(folder / "whole") as staging:
                report = build_confined(folder / "pinned", layer, staging, built_at=now)
            counts[:] = [int(report.repairs["polygons"]), report.zones]

        counts: list[int] = []
        seconds = min(_seconds(bare) for _ in range(rounds)), min(built() for _ in range(rounds))
        spent = min(_seconds(whole) for _ in range(rounds))
    ratio = seconds[1] / seconds[0]
    print(
        f"{entry.name:<20}{counts[0]:>10,}{counts[1]:>8,}{seconds[0]:>9.2f}{seconds[1]:>9.2f}{ratio:>8.2f}{spent:>8.2f}"
    )
    return seconds


def _pinned(entry: Map, layer: Layer, folder: Path, now: datetime) -> LayerSource:
    found = replace(layer, file=entry.file or layer.file)
    return pin_layer(entry.archive, found, folder, retrieved_at=now)


def _seconds(run: Callable[[], None]) -> float:
    started = _spent()
    run()
    return _spent() - started


def _spent() -> float:
    """Return the processor seconds of this process and of those that it started and that ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + ended.ru_utime + ended.ru_stime


if __name__ == "__main__":
    sys.exit(main())
