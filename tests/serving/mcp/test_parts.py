"""The parts of the server that need no server: pages, hosts, shapes, hidden characters, URIs."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.api.faulty import Faulty
from serving.api.operations import OF_AGENTS
from serving.contract.errors import NotFoundError, ValidationError
from serving.mcp.host_policy import HostPolicy
from serving.mcp.links import Address, read_uri, uri_of
from serving.mcp.pages import cut_page
from serving.mcp.schemas import input_schema, read_arguments
from serving.mcp.server import INSTRUCTIONS
from serving.mcp.toolbox import TOOLS
from serving.mcp.tools.quotes import VerifyQuotes
from serving.mcp.tools.search import Search
from serving.mcp.untrusted import shown
from serving.pages.chart import LABELS
from serving.settings.settings import Settings, SettingsError

ID = "6f0b8c1e-3c59-5a0e-9d53-2b1f6c9d7e41"


@pytest.mark.hypothesis
@given(
    text=st.text(alphabet="ab. ;\né§𝔸", max_size=200),
    characters=st.integers(1, 60),
    most_bytes=st.integers(4, 90),
)
def test_pages_put_together_are_the_text(text, characters, most_bytes):
    start: int | None = 0
    pages = []
    while start is not None:
        page = cut_page(text, start, characters=characters, most_bytes=most_bytes)
        assert page.end - page.start <= characters
        assert len(text[page.start : page.end].encode()) <= most_bytes
        pages.append(text[page.start : page.end])
        assert page.next is None or page.next > start
        start = page.next
    assert "".join(pages) == text


def test_a_page_ends_where_a_reader_pauses():
    for pause in ("\n", ". ", "; ", " "):
        text = "a" * 90 + pause + "b" * 50
        assert cut_page(text, 0, characters=100, most_bytes=999).end == 90 + len(pause)


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("law.example", True),
        ("LAW.example:8443", True),
        ("extra.example", True),
        ("localhost:1", True),
        ("[::1]:80", True),
        ("law.example.evil.example", False),
        ("evil.example", False),
        ("", False),
        (None, False),
        ("[", False),
    ],
)
def test_hosts(host, known):
    assert HostPolicy("https://law.example", ["Extra.example"]).knows(host) is known


def test_any_host_may_be_let_in():
    assert HostPolicy("https://law.example", ["*"]).knows("anything.example")


@pytest.mark.parametrize("value", ["law.example:80", "a b", "https://law.example"])
def test_hosts_are_set_without_ports(value):
    with pytest.raises(SettingsError, match="LAW_MCP_HOSTS"):
        Settings.from_env({"LAW_MCP_HOSTS": value})


@pytest.mark.parametrize("value", ["law.example", "https://law.example/", "ftp://law.example"])
def test_origins_are_set_whole(value):
    with pytest.raises(SettingsError, match="LAW_MCP_ORIGINS"):
        Settings.from_env({"LAW_MCP_ORIGINS": value})
    assert Settings.from_env({"LAW_MCP_ORIGINS": "https://a.example, *"}).mcp_origins == (
        "https://a.example",
        "*",
    )


def test_an_unknown_argument_is_told_before_a_missing_one():
    with pytest.raises(ValidationError, match="Unknown argument `q`: this tool takes query, jurisdiction"):
        read_arguments(Search, {"q": "x"})


def test_an_item_that_is_wrong_says_so_and_fails_alone():
    read: Any = read_arguments(VerifyQuotes, {"quotes": [{"citation": "x"}, {"citation": "x", "quote": "y"}]})
    faulty, sound = read.quotes
    assert faulty == Faulty({"citation": "x"}, "Argument `quotes[0].quote` is required.")
    assert (sound.citation, sound.quote) == ("x", "y")


def test_faults_without_end_are_counted_and_not_looked_through():
    with pytest.raises(ValidationError, match=r"have 5,00\d faults"):
        read_arguments(Search, {f"x{number}": 1 for number in range(5_000)})


def test_schemas_are_plain():
    schema = input_schema(VerifyQuotes)
    assert schema["properties"]["quotes"]["items"]["properties"]["nodeId"]["format"] == "uuid"
    assert schema["required"] == ["quotes"]
    assert not {"$defs", "$ref", "anyOf", "title"} & set(str(schema).replace("'", " ").split())


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_schemas_leave_out_what_a_fault_tells(tool):
    properties = input_schema(tool.arguments)["properties"]
    told = {key for one in properties.values() for key in one}
    assert told <= {"type", "format", "description", "default", "enum", "items"}
    assert all(one.get("default", True) for one in properties.values()), (
        "what is left out is false or nothing"
    )
    assert "description" not in properties.get("quotes", {}).get("items", {}), "that of the record is for us"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_price_is_told_where_it_is_not_the_usual(tool):
    described = tool.listed().description
    price = tool.operation.price
    assert (f"Costs {price}." in described) == (price != "1 credit")
    assert "A call costs 1 credit, unless its tool says otherwise" in INSTRUCTIONS


def test_what_hides_is_shown():
    hidden = "a\x1b[31m\u202eb\U000e0041\U000e0042c\nd\te"
    assert shown(hidden) == "a�[31m�b��c\nd\te"
    assert len(shown(hidden)) == len(hidden)
    assert shown("§ 107—“work”") == "§ 107—“work”"


def test_uris_lead_there_and_back():
    assert read_uri(uri_of(ID)) == Address(UUID(ID))
    assert read_uri(uri_of(ID, offset=7, snapshot="2026.11.21-1")) == Address(UUID(ID), 7, "2026.11.21-1")


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "law://",
        f"http://{ID}",
        f"law://{ID}/x",
        f"law://{ID}#x",
        "law://[",
    ],
)
def test_what_is_no_uri_of_ours_is_not_found(uri):
    with pytest.raises(NotFoundError):
        read_uri(uri)


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("offset=-1", "offset"),
        ("offset=", "offset"),
        ("offset", "offset"),
        ("offset=1&offset=2", "offset"),
        ("offset=1234567890", "offset"),
        ("page=2", "page"),
        ("snapshot=latest", "snapshot"),
        ("snapshot=", "snapshot"),
        ("snapshot=2026.11.21-1%00", "snapshot"),
        ("snapshot=%FF", "snapshot"),
    ],
)
def test_parameters_of_uris_are_refused_as_those_of_the_api(query, named):
    with pytest.raises(ValidationError) as refused:
        read_uri(f"law://{ID}?{query}")
    assert refused.value.parameter == named


def test_a_quotation_of_many_sections_is_told_what_to_cite():
    (tool,) = [tool for tool in TOOLS if tool.name == "verify_quotes"]
    assert "(`et seq.`, a long range), cite the one that is quoted" in (tool.listed().description or "")


def test_what_is_charged_here_alone_has_a_label_in_the_chart():
    assert {operation.name for operation in OF_AGENTS} <= set(LABELS)
