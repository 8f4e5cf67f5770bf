"""Pin the files of a layer: the polygons, and what its entry names beside them, byte for byte with hashes."""

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from assets.connectors.records import Downloaded
from assets.connectors.release import Fetched
from assets.errors import MalformedFileError, SourceError
from assets.ingest.archives import open_source
from assets.ingest.bounds import Limits, is_hidden
from assets.ingest.pinned import FileEntry, files_sha256
from assets.ingest.zip_members import DAMAGE, zip_members
from assets.registry import Layer
from assets.workspace import replacing
from assets.zoning.shapefile import SIBLINGS

_SOURCE = "source.json"
_LIMITS = Limits(member_bytes=2 * 1024**3, ratio=100)
_FORMS = (".geojson", ".json", ".gpkg", ".shp", ".geojson.gz", ".gpkg.gz", ".zip")
_MOST_UNPACKED = 15
"""Bytes of a map to each byte that it came in, beyond which it may not cost more."""

_FOLDERS_ABOVE = 3
"""Folders above a file given alone in which its companions are looked for, as in an unpacked archive."""

Member = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class LayerSource:
    """Contents of `source.json`; paths are relative to its folder.

    Attributes:
        origin: name of the folder, archive or file, without where it lay.
        file: path of the polygons within the origin.
        polygons: path of what GDAL opens.
        compare: path of the file to compare with; None: the origin has none.
        sections: path of the table of official sections; None: the origin has none.
        date: ISO date of the map.
        retrieved_at: RFC 3339 in UTC: when exactly these bytes were first retrieved.
        sha256: over all files.
        given: bytes of the file or archive that was given, or of the files taken from a folder.
        release: the publisher's release that was fetched, as the publisher names it; None: a path was given.
        release_date: ISO date of that release; None: the publisher does not say it.
        fetched: the files of that release, as they were downloaded.
    """

    origin: str
    file: str
    polygons: str
    compare: str | None
    sections: str | None
    date: str
    retrieved_at: str
    sha256: str
    bytes: int
    given: int = 0
    release: str | None = None
    release_date: str | None = None
    fetched: tuple[Downloaded, ...] = ()

    @property
    def weight(self) -> int:
        """The bytes by which it is judged what the layer may cost: a small archive is a small map."""
        return min(self.bytes, _MOST_UNPACKED * self.given) if self.given else self.bytes

    @classmethod
    def load(cls, folder: Path) -> "LayerSource":
        """Read `source.json`.

        Raises:
            SourceError: it is missing or damaged.
        """
        path = folder / _SOURCE
        try:
            raw = json.loads(path.read_bytes())
            return cls(**{**raw, "fetched": tuple(map(Downloaded.from_dict, raw.get("fetched", ())))})
        except FileNotFoundError:
            raise SourceError(f"{path} is missing: no layer has been pinned there.") from None
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise SourceError(f"{path} is damaged ({error}); pin the layer again.") from error


def layer_origin(given: str | None, layer: Layer, *, datasets: Path, pinned: Path) -> Path | None:
    """Return what to pin; None where what is pinned already is to be kept.

    Raises:
        SourceError: nothing was given, the registry packages no source and none is pinned.
    """
    if given:
        return Path(given).expanduser()
    if layer.source is not None:
        return datasets / layer.source
    if (pinned / _SOURCE).is_file():
        return None
    where = f" It is published at {layer.source_url}." if layer.source_url else ""
    raise SourceError(
        f"The layer {layer.short_code} is not packaged with this project: name its file, folder or archive, "
        f"as in `lawbuild {layer.short_code}=PATH`.{where}"
    )


