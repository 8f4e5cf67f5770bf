"""Supervision of a worker by its master: a worker whose master was killed must not go on serving."""

import os
import signal
import threading
import time


def leave_with(parent: int, *, every_seconds: float = 1.0) -> None:
    """Start a thread that checks that this process is still a child of `parent`.

    If it is not, the process sends itself SIGTERM, so that it finishes the requests under way and ends.
    """
    threading.Thread(target=_watch, args=(parent, every_seconds), name="parent", daemon=True).start()


def _watch(parent: int, every_seconds: float) -> None:
    while os.getppid() == parent:
        time.sleep(every_seconds)
    os.kill(os.getpid(), signal.SIGTERM)
