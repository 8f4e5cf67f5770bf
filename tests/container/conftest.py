"""The sample law of the server's tests."""

from tests.serving.conftest import encoder, node, snapshots_folder

__all__ = ["encoder", "node", "snapshots_folder"]
