"""Measure search on the evaluation set: `python -m tests.quality.evaluation SNAPSHOT [--mode MODE ...]`.

Prints nDCG@10, MRR, recall and the share judged, by kind of query and mode; writes runs, compares them with
earlier ones, and pools what is still to be judged.
"""

import argparse
from pathlib import Path

from assets.release.evaluation.answerable import answerable
from assets.release.evaluation.judgements import SPLITS, read_evaluation_set
from assets.release.evaluation.runs import Run, read_run, run
from serving.services.opening import open_warm
from serving.services.requests import Mode
from serving.services.search import SearchService
from tests.quality.evaluation.pool import unjudged, write_pool
from tests.quality.evaluation.report import comparison, table


def main() -> None:
    """Measure, compare and pool, as the arguments ask."""
    options = _arguments()
    snapshot = open_warm(options.snapshot)
    # As a publication measures it: what is answered by law that the snapshot lacks is not asked.
    asked = answerable(read_evaluation_set(options.set), snapshot.nodes, snapshot.manifest.code_bodies)
    queries = asked.of_split(options.split)
    service = SearchService()
    runs = [run(service, snapshot, queries, Mode(mode)) for mode in options.mode]
    for one in runs:
        print("\n".join(["", *table(one, asked, queries)]))
        if options.write:
            options.write.mkdir(parents=True, exist_ok=True)
            one.write(options.write / f"{one.name}.json")
    earlier = [read_run(path) for path in options.against]
    for ours, theirs in _pairs(runs, earlier):
        print("\n".join(["", *comparison(ours, theirs, asked, queries)]))
    if options.pool:
        count = write_pool(options.pool, snapshot, unjudged([*runs, *earlier], asked, queries))
        print(f"\n{count} provisions are still to be judged: {options.pool}")
    snapshot.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.evaluation")
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    modes = [str(mode) for mode in Mode]
    parser.add_argument("--mode", nargs="+", choices=modes, default=modes, help="default: all")
    parser.add_argument("--split", choices=SPLITS, help="default: both")
    parser.add_argument(
        "--set", type=Path, default=Path("datasets/evaluation"), help="folder of queries and judgements"
    )
    parser.add_argument("--write", type=Path, help="folder that takes each run as MODE.json")
    parser.add_argument("--against", type=Path, nargs="+", default=[], help="runs to compare with")
    parser.add_argument("--pool", type=Path, help="table of what is not judged, of all these runs")
    return parser.parse_args()


def _pairs(runs: list[Run], earlier: list[Run]) -> list[tuple[Run, Run]]:
    """Return each run beside each earlier one and, where all modes ran, the fused one beside its arms."""
    fused = [one for one in runs if one.name == Mode.HYBRID]
    arms = [one for one in runs if one.name != Mode.HYBRID]
    return [(ours, theirs) for ours in runs for theirs in earlier] + [
        (ours, theirs) for ours in fused for theirs in arms
    ]


if __name__ == "__main__":
    main()
