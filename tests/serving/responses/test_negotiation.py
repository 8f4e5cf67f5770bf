"""Accept and If-None-Match, as RFC 9110 has them."""

import pytest

from serving.responses.negotiation import (
    LONGEST,
    NotAcceptableError,
    accepted_type,
    matches,
    wants_problem,
)

JSON, MARKDOWN, TEXT = "application/json", "text/markdown", "text/plain"
ALL = (JSON, MARKDOWN, TEXT)


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        (None, JSON),
        ("*/*", JSON),
        ("text/html, */*;q=0.1", JSON),
        ("text/markdown", MARKDOWN),
        ("text/*", MARKDOWN),
        ("text/plain, text/markdown;q=0.5", TEXT),
        ("application/json;q=0.1, text/plain", TEXT),
        ("application/problem+json", JSON),
        ("application/*", JSON),
        ("Text/Markdown", MARKDOWN),
        ("TEXT/*;Q=0.5, APPLICATION/JSON;Q=0.1", MARKDOWN),
        ("text/plain,", TEXT),
        (",, text/plain , ,application/json;q=0.9", TEXT),
        ("", JSON),
        (" , ", JSON),
    ],
)
def test_best_type_is_chosen(header, chosen):
    assert accepted_type(header, ALL) == chosen


@pytest.mark.parametrize(
    "header",
    [
        *("text/html", "application/json;q=0", "APPLICATION/JSON;Q=0", "application/xml", "application/xml,"),
        *("json", "application/json;q=2", "a b, application/json"),
    ],
)
def test_nothing_acceptable_is_refused(header):
    with pytest.raises(NotAcceptableError, match=JSON):
        accepted_type(header, (JSON,))


@pytest.mark.parametrize(
    ("header", "is_wanted"),
    [
        (None, False),
        ("*/*", False),
        ("application/*", False),
        ("application/problem+json", True),
        ("Application/Problem+JSON,", True),
        ("application/problem+json;q=0.5", True),
        ("application/json, application/problem+json", True),
        ("application/json;q=0.5, application/problem+json;q=0.4", False),
        ("application/problem+json;q=0.1, */*", False),
        ("application/json, application/problem+json;q=0", False),
        ("application/problem+json, json", False),
    ],
)
def test_errors_are_problems_where_they_are_named_and_nothing_is_liked_better(header, is_wanted):
    assert wants_problem(header) is is_wanted


@pytest.mark.parametrize(
    ("header", "same"),
    [
        (None, False),
        ("*", True),
        ('"a"', True),
        ('W/"a"', True),
        ('"b", "a"', True),
        ('"b"', False),
        ("a", False),
        ('"a-gzip"', False),
    ],
)
def test_entity_tags_compare_weakly(header, same):
    assert matches(header, '"a"') is same
    assert matches(header, 'W/"a"') is same


def test_headers_longer_than_any_client_sends_are_taken_for_none():
    padding = "a" * LONGEST
    assert accepted_type(f"text/plain, text/{padding}", ALL) == JSON
    assert not wants_problem(f"application/problem+json, text/{padding}")
    assert wants_problem("application/problem+json")
