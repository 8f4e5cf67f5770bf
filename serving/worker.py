"""The gunicorn worker: uvicorn's, with our protocol."""

from uvicorn_worker import UvicornWorker

from serving.protocol import Protocol


class Worker(UvicornWorker):  # type: ignore[misc]
    """Runs the application on uvloop."""

    CONFIG_KWARGS = {"loop": "uvloop", "http": Protocol, "server_header": False}  # noqa: RUF012 (its own kind)
