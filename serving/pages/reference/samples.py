"""Code that makes a call: for curl, for Python and for JavaScript."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from serving.pages.reference.document import Operation

KEY = "lr_live_..."
CLIENT = {
    "searchLaw": "search({q})",
    "resolveCitations": "resolve({citation})",
    "getNode": "node({id})",
    "listCitingProvisions": "cited_by({id})",
    "getNodeHistory": "history({id})",
    "listCodeBodies": "code_bodies()",
    "browse": "browse({codeBodyId})",
    "listChanges": "changes()",
    "getGisLayer": "gis({shortCode})",
    "getZonesAtPoint": "gis_at({shortCode}, lat={lat}, lon={lon})",
    "getCoverage": "coverage()",
    "getAccount": "me()",
    "getFormationStatus": "order({orderId}, token={token})",
    "getLlcServices": "compare()",
    "getFormationPrices": "prices()",
    "listDownloads": "downloads()",
    "getLogCheckpoint": "log_checkpoint()",
    "listSnapshots": "snapshots()",
    "listCorrections": "corrections()",
}
"""Calls of the Python client by operation, with the parameters that they take."""

Value = str | float


@dataclass(frozen=True, slots=True)
class Sample:
    """The code of one call in one language; `name` identifies the language."""

    name: str
    label: str
    code: str


def body_of(example: Any, told: Mapping[str, Any], values: Mapping[str, Value]) -> Any:
    """Return the example of a body with the values of parameters in place of the document's own.

    Args:
        example: the example of the document.
        told: values of parameters that the document's examples have, by the parameters' keys.
        values: values to put in their place, by the same keys.
    """
    if isinstance(example, dict):
        return {name: body_of(value, told, values) for name, value in example.items()}
    if isinstance(example, list):
        return [body_of(value, told, values) for value in example]
    return next((values[key] for key, value in told.items() if value == example and key in values), example)


def samples_of(operation: Operation, base: str, values: Mapping[str, Value]) -> tuple[Sample, ...]:
    """Return the code of a call with the values of its required parameters.

    Args:
        operation: the operation to call.
        base: address of the service.
        values: values by the keys of parameters; one that is missing is left as a blank, such as `{id}`.
    """
    address = address_of(operation, base, values)
    return (
        Sample("curl", "curl", _curl(operation, address)),
        Sample("python", "Python", _python(operation, base, address, values)),
        Sample("javascript", "JavaScript", _javascript(operation, address)),
    )


def address_of(operation: Operation, base: str, values: Mapping[str, Value]) -> str:
    """Return the address of a call."""
    path, query = operation.path, {}
    for parameter in operation.parameters:
        if parameter.required and parameter.key in values:
            value = str(values[parameter.key])
            if parameter.place == "path":
                path = path.replace(f"{{{parameter.name}}}", quote(value, safe=""))
            else:
                query[parameter.name] = value
        elif parameter.required and parameter.place == "query":
            query[parameter.name] = f"{{{parameter.name}}}"
    told = urlencode(query, quote_via=quote, safe="{}")
    return f"{base}{path}{'?' if told else ''}{told}"


def _curl(operation: Operation, address: str) -> str:
    parts = ["curl"]
    if operation.method != "GET":
        parts.append(f"-X {operation.method}")
    if operation.credits is not None:
        parts.append('-H "Authorization: Bearer $LAW_KEY"')
    if operation.example is not None:
        body = json.dumps(operation.example, ensure_ascii=True).replace("'", "\\u0027")
        parts.append(f"--json '{body}'")
    return " ".join(parts) + (f" \\\n  '{address}'" if len(parts) > 1 else f" '{address}'")


def _python(operation: Operation, base: str, address: str, values: Mapping[str, Value]) -> str:
    call = CLIENT.get(operation.id)
    if call is not None:
        given = {
            parameter.name: _literal(values.get(parameter.key, f"{{{parameter.name}}}"))
            for parameter in operation.parameters
        }
        key = "" if operation.credits is None else f", key={_literal(KEY)}"
        return (
            "from legal_client import Client\n\n"
            f"with Client({_literal(base)}{key}) as law:\n"
            f"    print(law.{call.format_map(given)})"
        )
    lines = [f"    {_literal(operation.method)},", f"    {_literal(address)},"]
    if operation.credits is not None:
        lines.append(f'    headers={{"Authorization": "Bearer {KEY}"}},')
    if operation.example is not None:
        lines.append(f"    json={operation.example!r},")
    return "\n".join(["import httpx", "", "answer = httpx.request(", *lines, ")", "print(answer.text)"])


def _javascript(operation: Operation, address: str) -> str:
    options = []
    if operation.method != "GET":
        options.append(f"  method: {_literal(operation.method)},")
    if operation.credits is not None:
        options.append(f'  headers: {{ Authorization: "Bearer {KEY}" }},')
    if operation.example is not None:
        options.append(f"  body: JSON.stringify({json.dumps(operation.example, ensure_ascii=False)}),")
    given = ", {\n" + "\n".join(options) + "\n}" if options else ""
    read = "json" if operation.is_json else "text"
    return f"const answer = await fetch({_literal(address)}{given});\nconsole.log(await answer.{read}());"


def _literal(value: Value) -> str:
    """Return a value as Python and JavaScript both write it."""
    return json.dumps(value, ensure_ascii=False)
