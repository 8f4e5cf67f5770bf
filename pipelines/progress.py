"""Progress on a terminal: a bar with rate and time left for each stage; lines where nobody watches."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from tqdm import tqdm

from assets.progress import Advance, Progress, ProgressLines


class TerminalProgress:
    """One bar a stage, kept on the screen when it is done."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @contextmanager
    def stage(self, name: str, unit: str) -> Iterator[Advance]:
        """Show a bar that knows its length once the stage tells it."""
        with tqdm(desc=name, unit=f" {unit}", file=self._stream, dynamic_ncols=True) as bar:

            def advance(done: int, total: int) -> None:
                if total and bar.total != total:
                    bar.reset(total)
                bar.update(done - bar.n)

            yield advance


@contextmanager
def progress_on_stderr() -> Iterator[Progress]:
    """Yield bars where somebody watches, else lines, on standard error as it is now.

    While a step runs, Dagster sends standard error to the step's log; this goes on to where it went before.
    """
    with _kept(sys.stderr) as stream:
        if stream.isatty():
            yield TerminalProgress(stream)
        else:
            yield ProgressLines(lambda line: stream.write(f"{line}\n"))


@contextmanager
def _kept(stream: TextIO) -> Iterator[TextIO]:
    try:
        descriptor = os.dup(stream.fileno())
    except io.UnsupportedOperation:
        yield stream  # replaced by something that is no file, and so not redirected either
        return
    with os.fdopen(descriptor, "w", buffering=1, encoding="utf-8") as kept:
        yield kept
