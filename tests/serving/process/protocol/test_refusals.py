"""Answers to refused requests, in the form of the door that their path leads to."""

from serving.contract.errors import OverloadedError
from serving.process.protocol.refusals import HeadersTooLargeError, Refusals, Refused

USUAL = [(b"server", b"law")]


def lines_of(answer: bytes) -> tuple[list[bytes], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.split(b"\r\n"), body


def test_a_door_answers_in_its_own_words_at_its_paths() -> None:
    refusals = Refusals(
        doors={
            "/door": lambda error, request_id, asked: (error.code.encode(), [(b"a", asked[b"b"].encode())])
        }
    )
    error = HeadersTooLargeError("Too many.")
    for url in (b"/door", b"/%64oor?x=1"):
        (status, *headers), body = lines_of(refusals.answer(error, Refused(url, {b"b": "c"}), USUAL, "mine"))
        assert status == b"HTTP/1.1 431 Request Header Fields Too Large"
        assert headers == [b"server: law", b"a: c", b"content-length: 17", b"connection: close"]
        assert body == b"headers_too_large"
    for url in (b"", b"/doors", b"/door/x", b"/"):
        _, body = lines_of(refusals.answer(error, Refused(url, {}), USUAL, "mine"))
        assert body.startswith(b'{"error":"headers_too_large"')


def test_a_refusal_says_when_to_try_again() -> None:
    error = OverloadedError("Full.", retry_after_seconds=3)
    (status, *headers), body = lines_of(Refusals().answer(error, Refused(b"/api/v1/me"), (), "mine"))
    assert status == b"HTTP/1.1 503 Service Unavailable"
    assert b"retry-after: 3" in headers
    assert b'"retryAfterSec":3' in body
