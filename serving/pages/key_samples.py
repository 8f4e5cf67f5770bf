"""Programs that make a call with a new key, and the entry for an agent that has it."""

from dataclasses import dataclass

import orjson

from serving.api.discovery import MCP
from serving.pages.code_samples import LABELS, Call, curl, javascript, python

_ADDRESS = "https://address.invalid/"
"""Stands for the address in the programs until the page puts one in its place."""


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
    call = Call(_ADDRESS, key)
    return (
        _around("curl", "Paste this into a terminal:", "command", curl(call)),
        _around("python", "Run it with Python 3:", "program", python(call)),
        _around("javascript", "Run it with Node as a module, such as call.mjs:", "program", javascript(call)),
        Sample(
            "mcp",
            "MCP",
            "Add it to the servers of your agent:",
            "configuration",
            _server(key, public_url),
            None,
        ),
    )


def _around(name: str, hint: str, what: str, code: str) -> Sample:
    before, _, after = code.partition(_ADDRESS)
    return Sample(name, LABELS[name], hint, what, before, after)


def _server(key: str, public_url: str) -> str:
    server = {"type": "http", "url": f"{public_url}{MCP}", "headers": {"Authorization": f"Bearer {key}"}}
    return orjson.dumps({"mcpServers": {"law": server}}, option=orjson.OPT_INDENT_2).decode() + "\n"
