"""The model of the reference: operations by group, and once for all of them headers, errors and schemas."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from serving.pages.prose import line, paragraphs
from serving.pages.reference.schemas import (
    Field,
    SchemaEntry,
    fields_of,
    schema_entry,
    schema_name,
    type_words,
)

METHODS = ("get", "post", "put", "patch", "delete")
"""Methods that have an entry of their own. HEAD answers as GET does, without the body."""
_JSON = "application/json"

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an operation.

    Attributes:
        key: its name among the components of the document: two of one name, such as `id`, have two.
        place: `path` or `query`.
        choices: the only values that it takes; empty where there are others.
    """

    key: str
    name: str
    place: str
    required: bool
    kind: Markup
    description: Markup
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Header:
    """One header, of requests or of answers."""

    name: str
    description: Markup


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer that is an operation's own.

    Attributes:
        schema: name of the schema of its JSON; None where it has none.
    """

    status: str
    description: Markup
    media_types: tuple[str, ...]
    schema: str | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer that several operations give, told once for all of them; `id` is its place in the page."""

    status: str
    id: str
    description: Markup


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    Attributes:
        credits: what it costs; None where it needs no key.
        scopes: the scopes of which any opens it.
        body: the fields of its body, and `example` a body as JSON values; None where it takes none.
        outcomes: the answers that it shares with others.
    """

    id: str
    method: str
    path: str
    summary: str
    description: Markup
    credits: int | None
    scopes: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    body: tuple[Field, ...]
    example: Any
    answers: tuple[Answer, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def is_json(self) -> bool:
        """True if it answers JSON unless another form is asked for."""
        return any(kind.partition(";")[0].endswith("json") for kind in self.answers[0].media_types[:1])


@dataclass(frozen=True, slots=True)
class Group:
    """Operations that are listed together."""

    name: str
    description: Markup
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """All that the OpenAPI document says, for people.

    Attributes:
        examples: the values of parameters that the document's own examples have, by the parameters' keys.
    """

    title: str
    version: str
    summary: str
    basics: Markup
    groups: tuple[Group, ...]
    asked: tuple[Header, ...]
    answered: tuple[Header, ...]
    outcomes: tuple[Outcome, ...]
    schemas: tuple[SchemaEntry, ...]
    examples: Json

    @property
    def operations(self) -> Iterator[Operation]:
        """Every operation, in the order of the page."""
        return (operation for group in self.groups for operation in group.operations)


def read_reference(document: Json) -> Reference:
    """Return the reference that an OpenAPI document makes."""
    components, info = document["components"], document["info"]
    outcomes = _outcomes(document)
    operations = [
        (described["tags"][0], _operation(components, outcomes, method, path, described))
        for path, item in document["paths"].items()
        for method, described in item.items()
        if method in METHODS
    ]
    return Reference(
        title=info["title"],
        version=info["version"],
        summary=info["summary"],
        basics=paragraphs(info["description"]),
        groups=tuple(
            Group(
                tag["name"],
                line(tag["description"]),
                tuple(operation for name, operation in operations if name == tag["name"]),
            )
            for tag in document["tags"]
        ),
        asked=tuple(
            Header(parameter["name"], line(parameter["description"]))
            for parameter in components["parameters"].values()
            if parameter["in"] == "header"
        ),
        answered=tuple(_headers(document)),
        outcomes=tuple(sorted(dict.fromkeys(outcomes.values()), key=lambda one: one.status)),
        schemas=tuple(schema_entry(*entry) for entry in components["schemas"].items()),
        examples={
            key: parameter["example"]
            for key, parameter in components["parameters"].items()
            if "example" in parameter
        },
    )


def _operation(
    components: Json, outcomes: Mapping[tuple[str, str], Outcome], method: str, path: str, described: Json
) -> Operation:
    content = described.get("requestBody", {}).get("content", {}).get(_JSON, {})
    body = content.get("schema", {})
    body = components["schemas"].get(schema_name(body), body)
    responses = described["responses"].items()
    return Operation(
        id=described["operationId"],
        method=method.upper(),
        path=path,
        summary=described["summary"],
        description=paragraphs(described["description"]),
        credits=described.get("x-credits"),
        scopes=tuple(described.get("x-scopes", ())),
        parameters=tuple(_parameters(components, described.get("parameters", ()))),
        body=tuple(fields_of(body)),
        example=content.get("example"),
        answers=tuple(_answer(status, given) for status, given in responses if "$ref" not in given),
        outcomes=tuple(outcomes[status, given["$ref"]] for status, given in responses if "$ref" in given),
    )


def _parameters(components: Json, given: Iterable[Json]) -> Iterator[Parameter]:
    for one in given:
        key = one["$ref"].rpartition("/")[2] if "$ref" in one else one["name"]
        found = components["parameters"].get(key, one)
        if found["in"] == "header":  # those are told once for all operations
            continue
        schema = found["schema"]
        boolean = schema.get("type") == "boolean"
        yield Parameter(
            key=key,
            name=found["name"],
            place=found["in"],
            required=found["required"],
            kind=type_words(schema),
            description=line(found["description"] + _default(schema)),
            choices=("true", "false") if boolean else tuple(map(str, schema.get("enum", ()))),
        )


def _default(schema: Json) -> str:
    if "default" not in schema:
        return ""
    value = schema["default"]
    told = ",".join(value) if isinstance(value, list) else str(value).lower()
    return f" Default: `{told}`."


def _answer(status: str, given: Json) -> Answer:
    content = given.get("content", {})
    schemas = (schema_name(one["schema"]) for one in content.values())
    return Answer(
        status, line(given["description"]), tuple(content), next((one for one in schemas if one), None)
    )


def _outcomes(document: Json) -> dict[tuple[str, str], Outcome]:
    """Return the shared answers by status and reference; those that say the same are one."""
    by_words: dict[tuple[str, str], Outcome] = {}
    found = {}
    for status, reference in _shared(document):
        name = reference.rpartition("/")[2]
        words = document["components"]["responses"][name]["description"]
        found[status, reference] = by_words.setdefault(
            (status, words), Outcome(status, f"answer-{name}", line(words))
        )
    return found


def _shared(document: Json) -> Iterator[tuple[str, str]]:
    for status, given in _responses(document):
        if "$ref" in given:
            yield status, given["$ref"]


def _responses(document: Json) -> Iterator[tuple[str, Json]]:
    for item in document["paths"].values():
        for method, described in item.items():
            if method in METHODS:
                yield from described["responses"].items()


def _headers(document: Json) -> Iterator[Header]:
    """Yield the headers of answers, each once, under the name by which answers have it."""
    components = document["components"]
    answers = [*(given for _, given in _responses(document)), *components["responses"].values()]
    names = {
        header["$ref"].rpartition("/")[2]: name
        for given in answers
        for name, header in given.get("headers", {}).items()
        if "$ref" in header
    }
    for key, header in components["headers"].items():
        if key in names:
            yield Header(names[key], line(header["description"]))
