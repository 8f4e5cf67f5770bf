"""Configuration of gunicorn from our settings: one uvicorn worker per core, each with its own snapshot."""

# ruff: noqa: N999 (the name that gunicorn gives its configuration)
import gc
import os
import signal
import sys
import time
from typing import Any

from serving.counting.processes import SHARE
from serving.logs import logging_config
from serving.process.descriptors import raise_limit
from serving.process.drain import DRAIN
from serving.process.parent import leave_with
from serving.settings.settings import Settings

_settings = Settings.from_env()

# Searches run on threads of their own, and workers share the cores: threads of BLAS beside them only wait for
# each other, which made a search take four times as long on a busy machine. NumPy reads this once.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Words of a query are too few to be shared out among threads.
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

wsgi_app = "serving.process.asgi:app"
bind = [
    f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
]
if _settings.metrics_address is not None:
    bind.append(_settings.metrics_address)
workers = _settings.worker_count
worker_class = "serving.process.worker.Worker"
# LanceDB must open its tables after the fork: opened before it, workers hang or crash.
preload_app = False
control_socket_disable = True
timeout = 60
graceful_timeout = _settings.graceful_seconds
max_requests = _settings.max_requests
max_requests_jitter = _settings.max_requests // 10
forwarded_allow_ips = ",".join(_settings.trusted_proxies)
accesslog = None
logconfig_dict = logging_config(_settings.log_level)


# While workers are replaced, those that leave count beside those that come.
_board = SHARE.open(2 * workers + 8)
_kept: list[object] = []


def on_starting(_server: Any) -> None:
    """Raise the limit on open files to what the workers' connections need, and load what they can share."""
    raise_limit(_settings.max_connections)
    from serving.process.sharing import load_shared  # noqa: PLC0415 - it loads NumPy, which reads what is set above

    _kept.append(load_shared(_settings.snapshots))


def when_ready(server: Any) -> None:
    """Have the server drain before it stops, where that is set."""
    if _settings.drain_seconds:
        DRAIN.watch(_settings.drain_seconds, lambda: server.signal(signal.SIGTERM, None))


def pre_fork(_server: Any, worker: Any) -> None:
    """Assign a new worker its row of the counters."""
    worker.row = _board.take()


def post_fork(_server: Any, worker: Any) -> None:
    """Make a new worker end if its master does, and let it count in its row."""
    leave_with(worker.ppid)
    SHARE.row = worker.row


def worker_exit(_server: Any, worker: Any) -> None:
    """Mark the worker's row as left, because it ends normally."""
    if worker.row is not None:
        _board.leave(worker.row)


def child_exit(_server: Any, worker: Any) -> None:
    """Take back an ended worker's row, and note if it died: its successor then checks files before use."""
    if worker.row is not None:
        if _board.is_owned(worker.row):
            SHARE.died_at = time.time()
        _board.give_back(worker.row)


def post_worker_init(_worker: Any) -> None:
    """Tune the interpreter for an event loop that shares it with the thread that settles charges."""
    # What importing made stays for the worker's life: no need to look through it again and again.
    gc.collect()
    gc.freeze()
    # A search makes some thousand objects, few of them in rings: to look through them after 700 costs 3 %.
    gc.set_threshold(20_000, 20, 20)
    # SQLite lets go of the interpreter at each step, and every waiting answer waits until it has it back.
    sys.setswitchinterval(0.0005)
