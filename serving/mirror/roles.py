"""The metadata of a mirror: which keys sign for what, and what they signed last."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from securesystemslib.signer import CryptoSigner
from tuf.api.exceptions import RepositoryError, UnsignedMetadataError
from tuf.api.metadata import Metadata, Root, Snapshot, Targets, Timestamp
from tuf.api.serialization.json import JSONSerializer

from serving.mirror.errors import MirrorError
from serving.mirror.layout import METADATA
from serving.snapshot.durable import make_folder, replace_file

ROOT_LIFETIME = timedelta(days=365)
LIFETIMES = {
    Targets.type: timedelta(days=30),
    Snapshot.type: timedelta(days=30),
    Timestamp.type: timedelta(days=3),
}
"""Times after which nobody takes what was signed: that of the timestamp bounds how long something new can be
kept from those who pull."""
_KEPT_VERSIONS = 2
"""Versions that stay, for pulls that are under way."""

Role = Targets | Snapshot | Timestamp


def write_root(
    mirror: Path, signer: CryptoSigner, online: CryptoSigner, before: CryptoSigner | None, now: datetime
) -> int:
    """Write the next root of a mirror, and return its version.

    Args:
        mirror: folder of the mirror; without a root it begins here.
        signer: signs this root and the next one.
        online: signs everything else.
        before: signed the root before, where that was another key; None: the same, or there is none.
        now: the present instant.

    Raises:
        MirrorError: the root before would not accept this one.
    """
    folder = mirror / METADATA
    old = newest_root(mirror)
    root = Root(version=1 if old is None else old.version + 1, expires=_whole(now + ROOT_LIFETIME))
    root.add_key(signer.public_key, Root.type)
    for role in LIFETIMES:
        root.add_key(online.public_key, role)
    signed = Metadata(root)
    signed.sign(signer)
    if before is not None:
        signed.sign(before, append=True)
    if old is not None and not _is_signed(old, signed):
        raise MirrorError(
            f"Root {old.version} of {mirror} was signed by another key, which has to sign its successor, "
            "too: give it with --old-root-key."
        )
    make_folder(folder)
    replace_file(folder / f"{root.version}.root.json", _written(signed))
    replace_file(folder / "root.json", _written(signed))
    return root.version


def newest_root(mirror: Path) -> Root | None:
    """Return the newest root of a mirror; None where it has none.

    Raises:
        MirrorError: it cannot be read.
    """
    version = _newest_version(mirror / METADATA, Root.type)
    return None if version is None else _read(mirror / METADATA / f"{version}.root.json", Root)


class Roles:
    """The metadata of a mirror that the online key signs.

    Args:
        mirror: folder of the mirror.
        signer: the online key.
        now: the present instant.

    Raises:
        MirrorError: the mirror has no root, an expired one, or one that names another key.
    """

    def __init__(self, mirror: Path, signer: CryptoSigner, now: datetime) -> None:
        root = newest_root(mirror)
        if root is None:
            raise MirrorError(f"{mirror} has no root; `lawctl mirror root` begins a mirror.")
        if root.expires <= now:
            raise MirrorError(f"The root of {mirror} has expired; `lawctl mirror root` writes the next one.")
        if any(signer.public_key.keyid not in root.roles[role].keyids for role in LIFETIMES):
            raise MirrorError(f"The root of {mirror} names another key than that in LAW_MIRROR_KEY.")
        self._folder = mirror / METADATA
        self._root = root
        self._signer = signer
        self._now = now

    def renew(self, role: Role) -> tuple[int, bytes]:
        """Sign a role and write it, unless what stands says the same and will last; a timestamp always.

        Returns:
            The version that stands now, and the bytes of its file.
        """
        kind = type(role)
        version = _newest_version(self._folder, role.type)
        if version is not None:
            path = self._folder / self._name(role.type, version)
            before = _read_signed(path, kind)
            if self._is_good(before, role):
                return version, path.read_bytes()
            version = before.signed.version
        role.version = (version or 0) + 1
        role.expires = _whole(self._now + LIFETIMES[role.type])
        signed = Metadata[Any](role)
        signed.sign(self._signer)
        content = _written(signed)
        replace_file(self._folder / self._name(role.type, role.version), content)
        return role.version, content

    def forget_old(self) -> set[str]:
        """Remove the versions that no pull needs any more; return the files of the targets that stay."""
        for role in (Targets.type, Snapshot.type):
            versions = _versions(self._folder, role)
            for version in versions[:-_KEPT_VERSIONS]:
                (self._folder / self._name(role, version)).unlink()
        kept = [
            _read(self._folder / self._name(Targets.type, version), Targets)
            for version in _versions(self._folder, Targets.type)
        ]
        return {
            path for targets in kept for one in targets.targets.values() for path in one.get_prefixed_paths()
        }

    def _is_good(self, before: Metadata[Any], role: Role) -> bool:
        if isinstance(role, Timestamp) or not _is_signed(self._root, before):
            return False
        lasts = before.signed.expires - self._now > LIFETIMES[role.type] / 2
        return lasts and _content(before.signed) == _content(role)

    @staticmethod
    def _name(role: str, version: int) -> str:
        return f"{role}.json" if role == Timestamp.type else f"{version}.{role}.json"


def _versions(folder: Path, role: str) -> list[int]:
    if role == Timestamp.type:
        path = folder / f"{role}.json"
        return [_read(path, Timestamp).version] if path.is_file() else []
    return sorted(int(path.name.partition(".")[0]) for path in folder.glob(f"*.{role}.json"))


def _newest_version(folder: Path, role: str) -> int | None:
    return max(_versions(folder, role), default=None)


def _read(path: Path, kind: type[Any]) -> Any:
    return _read_signed(path, kind).signed


def _read_signed(path: Path, kind: type[Any]) -> Metadata[Any]:
    try:
        found: Metadata[Any] = Metadata.from_bytes(path.read_bytes())
    except RepositoryError as error:
        raise MirrorError(f"{path} is no metadata of a mirror: {error}.") from error
    if not isinstance(found.signed, kind):
        raise MirrorError(f"{path} is of another role than its name.")
    return found


def _is_signed(root: Root, metadata: Metadata[Any]) -> bool:
    try:
        root.verify_delegate(metadata.signed.type, metadata.signed_bytes, metadata.signatures)
    except UnsignedMetadataError:
        return False
    return True


def _content(role: Role) -> dict[str, Any]:
    return {name: value for name, value in role.to_dict().items() if name not in ("version", "expires")}


def _written(metadata: Metadata[Any]) -> bytes:
    return metadata.to_bytes(JSONSerializer())


def _whole(instant: datetime) -> datetime:
    return instant.astimezone(UTC).replace(microsecond=0)
