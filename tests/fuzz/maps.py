"""The reader of maps: files of cities in every form, broken."""

import io
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from assets.zoning.build import build_layer
from assets.zoning.sources import pin_layer
from serving.contract.errors import LawError
from tests.assets.zoning.layers import layer, town, write
from tests.fuzz.inputs import mutated
from tests.fuzz.target import Check, Grounds, Target

NOW = datetime(2026, 11, 21, tzinfo=UTC)
PIECES = (
    *(
        b'"coordinates": [[[[',
        b"]]]]",
        b"1e308",
        b"-40.0",
        b"null",
        b"{}",
        b"[]",
        b'"type": "Polygon"',
        b'"crs": ',
    ),
    *(
        b'{"type":"link","properties":{"href":"http://127.0.0.1:9/"}}',
        b'"MultiPolygon"',
        b'"Point"',
        b"Infinity",
    ),
    *(b"<OGRVRTDataSource><OGRVRTLayer name='a'><SrcDataSource>/etc/passwd</SrcDataSource></OGRVRTLayer>",),
    *(
        b"/vsicurl/http://127.0.0.1:9/a.geojson",
        b"SQLite format 3\x00",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"[" * 500,
    ),
    *(b"PROJCS[", b"EPSG:3857", b"\x00\x00\x27\x0a", b"\x05\x00\x00\x00", b"\xff\xff\xff\x7f", b"\x00" * 40),
)


@cache
def samples() -> dict[str, bytes]:
    """A small town in each form, by the suffix of its file."""
    with TemporaryDirectory() as folder:
        made = {
            suffix: write(town(), Path(folder) / f"town{suffix}").read_bytes()
            for suffix in (".geojson", ".gpkg")
        }
        write(town(), Path(folder) / "town.shp")
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for part in (".shp", ".shx", ".dbf", ".prj"):
                # Stored, so that what is broken is the map and not its packing alone.
                archive.write(Path(folder) / f"town{part}", f"town{part}")
    return {**made, ".zip": packed.getvalue()}


def _inputs() -> st.SearchStrategy[bytes]:
    return st.sampled_from(sorted(samples())).flatmap(
        lambda suffix: mutated([samples()[suffix]], PIECES).map(lambda data: suffix.encode() + b"\n" + data)
    )


@contextmanager
def builder(grounds: Grounds) -> Iterator[Check]:
    """Pins and builds maps."""
    folder = grounds.folder / "maps"

    def check(data: bytes) -> None:
        suffix, _, content = data.partition(b"\n")
        form = suffix.decode("ascii", "replace")
        path = folder / f"town{form if form in samples() else '.geojson'}"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "zones").mkdir(parents=True)
        path.write_bytes(content)
        with suppress(LawError):
            pin_layer(path, layer(), folder / "pinned", retrieved_at=NOW)
            build_layer(folder / "pinned", layer(), folder / "zones", built_at=NOW)

    yield check


TARGETS = (
    Target(
        "maps",
        st.deferred(_inputs),
        opened=builder,
        examples=25,
    ),
)
