"""Errors of mirrors."""

from serving.contract.errors import LawError


class MirrorError(LawError):
    """A mirror cannot be written, or is not what the command takes it for."""

    code = "mirror"


class MirrorRefusedError(MirrorError):
    """A mirror gives something else than its publisher vouches for by now; nothing of it was taken."""

    code = "mirror_refused"


class MirrorUnreachableError(MirrorError):
    """A file of a mirror could not be fetched; what was fetched before is kept for the next pull."""

    code = "mirror_unreachable"
