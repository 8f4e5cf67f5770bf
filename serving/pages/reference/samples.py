"""Code that makes the call of an operation, with values that find something in the law that is served."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode

from serving.pages.code_samples import LABELS, Call, curl, javascript, literal, python
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
    "listWatches": "watches()",
    "getWatch": "watch({id})",
    "removeWatch": "remove_watch({id})",
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
    key = None if operation.credits is None else KEY
    call = Call(
        address_of(operation, base, values), key, operation.method, operation.example, operation.is_json
    )
    code = {
        "curl": curl(call if key is None else replace(call, key="$LAW_KEY")),
        "python": _of_client(operation, base, values) or python(call),
        "javascript": javascript(call),
    }
    return tuple(Sample(name, LABELS[name], text) for name, text in code.items())


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


def _of_client(operation: Operation, base: str, values: Mapping[str, Value]) -> str | None:
    """Return the program that uses the Python client; None where the client has no call of the operation."""
    call = CLIENT.get(operation.id)
    if call is None:
        return None
    given = {
        parameter.name: literal(values.get(parameter.key, f"{{{parameter.name}}}"))
        for parameter in operation.parameters
    }
    key = "" if operation.credits is None else f", key={literal(KEY)}"
    return (
        "from legal_client import Client\n\n"
        f"with Client({literal(base)}{key}) as law:\n"
        f"    print(law.{call.format_map(given)})"
    )
