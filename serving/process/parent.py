"""The tie of a worker to its master: a worker whose master was killed must not go on serving unsupervised."""

import os
import signal
import threading
import time


def leave_with(parent: int, *, every_seconds: float = 1.0) -> None:
    """Begin to watch, on a thread of its own, that this process is still a child of `parent`.

    If not, the process sends itself SIGTERM, so that requests under way are finished.
    """
    threading.Thread(target=_watch, args=(parent, every_seconds), name="parent", daemon=True).start()


def _watch(parent: int, every_seconds: float) -> None:
    while os.getppid() == parent:
        time.sleep(every_seconds)
    os.kill(os.getpid(), signal.SIGTERM)
