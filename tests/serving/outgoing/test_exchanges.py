"""One exchange with a server that is real, slow, cut short or of another name: a whole answer within bounds, or none."""

import datetime
import ipaddress
import socket
import ssl
import threading
from contextlib import contextmanager
from time import monotonic
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from serving.outgoing.exchanges import Answer, Bounds, Request, UnreachedError, exchange

BOUNDS = Bounds(connect_seconds=1, total_seconds=1, answer_bytes=100)
ASKED = Request("GET", "/secret?of=the+asker", {"User-Agent": "tests"})


@contextmanager
def answering(*pieces, context=None, every=0.0):
    """Serve one connection with these bytes, some time apart; yields the address and what was received."""
    server, received, stop = socket.create_server(("127.0.0.1", 0)), [], threading.Event()

    def serve():
        try:
            connection = server.accept()[0]
            if context is not None:
                connection = context.wrap_socket(connection, server_side=True)
            with connection:
                received.append(connection.recv(65_536))
                for piece in pieces:
                    connection.sendall(piece)
                    stop.wait(every)
        except OSError:
            return  # the asker has left

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"//127.0.0.1:{server.getsockname()[1]}", received
    finally:
        stop.set()
        server.close()
        thread.join()


def reply(head, body=b""):
    return f"HTTP/1.1 {head}\r\n\r\n".encode() + body


def ask(where, bounds=BOUNDS, *, scheme="http", name=None):
    server = urlsplit(
        f"{scheme}:{where}" if name is None else f"{scheme}://{name}:{where.rpartition(':')[2]}"
    )
    return exchange(server, "127.0.0.1", ASKED, bounds)


def test_an_answer_comes_whole_with_its_status_and_its_wait():
    with answering(reply("429 X\r\nRetry-After: 7\r\nContent-Length: 2", b"ab")) as (where, received):
        assert ask(where) == Answer(429, "7", b"ab")
    sent = received[0].decode()
    assert sent.startswith("GET /secret?of=the+asker HTTP/1.1\r\nHost: 127.0.0.1:")
    assert "Connection: close" in sent


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("200 X\r\nContent-Length: 100", b"x" * 100),
        ("200 X\r\nTransfer-Encoding: chunked", b"64\r\n" + b"x" * 100 + b"\r\n0\r\n\r\n"),
        ("200 X", b"x" * 100),
    ],
)
def test_an_answer_may_have_as_many_bytes_as_it_is_allowed(head, body):
    with answering(reply(head, body)) as (where, _):
        assert ask(where).body == b"x" * 100


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (reply("200 X\r\nContent-Length: 101", b"x" * 101), "more than 100 bytes"),
        (reply("200 X", b"x" * 5_000), "more than 100 bytes"),
        (reply("200 X\r\nContent-Length: 50", b"x" * 49), "half an answer"),
        (reply("200 X\r\nTransfer-Encoding: chunked", b"64\r\nxx"), "IncompleteRead"),
        (b"hello\r\n\r\n", "BadStatusLine"),
        (b"", "RemoteDisconnected"),
        (reply("200 X\r\nA: " + "x" * 70_000), "LineTooLong"),
    ],
)
def test_what_is_no_whole_answer_is_none(answer, said):
    with answering(answer) as (where, _), pytest.raises(UnreachedError) as refused:
        ask(where)
    assert refused.value.message == said
    assert "secret" not in f"{refused.value} {refused.value.__cause__}"


@pytest.mark.parametrize("bounds", [BOUNDS, Bounds(connect_seconds=1, total_seconds=1)])
def test_a_server_that_trickles_is_left_in_time(bounds):
    with answering(*[b"H"] * 200, every=0.05) as (where, _):
        begun = monotonic()
        with pytest.raises(UnreachedError, match="no answer in time"):
            ask(where, bounds)
        assert monotonic() - begun < 8, "it takes ten seconds to end by itself"


def test_a_body_that_trickles_is_left_in_time_and_counts_for_nothing():
    trickle, begun = answering(reply("200 X"), *[b"x"] * 99, every=0.1), monotonic()
    with trickle as (where, _), pytest.raises(UnreachedError, match="no answer in time"):
        ask(where)
    assert monotonic() - begun < 8


@pytest.mark.parametrize("bounds", [BOUNDS, Bounds(connect_seconds=1, total_seconds=1)])
def test_a_head_that_does_not_end_is_no_answer_though_its_status_came(bounds):
    trickle, begun = answering(b"HTTP/1.1 200 X\r\n", *[b"A: b\r\n"] * 99, every=0.1), monotonic()
    with trickle as (where, _), pytest.raises(UnreachedError, match="no answer in time"):
        ask(where, bounds)
    assert monotonic() - begun < 8


def test_nobody_there_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(UnreachedError, match="ConnectionRefusedError"):
        ask(f"//127.0.0.1:{port}")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Files of a certificate for `right.example`, and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "right.example")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName(
        [x509.DNSName("right.example"), x509.IPAddress(ipaddress.ip_address("127.0.0.2"))]
    )
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("certificate")
    (folder / "certificate.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    pem, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, pem, plain))
    return folder / "certificate.pem", folder / "key.pem"


@pytest.mark.parametrize(
    ("name", "is_trusted", "reached"),
    [
        ("right.example", True, True),
        ("wrong.example", True, False),
        ("right.example", False, False),
    ],
)
def test_a_certificate_has_to_prove_the_name(certificate, monkeypatch, name, is_trusted, reached):
    if is_trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    whole = reply("200 X\r\nContent-Length: 2", b"ok")
    with answering(whole, context=context) as (where, received):
        if reached:
            assert ask(where, scheme="https", name=name).body == b"ok"
            return
        with pytest.raises(UnreachedError, match="SSLCertVerificationError"):
            ask(where, scheme="https", name=name)
        assert received == []
