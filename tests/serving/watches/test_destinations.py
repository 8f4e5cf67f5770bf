"""Addresses that deliveries may go to: public ones by https, and nothing by a detour."""

import ipaddress
import socket
import threading
import time

import pytest

from serving.contract.errors import ValidationError
from serving.watches import destinations
from serving.watches.destinations import DeliveryError, is_public, post, require_destination


@pytest.mark.parametrize(
    "url", ["https://hooks.example.org/law?x=1", "https://a.b.example:8443/", "https://xn--bcher-kva.example"]
)
def test_public_addresses_are_accepted(url):
    assert require_destination(url, local=False) == url


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/law",
        "ftp://hooks.example.org/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://169.254.169.254/latest",
        "https://[::1]/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://user:pw@hooks.example.org/",
        "https://hooks.example.org/#part",
        "https://hooks.example.org:0/",
        "https://hooks.example.org:99999/",
        "https://hooks example.org/",
        "https://bücher.example/",
        "https:///path",
        "hooks.example.org",
        "https://hooks.example.org/" + "x" * 2_000,
        "",
    ],
)  # fmt: skip
def test_other_addresses_are_refused_by_name(url):
    with pytest.raises(ValidationError, match="Field `url`") as refused:
        require_destination(url, local=False)
    assert refused.value.parameter == "url"


def test_this_machine_is_accepted_where_the_operator_says_so():
    assert require_destination("http://127.0.0.1:8000/x", local=True)
    assert require_destination("http://localhost:8000/x", local=True)
    for url in ("http://10.0.0.1/", "http://hooks.example.org/", "https://192.168.0.1/"):
        with pytest.raises(ValidationError):
            require_destination(url, local=True)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07::1", True),
        ("10.1.2.3", False),
        ("100.64.0.1", False),
        ("127.0.0.1", False),
        ("169.254.169.254", False),
        ("192.168.1.1", False),
        ("224.0.0.1", False),
        ("0.0.0.0", False),
        ("::1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b:1::a00:1", False),
        ("2002:a00:1::", False),
    ],
)
def test_an_address_is_public_only_if_what_it_embeds_is(address, public):
    assert is_public(ipaddress.ip_address(address)) is public


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["::ffff:127.0.0.1"], []]
)
def test_a_name_that_leads_inside_is_not_connected_to(monkeypatch, addresses):
    def resolve(_host, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]

    def connect(*_):
        raise AssertionError("connected")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(DeliveryError, match="host"):
        post("https://inside.example.org/", {}, b"{}", local=False)


def test_a_redirect_is_an_answer_and_is_not_followed(receiver):
    receiver.answers = [307]
    assert post(f"{receiver.url}/hook", {"X": "y"}, b"{}", local=True) == 307
    assert [one.path for one in receiver.received] == ["/hook"]


def test_a_receiver_that_trickles_is_left_in_time(monkeypatch):
    monkeypatch.setattr(destinations, "TOTAL_SECONDS", 0.5)
    server = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def trickle():
        connection, _ = server.accept()
        with connection:
            while not stop.wait(0.1):
                try:
                    connection.sendall(b"H")
                except OSError:
                    return

    thread = threading.Thread(target=trickle)
    thread.start()
    begun = time.monotonic()
    with pytest.raises(DeliveryError):
        post(f"http://127.0.0.1:{server.getsockname()[1]}/", {}, b"{}", local=True)
    assert time.monotonic() - begun < 20, "the receiver would go on for ever"
    stop.set()
    thread.join()
    server.close()


def test_a_host_that_refuses_or_has_no_certificate_is_told(receiver):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}/", receiver.url.replace("http:", "https:")):
        with pytest.raises(DeliveryError, match="not reached"):
            post(url, {}, b"{}", local=True)
