"""Redirect URIs: which may be registered, which match, where they lead."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.authorization.redirect_uris import (
    destination,
    is_acceptable,
    is_match,
    policy_source,
    with_answer,
)


@pytest.mark.parametrize(
    "uri",
    [
        "https://claude.ai/api/mcp/auth_callback",
        "https://chatgpt.com/connector_platform_oauth_redirect",
        "https://agent.example:8443/cb?tenant=a%20b&x",
        "http://127.0.0.1:33418/",
        "http://127.0.0.1/callback",
        "http://[::1]:5000/callback",
        "http://localhost:6274/oauth/callback",
        "com.example.agent:/callback",
        "com.example.agent://callback",
        "cursor://anysphere.cursor-retrieval/oauth/callback",
    ],
)
def test_these_may_be_registered(uri):
    assert is_acceptable(uri)
    assert is_match(uri, uri)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "https://",
        "https:///path",
        "https:agent.example",
        "/callback",
        "//agent.example/callback",
        "agent.example/callback",
        "http://agent.example/callback",
        "http://127.0.0.1.evil.example/",
        "http://localhost.evil.example/",
        "http://128.0.0.1/",
        "http://10.0.0.1/",
        "https://agent.example/cb#part",
        "https://ada@agent.example/cb",
        "https://ada:secret@agent.example/cb",
        "https://agent.example:port/cb",
        "https://agent.example:99999/cb",
        "https://agent.example/c b",
        "https://agent.example/c\nb",
        'https://agent.example/"b',
        "https://agent.example\\@evil.example/",
        "https://agent.example;script-src/",
        "https://*.example/",
        "https://ägent.example/",
        "HTTPS://agent.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "mailto:a@agent.example",
        "ms-msdt:/id",
        "intent://x",
        "view-source:https://agent.example/",
        "https://agent.example/" + "a" * 500,
    ],
)
def test_these_may_not(uri):
    assert not is_acceptable(uri)


@pytest.mark.parametrize(
    ("uri", "registered", "matches"),
    [
        ("http://127.0.0.1:50123/cb", "http://127.0.0.1:8080/cb", True),
        ("http://127.0.0.1:50123/cb", "http://127.0.0.1/cb", True),
        ("http://[::1]:50123/cb", "http://[::1]/cb", True),
        ("http://localhost:3/cb?a=b", "http://localhost/cb?a=b", True),
        ("http://localhost:3/cb", "http://127.0.0.1/cb", False),
        ("http://127.0.0.2:3/cb", "http://127.0.0.1:3/cb", False),
        ("http://127.0.0.1:3/other", "http://127.0.0.1:3/cb", False),
        ("http://127.0.0.1:3/cb?x", "http://127.0.0.1:3/cb", False),
        ("http://127.0.0.1:3/cb/", "http://127.0.0.1:3/cb", False),
        ("http://127.0.0.1:3/cb#x", "http://127.0.0.1:3/cb", False),
        ("http://ada@127.0.0.1:3/cb", "http://127.0.0.1:3/cb", False),
        ("https://127.0.0.1:3/cb", "http://127.0.0.1:3/cb", False),
        ("https://localhost:4/cb", "https://localhost:3/cb", False),
        ("https://agent.example:444/cb", "https://agent.example/cb", False),
        ("https://agent.example:443/cb", "https://agent.example/cb", False),
        ("https://AGENT.example/cb", "https://agent.example/cb", False),
        ("https://agent.example/CB", "https://agent.example/cb", False),
        ("https://agent.example/a/../cb", "https://agent.example/cb", False),
        ("com.example.agent:/cb2", "com.example.agent:/cb", False),
    ],
)
def test_only_the_port_of_a_loopback_address_may_differ(uri, registered, matches):
    assert is_match(uri, registered) is matches


@pytest.mark.parametrize(
    ("uri", "host", "source"),
    [
        ("https://claude.ai/cb", "claude.ai", "https://claude.ai"),
        ("https://agent.example:8443/cb", "agent.example:8443", "https://agent.example:8443"),
        ("http://127.0.0.1:9/cb", None, "http://127.0.0.1:9"),
        ("http://[::1]:9/cb", None, "http:"),
        ("com.example.agent:/cb", None, "com.example.agent:"),
    ],
)
def test_people_and_browsers_are_told_where_it_leads(uri, host, source):
    assert (destination(uri), policy_source(uri)) == (host, source)


@pytest.mark.parametrize(
    "uri",
    [
        "https://a.example/cb",
        "https://a.example/cb?x=1",
        "https://a.example/cb?x=%2F+y&",
        "https://a.example/cb?",
    ],
)
def test_an_answer_leaves_what_was_there_as_it_was(uri):
    answered = with_answer(uri, {"code": "c", "state": "a&b=c d"})
    assert answered.startswith(uri)
    before, after = (
        parse_qs(urlsplit(one).query, keep_blank_values=True, strict_parsing=False) for one in (uri, answered)
    )
    assert after == before | {"code": ["c"], "state": ["a&b=c d"]}


@given(st.text(max_size=60))
def test_any_text_is_judged(text):
    for uri in (text, f"https://{text}", f"http://127.0.0.1:{text}", f"a.b:{text}"):
        if is_acceptable(uri):
            # Nothing of it can end the policy's directive, or begin another.
            assert not set(policy_source(uri)) & set(" ;,'\"\r\n")
            assert urlsplit(with_answer(uri, {"code": "c"})).query.endswith("code=c")
        is_match(uri, "http://127.0.0.1:3/cb")
