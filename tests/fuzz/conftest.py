"""The sample law of the server's tests."""

from tests.serving.conftest import encoder, snapshots_folder

__all__ = ["encoder", "snapshots_folder"]
