"""Count the tokens that five tasks of an agent cost, played through the official MCP client over stdio.

Run: `python -m tests.benchmarks.bench_agents SNAPSHOT_FOLDER [--before FILE] [--json]`. The snapshot is one of the
sample law (`make snapshot`), whose citations the tasks name. Prints a table; with `--before`, the figures of an
earlier run beside its own, and exit status 1 if a task costs more than half of what it did. Counted is what a host
puts before its model: the instructions and the list of tools once in each task, the arguments of each call, and
its result, all blocks of content and the structured content, which hosts show where there is some. Tokens are
those of the tokenizer that the snapshot carries: it cuts ids and JSON finer than those of large models, so that
only the ratio holds for these.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from tokenizers import Tokenizer

from serving.accounts.accounts import Accounts
from serving.metering.database import Database
from serving.metering.keys import SCOPES
from serving.metering.migrations import migrate
from tests.serving.servers import CHECKOUT

MOST = 0.5
"""Share of the tokens of before that a task may cost."""
DRAFT = """An operating agreement may not unreasonably restrict a member's right to records, 2 Sample Code § 1112.
The tax of 3 Sample Code § 1 is imposed on each sale. A permit costs what Sample City Code § 4-202 says; a licence
may be denied under Sample City Code § 2-103(a). Compare 1 Sample Code § 713, and 1 Sample Code § 9999. Leaf blowers
are the matter of Sample City Code § 1-305, and so they were under Sample City Code § 1-305 before."""
Call = tuple[str, dict[str, Any]]
TASKS: dict[str, tuple[Call, ...]] = {
    "find and cite a rule": (
        ("list_coverage", {"jurisdiction": "sample-city"}),
        ("search_law", {"query": "hours of leaf blowers and other noise", "jurisdiction": "sample-city"}),
        ("get_law_node", {"citation": "Sample City Code § 1-305"}),
        (
            "verify_quotes",
            {"quotes": [{"citation": "Sample City Code § 1-305", "quote": "leaf blower"}]},
        ),
    ),
    "check a draft": (
        ("check_text", {"text": DRAFT}),
        ("resolve_citation", {"citations": ["1 Sample Code § 713", "1 Sample Code § 9999"]}),
        ("get_law_node", {"citation": "2 Sample Code § 1112"}),
    ),
    "compare two places": (
        ("search_law", {"query": "denial or suspension of a licence", "jurisdiction": "sample"}),
        ("search_law", {"query": "denial or suspension of a licence", "jurisdiction": "sample-city"}),
        ("get_law_node", {"citation": "Sample City Code § 2-103"}),
    ),
    "write a zoning memo": (
        ("law_at_location", {"lat": 30.005, "lon": -40.01}),
        ("search_law", {"query": "permitted uses in a residential district", "jurisdiction": "sample-city"}),
        ("get_law_node", {"citation": "Sample City Code § 4-202"}),
    ),
    "form a company": (
        ("formation_requirements", {"state": "dc"}),
        ("formation_lookup_naics", {"query": "food truck"}),
        ("formation_handoff", {"state": "dc", "entityName": "Harbor Works LLC", "naics": "722330"}),
        ("account_status", {}),
    ),
}


@dataclass(slots=True)
class Counted:
    """Tokens of one task.

    Attributes:
        opening: of the instructions and the list of tools.
        calls: of each call and its result.
    """

    opening: int
    calls: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """All of them."""
        return self.opening + sum(self.calls.values())


def main() -> int:
    """Play, print and judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot of the sample law")
    parser.add_argument("--before", type=Path, help="figures of an earlier run, as --json prints them")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(options.snapshot / "encoder" / "tokenizer.json"))
    tokenizer.no_truncation()
    counted = asyncio.run(play(options.snapshot, lambda text: len(tokenizer.encode(text).ids)))
    totals = {task: one.total for task, one in counted.items()}
    if options.json:
        listed = {task: {"opening": one.opening, **one.calls} for task, one in counted.items()}
        print(json.dumps({"totals": totals, "tasks": listed}, indent=2))
        return 0
    before = json.loads(options.before.read_text(encoding="utf-8"))["totals"] if options.before else {}
    print_table(counted, before)
    return 1 if any(totals[task] > MOST * before[task] for task in before) else 0


async def play(snapshot: Path, tokens: Callable[[str], int]) -> dict[str, Counted]:
    """Play every task, each with a client of its own, and count."""
    counted = {}
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{folder}/accounts.sqlite"
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "serving.mcp"],
            env={
                "LAW_SNAPSHOTS": str(snapshot.parent),
                "LAW_DATABASE_URL": store,
                "LAW_KEY": new_key(store),
                "LAW_LOG_LEVEL": "ERROR",
                "PYTHONPATH": str(CHECKOUT),
            },
            cwd=CHECKOUT,
        )
        async with Client(server, read_timeout_seconds=120) as client:
            opening = tokens((client.instructions or "") + await listing(client))
            for task, calls in TASKS.items():
                counted[task] = Counted(opening)
                for number, (tool, arguments) in enumerate(calls, start=1):
                    result = await client.call_tool(tool, arguments)
                    if result.is_error:
                        raise SystemExit(f"{task}: {tool} failed: {result.content}")
                    shown = compact(result.model_dump(mode="json", by_alias=True, exclude_none=True))
                    counted[task].calls[f"{number} {tool}"] = tokens(compact(arguments)) + tokens(shown)
    return counted


def compact(value: Any) -> str:
    """Return JSON without blanks, and of a result what is there for the model."""
    if isinstance(value, Mapping) and "content" in value:
        value = {key: value[key] for key in ("content", "structuredContent") if key in value}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


async def listing(client: Client) -> str:
    """Return the list of tools as a host gets it."""
    tools = (await client.list_tools()).tools
    return compact([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])


def new_key(store: str) -> str:
    """Open an account in a new store, and return a key of it."""
    migrate(store)
    accounts = Accounts(Database(store))
    account = accounts.create()
    return accounts.create_key(account.account_id, name="agent", scopes=SCOPES)[1].text


def print_table(counted: Mapping[str, Counted], before: Mapping[str, int]) -> None:
    """Print a line for each task and call."""
    for task, one in counted.items():
        share = f"   before {before[task]:>7,}: {one.total / before[task]:.0%}" if task in before else ""
        print(f"{task:<24}{one.total:>8,}{share}")
        print(f"  {'instructions and tools':<32}{one.opening:>6,}")
        for call, tokens in one.calls.items():
            print(f"  {call:<32}{tokens:>6,}")


if __name__ == "__main__":
    sys.exit(main())
