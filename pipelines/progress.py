"""Progress on a terminal: a bar with rate and time left for each stage."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from assets.progress import Advance, Progress, ProgressLines


class TerminalProgress:
    """One bar a stage, kept on the screen when it is done."""

    @contextmanager
    def stage(self, name: str, unit: str) -> Iterator[Advance]:
        """Show a bar that knows its length once the stage tells it."""
        with tqdm(desc=name, unit=f" {unit}", unit_scale=False, file=sys.stderr, dynamic_ncols=True) as bar:

            def advance(done: int, total: int) -> None:
                if total and bar.total != total:
                    bar.reset(total)
                bar.update(done - bar.n)

            yield advance


def progress_on_stderr() -> Progress:
    """Return bars where somebody watches, else lines."""
    if sys.stderr.isatty():
        return TerminalProgress()
    return ProgressLines(lambda line: sys.stderr.write(f"{line}\n"))
