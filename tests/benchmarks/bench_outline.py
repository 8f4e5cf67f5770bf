"""Judge the outline that is read from text against the one that markup gives, on whole titles of real law.

Run from the checkout: `python -m tests.benchmarks.bench_outline [--list]`. The costs were tuned on titles 11, 17 and 35
of the US Code, which are left out here. A label counts as right if its path and its start are those of the markup.
Sections whose markup contradicts itself (a first child that is no first, siblings that do not go on) are counted
apart: there the text is more often right than the markup; `--list` names them with the labels in question.
Exit status 1 if a figure is below its bound.
"""

import argparse
import re
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from assets.ingest.designators import readings_of
from assets.ingest.model import Provision, SourceFile
from assets.ingest.outline_from_text import outline_from_text
from assets.ingest.readers import dialect
from assets.registry import STYLES, LabelScheme, load_registry
from serving.contract.records import Outline

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data"
SCHEME = LabelScheme(("(a)", "(1)", "(A)", "(i)", "(I)", "(aa)", "(AA)"))
TUNED_ON = "/us/usc/t(?:11|17|35)/"
SOURCES = (
    ("US Code, whole titles", "us-usc", "usc-titles-119-36.tar.xz", "", 0.9995),
    ("US Code, section files", "us-usc", "usc-sections-119-100.tar.xz", "(?:18|21|29)/", 0.9975),
    ("D.C. Code", "dc-code", "dc-code-2024-10-20.tar.xz", "", 0.9975),
)
"""Name, code body, archive, pattern of the files taken, and the least precision of certain labels."""

LEAST_RECALL = 0.97
LEAST_PRECISION_ELSEWHERE = 0.9995


class InMemory:
    """Files of an archive, below its one top folder."""

    def __init__(self, archive: Path, wanted: str) -> None:
        self._files: dict[str, SourceFile] = {}
        with tarfile.open(archive) as members:
            for member in members:
                path = member.name.partition("/")[2]
                content = members.extractfile(member) if re.match(wanted, path) else None
                if content is not None:
                    self._files[path] = SourceFile(path, "0" * 64, content.read())

    def paths(self) -> list[str]:
        """Return all paths, sorted."""
        return sorted(self._files)

    def get(self, path: str) -> SourceFile | None:
        """Return the file at `path`, or None."""
        return self._files.get(path)

    def __iter__(self) -> Iterator[SourceFile]:
        return (self._files[path] for path in self.paths())


@dataclass
class Tally:
    """Counts over the provisions whose markup has an outline."""

    counts: Counter[str] = field(default_factory=Counter)
    doubtful_markup: list[str] = field(default_factory=list)
    seconds: float = 0.0
    characters: int = 0

    def add(self, provision: Provision) -> None:
        """Compare one provision."""
        begin = process_time()
        found = outline_from_text(provision.text, SCHEME)
        self.seconds += process_time() - begin
        self.characters += len(provision.text)
        truth = {(part.label, part.start): part.end for part in provision.outline}
        contradicts_itself = _contradicts_itself(provision.outline)
        self.counts["sections"] += 1
        self.counts["markup"] += len(truth)
        self.counts["sections apart"] += contradicts_itself
        for part in found:
            kind = "uncertain" if part.uncertain else "certain"
            right = (part.label, part.start) in truth
            self.counts[kind] += 1
            self.counts[f"{kind} right"] += right
            if kind == "certain" and right:
                self.counts["ends right"] += truth[part.label, part.start] == part.end
            elif kind == "certain" and contradicts_itself:
                self.counts["wrong apart"] += 1
                if other := [own.label for own in provision.outline if own.start == part.start]:
                    self.doubtful_markup.append(f"{provision.identifier}: {part.label}, markup {other[0]}")

    def figures(self) -> dict[str, float]:
        """Return the figures that are printed, as ratios."""
        counts = self.counts
        found = counts["certain"] + counts["uncertain"]
        right = counts["certain right"] + counts["uncertain right"]
        return {
            "precision": counts["certain right"] / counts["certain"],
            "elsewhere": counts["certain right"] / (counts["certain"] - counts["wrong apart"]),
            "recall": counts["certain right"] / counts["markup"],
            "precision of all": right / found,
            "recall of all": right / counts["markup"],
            "uncertain": counts["uncertain"] / found,
            "ends": counts["ends right"] / counts["certain right"],
        }


def main() -> int:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--list", action="store_true", help="name the labels that contradict doubtful markup")
    options = parser.parse_args()
    registry = load_registry(ROOT / "datasets" / "registry")
    passed = True
    for name, body_key, archive, wanted, least in SOURCES:
        if not (SHARED / archive).is_file():
            print(f"{name}: {archive} is missing, not measured")
            continue
        body = registry.code_body(body_key)
        tally = Tally()
        for unit in dialect(body.reader).reader.read(InMemory(SHARED / archive, wanted), body):
            for provision in unit.provisions:
                if provision.outline and not re.match(TUNED_ON, provision.identifier):
                    tally.add(provision)
        figures = tally.figures()
        _print(name, tally, figures, listed=options.list)
        passed &= figures["precision"] >= least and figures["recall"] >= LEAST_RECALL
        passed &= figures["elsewhere"] >= LEAST_PRECISION_ELSEWHERE
    print(f"bounds: recall {LEAST_RECALL:.2%}, precision elsewhere {LEAST_PRECISION_ELSEWHERE:.2%}")
    return 0 if passed else 1


def _print(name: str, tally: Tally, figures: dict[str, float], *, listed: bool) -> None:
    counts = tally.counts
    print(f"{name}: {counts['sections']:,} sections, {counts['markup']:,} labels in markup")
    print(f"  certain labels: precision {figures['precision']:.3%}, recall {figures['recall']:.3%}")
    print(
        f"    elsewhere than in {counts['sections apart']} sections whose markup contradicts itself:"
        f" precision {figures['elsewhere']:.3%}"
    )
    print(
        f"  all labels: precision {figures['precision of all']:.3%}, recall {figures['recall of all']:.3%};"
        f" {figures['uncertain']:.2%} uncertain; ends of certain ones as in markup {figures['ends']:.2%}"
    )
    print(f"  {tally.seconds:.1f} s of CPU for {tally.characters / 1e6:.1f} million characters", flush=True)
    if listed:
        print("".join(f"    {line}\n" for line in tally.doubtful_markup), end="")


def _contradicts_itself(outline: Sequence[Outline]) -> bool:
    """Return whether children begin with no first, or siblings do not go on by one, however they are read."""
    above: list[Outline] = []
    youngest: dict[tuple[str, int], str] = {}
    for part in outline:
        while above and above[-1].end <= part.start:
            above.pop()
        parent = (above[-1].label, above[-1].start) if above else ("", 0)
        own = part.label.removeprefix(parent[0])
        if own.count("(") == 1 and not _may_follow(own, youngest.get(parent), top=not above):
            return True
        youngest[parent] = own
        above.append(part)
    return False


def _may_follow(label: str, before: str | None, *, top: bool) -> bool:
    own = readings_of(label, STYLES) if label.endswith(")") and label.startswith("(") else ()
    if before is None:
        return top or not own or any(reading.number == 1 for reading in own)
    held = readings_of(before, STYLES) if before.endswith(")") and before.startswith("(") else ()
    return not own or not held or any(_next(a, b) for a in held for b in own)


def _next(held: tuple[str, int, str, int], own: tuple[str, int, str, int]) -> bool:
    step = own[1] - held[1]
    return own[0] == held[0] and (step == 1 or (step == 0 and own[2] > held[2]))


if __name__ == "__main__":
    sys.exit(main())
