"""The agent that the guide shows does what it says, against the real server."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.docs.pages import PAGES, blocks

pytestmark = pytest.mark.e2e
PAGE = PAGES["docs/mcp.md"]


Agent = Callable[[str, str], str]


@pytest.fixture
def agent(environment: dict[str, str]) -> Agent:
    """Runs the agent of the guide and returns its answer."""
    (program,) = blocks(PAGE, "python")

    def run(citation: str, quote: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program, citation, quote],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


def test_a_quote_that_stands_there_is_cited(agent: Agent) -> None:
    said = agent("2 Sample Code 3103", "the landlord shall return the deposit with interest")
    assert said == (
        "“the landlord shall return the deposit with interest” "
        "2 Sample Code § 3103 (Return of security deposit). Beware: sentence_continues."
    )


def test_a_quote_that_does_not_is_set_right(agent: Agent) -> None:
    said = agent("2 Sample Code 3103", "Within 90 days after the tenancy ends")
    assert said.startswith("Misquoted. 2 Sample Code § 3103 says: ")
    assert "30 days" in said


def test_a_citation_of_nothing_is_struck(agent: Agent) -> None:
    assert agent("2 Sample Code § 3199", "anything") == "Strike it: 2 Sample Code § 3199 is not_in_code."
