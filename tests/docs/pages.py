"""The documentation as the tests read it: README, the client's README and every page of the guide."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "serving/client/README.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
    )
}
_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks in a language, without the indentation of the list that holds them."""
    return [
        "\n".join(line.removeprefix(indent) for line in body.splitlines())
        for indent, named, body in _BLOCK.findall(text)
        if named == language
    ]


def commands(text: str) -> list[str]:
    """Return the command lines of the shell blocks, continued lines joined."""
    lines = "\n".join(blocks(text, "sh")).replace("\\\n", " ").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
