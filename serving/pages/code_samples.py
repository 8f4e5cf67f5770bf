"""Code that makes one call: for curl, for Python and for JavaScript. It runs as it is, without an install."""

import json
from dataclasses import dataclass
from typing import Any

LABELS = {"curl": "curl", "python": "Python", "javascript": "JavaScript"}
"""Names of the languages, by those in addresses."""


@dataclass(frozen=True, slots=True, repr=False)
class Call:
    """A call of the API. It may hold a key and stays out of `repr`.

    Attributes:
        address: whole address, with the query.
        key: what is sent as the key; None where none is needed.
        body: JSON values of its body; None where it has none.
        is_json: it answers JSON.
    """

    address: str
    key: str | None
    method: str = "GET"
    body: Any = None
    is_json: bool = True

    @property
    def headers(self) -> dict[str, str]:
        """Headers that it is sent with."""
        kind = {} if self.body is None else {"Content-Type": "application/json"}
        return kind if self.key is None else {"Authorization": f"Bearer {self.key}", **kind}


def curl(call: Call) -> str:
    """Return the command line; a shell puts a variable such as `$LAW_KEY` in its place."""
    parts = ["curl"]
    if call.method != "GET":
        parts.append(f"-X {call.method}")
    if call.key is not None:
        parts.append(f'-H "Authorization: Bearer {call.key}"')
    if call.body is not None:
        body = json.dumps(call.body, ensure_ascii=True).replace("'", "\\u0027")
        parts.append(f"--json '{body}'")
    return " ".join(parts) + (f" \\\n  '{call.address}'" if len(parts) > 1 else f" '{call.address}'")


def python(call: Call) -> str:
    """Return the program for Python's own library."""
    arguments = [literal(call.address)]
    if call.method != "GET":
        arguments.append(f"method={literal(call.method)}")
    if call.headers:
        arguments.append(f"headers={literal(call.headers)}")
    if call.body is not None:
        arguments.append(f"data=json.dumps({call.body!r}).encode()")
    read = "json.dumps(json.load(answer), indent=2)" if call.is_json else "answer.read().decode()"
    return "\n".join(
        [
            *(["import json"] if call.is_json or call.body is not None else []),
            "import urllib.request",
            "",
            "request = urllib.request.Request(",
            *(f"    {argument}," for argument in arguments),
            ")",
            "with urllib.request.urlopen(request) as answer:",
            f"    print({read})",
        ]
    )


def javascript(call: Call) -> str:
    """Return the script, a module for Node or a browser."""
    options = []
    if call.method != "GET":
        options.append(f"  method: {literal(call.method)},")
    if call.headers:
        options.append(f"  headers: {literal(call.headers)},")
    if call.body is not None:
        options.append(f"  body: JSON.stringify({literal(call.body)}),")
    given = ", {\n" + "\n".join(options) + "\n}" if options else ""
    read = "JSON.stringify(await answer.json(), null, 2)" if call.is_json else "await answer.text()"
    return f"const answer = await fetch({literal(call.address)}{given});\nconsole.log({read});"


def literal(value: Any) -> str:
    """Return JSON values as JavaScript writes them, and texts and numbers as Python does, too."""
    return json.dumps(value, ensure_ascii=False)
