"""Run the adversarial tables: `python -m tests.quality.adversarial FOLDER [--cache FOLDER] [--as-built] [--second]`.

The argument is the folder of one snapshot, or one with the archives of the official files. Prints the figures by kind,
as Markdown, and every row that was not right with its id and what the service said.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from serving.snapshot.law import CitedLaw
from tests.quality.adversarial.answers import in_text, plain, quoted, quoted_in_text, typed
from tests.quality.adversarial.judging import Judged, Judgement, judge_citations, judge_quotation
from tests.quality.adversarial.law import CHECKOUT, open_law
from tests.quality.adversarial.tables import FIRST, SECOND, citation_rows, draft_rows, quotation_rows

_WRONG = (Judgement.FALSE_CONFIRMATION, Judgement.REFUSED, Judgement.MISS)


def main() -> int:
    """Run the tables; return 1 where anything was confirmed without right."""
    arguments = argparse.ArgumentParser(prog="python -m tests.quality.adversarial")
    arguments.add_argument("place", type=Path, help="folder of a snapshot, or of the archives")
    arguments.add_argument("--cache", type=Path, default=CHECKOUT / ".cache" / "adversarial")
    arguments.add_argument("--as-built", action="store_true", help="do not build the tables anew")
    arguments.add_argument("--second", action="store_true", help="run the second set in place of the first")
    asked = arguments.parse_args()
    tables_in = SECOND if asked.second else FIRST
    law = open_law(asked.place, asked.cache, as_built=asked.as_built)
    tables = {
        "Citations": list(_citations(law, tables_in)),
        "Quotations": list(_quotations(law, tables_in)),
        "Drafts": list(_drafts(law, tables_in)),
    }
    holding = _holding(tables_in)
    for name, judged in tables.items():
        print(f"\n## {name}\n\n{_figures(judged, holding)}")
    for judgement in _WRONG:
        print(f"\n## {judgement}\n")
        for name, judged in tables.items():
            for one in judged:
                if one.judgement is judgement:
                    print(f"- {name.lower()}: `{one.id}`: {one.said}")
    every = [one for judged in tables.values() for one in judged]
    return int(any(one.judgement is Judgement.FALSE_CONFIRMATION for one in every))


def _citations(law: CitedLaw, folder: Path) -> Iterator[Judged]:
    for row in citation_rows(folder):
        yield judge_citations(row, (typed if row.typed else in_text)(law, row.text))


def _quotations(law: CitedLaw, folder: Path) -> Iterator[Judged]:
    for row in quotation_rows(folder):
        yield judge_quotation(row, quoted(law, row.quote, row.citation or ""))


def _drafts(law: CitedLaw, folder: Path) -> Iterator[Judged]:
    """Yield the judgement of each draft: the worst of those of its citations and of its quotations."""
    for row in draft_rows(folder):
        text = row.citations.text
        said = quoted_in_text(law, text)
        judged = [judge_citations(row.citations, in_text(law, text))]
        judged += [judge_quotation(one, said.get(plain(one.quote))) for one in row.quotations]
        worst = min(judged, key=lambda one: list(Judgement).index(one.judgement))
        yield Judged(row.citations.id, row.citations.kind, worst.judgement, worst.said)


def _holding(folder: Path) -> set[str]:
    """Return the ids of the rows that hold."""
    return {
        *(row.id for row in citation_rows(folder) if row.holds),
        *(row.id for row in quotation_rows(folder) if row.holds),
        *(row.citations.id for row in draft_rows(folder) if row.clean),
    }


def _figures(judged: Sequence[Judged], holding: set[str]) -> str:
    """Return a table in Markdown: one line for each kind, and the sum."""
    kinds = list(dict.fromkeys(one.kind for one in judged))
    lines = ["| kind | rows | true | " + " | ".join(_WRONG) + " |", "|---|---|---|---|---|---|"]
    for kind in (*kinds, None):
        own = [one for one in judged if kind in (one.kind, None)]
        counts = Counter(one.judgement for one in own)
        cells = [len(own), sum(one.id in holding for one in own), *(counts[wrong] for wrong in _WRONG)]
        lines.append(f"| {kind or '**all**'} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
