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


def test_the_image_of_the_pipeline_installs_one_version_of_each() -> None:
    locks = ("requirements.lock", "requirements-cluster.lock", "requirements-storage.lock")
    named = set().union(*map(pins, locks))
    assert "s3fs" in {pin.partition("==")[0] for pin in named}
    assert len(named) == len({pin.partition("==")[0] for pin in named})
    dockerfile = (ROOT / "deploy" / "pipeline.Dockerfile").read_text(encoding="utf-8")
    assert all(f"--requirement {lock}" in dockerfile for lock in locks)