def pin_layer(
    origin: Path,
    layer: Layer,
    destination: Path,
    *,
    retrieved_at: datetime,
    fetched: Fetched | None = None,
) -> LayerSource:
    """Copy what the layer is built from into the folder `destination`, with `source.json`.

    Args:
        origin: file of polygons (GeoJSON, shapefile with its siblings or zipped, GeoPackage; gzipped too), or
            a folder or archive in which the entry's patterns find it; it is not trusted.
        layer: whose files they are.
        destination: replaced as a whole, once everything is read.
        retrieved_at: with its time zone.
        fetched: the release that the origin is, where it was fetched from its publisher.

    Raises:
        SourceError: there is no such file, several fit, or the origin cannot be used; the message says which.
        MalformedFileError: a packed file is damaged.
    """
    members = dict(_members(origin, layer))
    file = _polygons(origin, layer, list(members))
    day = layer.date_of(PurePosixPath(file).name)
    if day is None:
        raise SourceError(f"{origin.name}: the name {file} holds no date, and the entry gives none.")
    compare = _companion(layer.compare.file if layer.compare else None, members)
    sections = _companion(layer.sections.file if layer.sections else None, members)
    before = _before(destination)
    with replacing(destination) as staging:
        polygons = _unpack(file, members, staging / "polygons")
        compared = _unpack(compare, members, staging / "compare") if compare else None
        table = _unpack(sections, members, staging / "sections") if sections else None
        entries = _entries(staging)
        sha256 = files_sha256(entries)
        now = retrieved_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        source = LayerSource(
            origin=origin.resolve().name,
            file=file,
            polygons=_relative(polygons, staging),
            compare=None if compared is None else _relative(compared, staging),
            sections=None if table is None else _relative(table, staging),
            date=day,
            retrieved_at=before.retrieved_at if before is not None and before.sha256 == sha256 else now,
            sha256=sha256,
            bytes=sum(entry.bytes for entry in entries),
            given=sum(map(len, members.values())) if origin.is_dir() else origin.stat().st_size,
            release=None if fetched is None else fetched.release.name,
            release_date=None if fetched is None else fetched.release.date,
            fetched=() if fetched is None else fetched.files,
        )
        text = json.dumps(asdict(source), indent=1, ensure_ascii=False) + "\n"
        (staging / _SOURCE).write_text(text, encoding="utf-8")
    return source


def verify_layer(pinned: Path) -> LayerSource:
    """Hash the files of a pinned layer again and return its description.

    Raises:
        SourceError: they are not those that were pinned.
    """
    source = LayerSource.load(pinned)
    entries = [entry for entry in _entries(pinned) if entry.path != _SOURCE]
    if files_sha256(entries) != source.sha256:
        raise SourceError(f"{pinned}: the pinned files have changed; pin the layer again.")
    return source


def _before(destination: Path) -> LayerSource | None:
    try:
        return LayerSource.load(destination)
    except SourceError:
        return None


def _members(origin: Path, layer: Layer) -> Iterator[Member]:
    """Yield the files of the origin that may matter: those of a known form and those the entry names."""
    if not origin.exists():
        raise SourceError(f"{origin} does not exist. Give a file ({', '.join(_FORMS)}), folder or archive.")
    if origin.is_file() and _is_alone(origin):
        yield from _alone(origin, layer)
        return
    wanted = [part.file for part in (layer.compare, layer.sections) if part is not None]
    for path, content in open_source(origin, _LIMITS).members:
        if _has_form(path) or path.lower().endswith(SIBLINGS) or any(_fits(path, name) for name in wanted):
            yield path, content


def _is_alone(origin: Path) -> bool:
    """Tell whether a file is the polygons themselves, not an archive to look into."""
    if not origin.name.lower().endswith(".zip"):
        return _has_form(origin.name)
    try:
        with zipfile.ZipFile(origin) as archive:
            return _datasets(archive.namelist()) == 1
    except DAMAGE as error:
        raise MalformedFileError(origin.name, f"is no zip archive that can be read ({error})") from error


def _datasets(names: Sequence[str]) -> int:
    return sum(
        _has_form(name) and not name.lower().endswith(".zip") and not is_hidden(name) for name in names
    )


def _alone(origin: Path, layer: Layer) -> Iterator[Member]:
    yield origin.name, origin.read_bytes()
    if origin.suffix.lower() == ".shp":
        for sibling in sorted(origin.parent.iterdir()):
            if sibling != origin and sibling.stem == origin.stem and sibling.suffix.lower() in SIBLINGS:
                yield sibling.name, _own_bytes(sibling)
    for part in (layer.compare, layer.sections):
        beside = None if part is None else _beside(origin, part.file)
        if beside is not None:
            yield beside


