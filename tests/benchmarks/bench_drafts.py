"""Measure `check_text` on a draft of 100 KB: its citations resolved, and the quotations beside them verified.

Run: `python -m tests.benchmarks.bench_drafts SNAPSHOT_FOLDER`. Exit status 1 if checking takes more than its bound times
what eyecite takes to read the same text in the same run, or, where that is not installed, what our own parser takes.
eyecite only finds citations; checking also resolves them, and looks up every quoted word. The draft is law of the
snapshot, each piece after a sentence that cites a provision and quotes it.
"""

import argparse
import importlib.util
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from serving.contract.citations import parse
from serving.services.citations.drafts import MAX_CHECKED, check_draft
from serving.services.quotations.drafts import check_quotations
from serving.snapshot.store import Snapshot, open_snapshot
from tests.benchmarks.bench_citations import fastest

CHARACTERS = 100_000
PIECE = 600
QUOTED = 120
ROUNDS = 5
MOST_TIMES_EYECITE = 2.5
MOST_TIMES_PARSER = 10.0
SEED = 12


def main() -> int:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    snapshot = open_snapshot(parser.parse_args().snapshot)
    draft = draft_of(snapshot)
    checked = check_draft(snapshot, draft)
    quotations = check_quotations(snapshot, draft, checked).checked
    ours = fastest(lambda: check(snapshot, draft), rounds=ROUNDS)
    read = fastest(lambda: parse(draft, snapshot.grammar), rounds=ROUNDS)
    print(f"draft of {len(draft):,} characters: {checked.total} citations")
    print(f"check_text, {MAX_CHECKED} of them and {len(quotations)} quotations: {ours:.1f} ms of CPU")
    print(f"our parser on the draft: {read:.1f} ms; checking takes {ours / read:.1f} times as long")
    if importlib.util.find_spec("eyecite") is None:
        print(f"eyecite is not installed; bound: {MOST_TIMES_PARSER:g} times our parser")
        return 1 if ours > MOST_TIMES_PARSER * read else 0
    get_citations: Callable[[str], Sequence[object]] = importlib.import_module("eyecite").get_citations
    theirs = fastest(lambda: get_citations(draft), rounds=3)
    print(f"eyecite on the draft: {theirs:.1f} ms; bound: {MOST_TIMES_EYECITE:g} times that")
    return 1 if ours > MOST_TIMES_EYECITE * theirs else 0


def check(snapshot: Snapshot, draft: str) -> None:
    """Check a draft as one call of `check_text` does."""
    check_quotations(snapshot, draft, check_draft(snapshot, draft))


def draft_of(snapshot: Snapshot) -> str:
    """Return a draft that quotes and cites provisions of the snapshot, drawn with a fixed seed."""
    rng = random.Random(SEED)
    nodes = snapshot.nodes
    rows = [row for row in range(len(nodes)) if len(nodes.text_bytes(row)) > 2 * QUOTED]
    paragraphs, length = [], 0
    while length < CHARACTERS:
        row = rng.choice(rows)
        text = nodes.text(row)
        begin = rng.randrange(len(text) - QUOTED)
        quoted = " ".join(text[begin : begin + QUOTED].split()[1:-1]).replace('"', "")
        cited = nodes.citation(row)
        paragraphs.append(f"The board read “{quoted}” in {cited}. {nodes.text(rng.choice(rows))[:PIECE]}\n\n")
        length += len(paragraphs[-1])
    return "".join(paragraphs)[:CHARACTERS]


if __name__ == "__main__":
    sys.exit(main())
