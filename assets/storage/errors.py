"""Errors of object stores. They name the URL and say what to do."""

from assets.errors import BuildError


class StorageError(BuildError):
    """An object store cannot be used: it is not there, refuses, breaks off, or gives what is not whole."""

    code = "storage_failed"


class StorageConflictError(StorageError):
    """Something was put into the store by somebody else since it was taken from there."""

    code = "storage_conflict"
