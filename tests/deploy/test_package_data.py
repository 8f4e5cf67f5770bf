"""Files that are no modules and that a distribution must carry all the same."""

import subprocess
import tomllib

from tests.architecture.modules import ROOT


def test_every_file_of_a_package_is_in_its_distribution() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    carried = {
        path
        for package, patterns in settings["package-data"].items()
        for pattern in patterns
        for path in (ROOT / package.replace(".", "/")).glob(pattern)
    }
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "assets", "pipelines", "serving"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    client = ROOT / "serving" / "client"
    files = {ROOT / name for name in tracked if name and not name.endswith(".py")}
    assert {path for path in files if client not in path.parents} <= carried