def _beside(origin: Path, pattern: str) -> Member | None:
    for folder in list(origin.resolve().parents)[:_FOLDERS_ABOVE]:
        found = sorted(path for path in folder.glob(pattern) if path.is_file())
        if found:
            return found[-1].relative_to(folder).as_posix(), _own_bytes(found[-1])
    return None


def _own_bytes(path: Path) -> bytes:
    """Return the bytes of a file that nobody named: not of what a link leads to."""
    if path.is_symlink():
        raise SourceError(f"{path.name} is a link, which is not followed; put the file itself there.")
    return path.read_bytes()


def _has_form(path: str) -> bool:
    return path.lower().endswith(_FORMS)


def _fits(path: str, pattern: str) -> bool:
    return PurePosixPath(path).match(pattern)


def _polygons(origin: Path, layer: Layer, paths: Sequence[str]) -> str:
    """Return the path of the polygons: the newest where the names hold dates."""
    if origin.is_file() and _is_alone(origin):
        return origin.name
    found = [path for path in paths if _has_form(path) and (layer.file is None or _fits(path, layer.file))]
    if not found:
        what = f"nothing that fits {layer.file!r}" if layer.file else f"no file of the forms {_FORMS}"
        raise SourceError(f"{origin.name} holds {what}.")
    newest = max(layer.date_of(PurePosixPath(path).name) or "" for path in found)
    found = [path for path in found if (layer.date_of(PurePosixPath(path).name) or "") == newest]
    if len(found) > 1:
        listed = ", ".join(sorted(found)[:5])
        raise SourceError(
            f"{origin.name} holds {len(found)} files that may be the polygons: {listed}. Give one."
        )
    return found[0]


def _companion(pattern: str | None, members: dict[str, bytes]) -> str | None:
    if pattern is None:
        return None
    found = sorted(path for path in members if _fits(path, pattern))
    return found[-1] if found else None


def _unpack(path: str, members: dict[str, bytes], folder: Path) -> Path:
    """Write a file, or what it packs, into a folder of its own; return what is to be opened."""
    folder.mkdir()
    name = PurePosixPath(path).name
    if name.lower().endswith(".zip"):
        return _unpack_zip(name, members[path], folder)
    if name.lower().endswith(".gz"):
        target = folder / name[:-3]
        target.write_bytes(_gunzip(name, members[path]))
        return target
    stem = path[: -len(PurePosixPath(path).suffix)]
    for other, content in members.items():
        same = other.lower().endswith(SIBLINGS) and other[: -len(PurePosixPath(other).suffix)] == stem
        if other == path or same:
            (folder / PurePosixPath(other).name).write_bytes(content)
    return folder / name


def _unpack_zip(name: str, content: bytes, folder: Path) -> Path:
    packed = folder / name
    packed.write_bytes(content)
    written = []
    try:
        for path, inner in zip_members(packed, _LIMITS):
            target = folder / re.sub(r"[^\w.-]", "_", PurePosixPath(path).name)
            target.write_bytes(inner)
            written.append(target)
    except SourceError as error:
        raise MalformedFileError(name, error.message) from error
    packed.unlink()
    found = [path for path in written if _has_form(path.name)]
    if len(found) != 1:
        listed = ", ".join(sorted(path.name for path in found)) or "none"
        raise MalformedFileError(name, f"holds {len(found)} files of polygons ({listed}), not one")
    return found[0]


def _gunzip(name: str, content: bytes) -> bytes:
    decoder = zlib.decompressobj(wbits=31)
    most = min(_LIMITS.member_bytes, max(_LIMITS.ratio_free_bytes, _LIMITS.ratio * len(content)))
    try:
        unpacked = decoder.decompress(content, most + 1)
    except zlib.error as error:
        raise MalformedFileError(name, f"cannot be unpacked: {error}") from error
    if len(unpacked) > most:
        reason = f"unpacks to more than {most:,} bytes; it is refused as a compression bomb"
        raise MalformedFileError(name, reason)
    if not decoder.eof:
        raise MalformedFileError(name, "ends before its end: it was cut off")
    return unpacked


def _entries(folder: Path) -> list[FileEntry]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        FileEntry(
            _relative(path, folder),
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_size,
            "",
        )
        for path in paths
    ]


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()
