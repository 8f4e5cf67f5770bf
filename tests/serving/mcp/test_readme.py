"""The agent that the README shows does what it says, against the real server."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e
README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def agent(server, customer):
    """Runs the agent of the README and gives what it says."""
    section = README.split("**An agent at work**")[1].split("\n## ")[0]
    (program,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)

    def run(citation: str, quote: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program, citation, quote],
            env={**os.environ, "LEGAL_API_KEY": customer.key, "LEGAL_BASE_URL": server.url},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


def test_a_quote_that_stands_there_is_cited(agent):
    said = agent("1 sfc 9", "shall be fined not more than $500")
    assert said == "“shall be fined not more than $500” 1 S.F.C. § 9 (Penalties)."


def test_a_quote_that_does_not_is_set_right(agent):
    said = agent("1 sfc 9", "shall be fined not more than $900")
    assert said.startswith("Misquoted. 1 S.F.C. § 9 says: ")
    assert "$500" in said


def test_a_citation_of_nothing_is_struck(agent):
    assert agent("1 S.F.C. § 70", "anything") == "Strike it: 1 S.F.C. § 70 is not_in_code."
