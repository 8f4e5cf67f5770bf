"""Reading the citations of a brief of 100 KB, beside eyecite on the same text where it is installed.

Run from the checkout: `python -m tests.benchmarks.bench_citations`. Exit status 1 if the grammar takes longer than its
bound. The brief is text of title 17 from the shared data with a sentence of real citations in every paragraph, so
about ten times as dense as a brief that a court sees.
"""

import importlib.util
import itertools
import random
import sys
import tarfile
import time
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from assets.ingest.formats import uslm
from assets.ingest.model import SourceFile
from assets.registry import load_registry, reviewed_acts
from serving.contract.citations import Grammar, parse, schemes_of_tables, with_others

CHECKOUT = Path(__file__).resolve().parents[2]
TITLES = CHECKOUT.parent / "shared" / "data" / "usc-titles-119-36.tar.xz"
CANONICAL = CHECKOUT / "tests" / "serving" / "contract" / "citations" / "canonical.txt"
CHARACTERS = 100_000
BOUND_MS = 50.0
ROUNDS = 9


class OneFile:
    """A source of one file."""

    def __init__(self, content: bytes) -> None:
        self._file = SourceFile("usc17.xml", "0" * 64, content)

    def paths(self) -> list[str]:
        return [self._file.path]

    def get(self, path: str) -> SourceFile | None:
        return self._file if path == self._file.path else None

    def __iter__(self) -> itertools.chain[SourceFile]:
        return itertools.chain([self._file])


def main() -> int:
    """Measure, print and judge."""
    if not TITLES.exists():
        print(f"{TITLES} is missing: nothing to measure with")
        return 0
    start = time.process_time()
    grammar = reviewed_grammar()
    compiled = (time.process_time() - start) * 1000
    law = law_text()
    brief = brief_of(law)
    dense, plain = fastest(lambda: parse(brief, grammar)), fastest(lambda: parse(law, grammar))
    print(
        f"compiling {len(grammar.schemes)} schemes and {len(grammar.popular_names)} names: {compiled:.0f} ms"
    )
    print(f"brief, {len(brief):,} characters: {dense:.1f} ms, {len(parse(brief, grammar))} citations")
    print(f"law text, {len(law):,} characters: {plain:.1f} ms, {len(parse(law, grammar))} citations")
    if importlib.util.find_spec("eyecite") is None:
        print("eyecite is not installed: not compared")
    else:
        compare_with_eyecite(brief, dense)
    print(f"bound for the brief: {BOUND_MS:.0f} ms")
    return 1 if dense > BOUND_MS else 0


def compare_with_eyecite(brief: str, ours: float) -> None:
    """Print eyecite's time and finds on the same text."""
    get_citations: Callable[[str], Sequence[object]] = importlib.import_module("eyecite").get_citations
    theirs = fastest(lambda: get_citations(brief), rounds=3)
    laws = sum(type(found).__name__ == "FullLawCitation" for found in get_citations(brief))
    print(
        f"eyecite on the brief: {theirs:.1f} ms, {laws} citations of law: {theirs / ours:.1f} times our time"
    )


def fastest(work: Callable[[], object], *, rounds: int = ROUNDS) -> float:
    """Return the CPU milliseconds of the fastest of some rounds: nothing here waits or runs side by side."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best * 1000


def reviewed_grammar() -> Grammar:
    """Return the grammar of the reviewed data."""
    data = CHECKOUT / "datasets"
    held = [
        scheme for body in load_registry(data / "registry").code_bodies for scheme in body.citation_schemes()
    ]
    others = tomllib.loads((data / "citations" / "other_codes.toml").read_text())["code"]
    acts = reviewed_acts(tomllib.loads((data / "citations" / "popular_names.toml").read_text()))
    names = [name for act in acts for name in act.popular_names()]
    return Grammar(with_others(held, schemes_of_tables(others)), names)


def law_text() -> str:
    """Return the beginning of title 17 of the US Code."""
    with tarfile.open(TITLES) as archive:
        name = next(name for name in archive.getnames() if name.endswith("/usc17.xml"))
        member = archive.extractfile(name)
        content = member.read() if member else b""
    body = load_registry(CHECKOUT / "datasets" / "registry").code_body("us-usc")
    texts = (p.text for unit in uslm.read(OneFile(content), body) for p in unit.provisions if p.text)
    return "\n".join(texts)[:CHARACTERS]


def brief_of(law: str) -> str:
    """Return a brief: pieces of law, each after a sentence that cites four provisions."""
    rng = random.Random(17)
    lines = CANONICAL.read_text(encoding="utf-8").split("\n")
    citations = [line for line in lines if line and not line.startswith("#")]
    paragraphs, length = [], 0
    while length < CHARACTERS:
        first, second, third = rng.sample(citations, 3)
        begin = rng.randrange(len(law) - 600)
        cited = f"{first}(a)({rng.randint(1, 9)}); {second}; {third}; Fed. R. Civ. P. 12(b)(6)"
        paragraphs.append(f"The plaintiff relies on {cited}. {law[begin : begin + 500]}\n")
        length += len(paragraphs[-1])
    return "".join(paragraphs)[:CHARACTERS]


if __name__ == "__main__":
    sys.exit(main())
