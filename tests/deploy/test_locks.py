"""What a server installs is what the tests ran with."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def pins(name: str) -> set[str]:
    """Return the pins of a lock file, as `name==version`."""
    return set(
        re.findall(r"^([A-Za-z0-9_.-]+==[^ ]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    )


def test_a_server_installs_the_versions_that_were_tested() -> None:
    served = pins("requirements-serve.lock")
    assert len(served) > 50
    assert served <= pins("requirements.lock")
