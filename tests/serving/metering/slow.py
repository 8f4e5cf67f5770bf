"""What gunicorn loads for tests of abandoned searches: the service, whose searches take their time and are counted."""

import os
import time
from pathlib import Path
from typing import Any

from serving.snapshot.keyword import KeywordHits, KeywordIndex
from tests.serving.metering.searches import COUNTED, SECONDS, held_by

_search = KeywordIndex.search


def _slow_search(self: KeywordIndex, *arguments: Any, **options: Any) -> KeywordHits:
    with Path(os.environ[COUNTED]).open("a", encoding="utf-8") as counted:
        counted.write("search\n")
    time.sleep(SECONDS)
    while held_by(Path(os.environ[COUNTED])).exists():
        time.sleep(0.01)
    return _search(self, *arguments, **options)


KeywordIndex.search = _slow_search  # type: ignore[method-assign]  # on purpose

from serving.process.asgi import app  # noqa: E402, F401 (what gunicorn asks for)
