"""Programs that make one call with a key, for people to paste; they run as they are, without an install."""

from dataclasses import dataclass

import orjson

from serving.api.discovery import MCP


@dataclass(frozen=True, slots=True, repr=False)
class Sample:
    """One program around the address that it calls. It holds the key and stays out of `repr`.

    Attributes:
        name: name in addresses of the page.
        label: name of the tab.
        hint: how to run it.
        what: name of it on the button that copies it.
        before, after: its text before and after the address; `after` is None if it names no call.
    """

    name: str
    label: str
    hint: str
    what: str
    before: str
    after: str | None


def samples_for(key: str, public_url: str) -> tuple[Sample, ...]:
    """Return the programs for a key."""
    return (
        Sample(
            "curl",
            "curl",
            "Paste this into a terminal:",
            "command",
            f"curl -H 'Authorization: Bearer {key}' \\\n  '",
            "'",
        ),
        Sample(
            "python",
            "Python",
            "Run it with Python 3:",
            "program",
            'import json\nimport urllib.request\n\nrequest = urllib.request.Request(\n    "',
            f'",\n    headers={{"Authorization": "Bearer {key}"}},\n)\n'
            "with urllib.request.urlopen(request) as answer:\n"
            "    print(json.dumps(json.load(answer), indent=2))\n",
        ),
        Sample(
            "javascript",
            "JavaScript",
            "Run it with Node as a module, such as call.mjs:",
            "program",
            'const answer = await fetch("',
            f'", {{\n  headers: {{ Authorization: "Bearer {key}" }},\n}});\n'
            "console.log(JSON.stringify(await answer.json(), null, 2));\n",
        ),
        Sample(
            "mcp",
            "MCP",
            "Add it to the servers of your agent:",
            "configuration",
            _server(key, public_url),
            None,
        ),
    )


def _server(key: str, public_url: str) -> str:
    server = {"type": "http", "url": f"{public_url}{MCP}", "headers": {"Authorization": f"Bearer {key}"}}
    return orjson.dumps({"mcpServers": {"law": server}}, option=orjson.OPT_INDENT_2).decode() + "\n"
