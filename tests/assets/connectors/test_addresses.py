"""Redirects and links: which of them are followed."""

import pytest

from assets.connectors.addresses import followed, linked
from assets.connectors.errors import FetchError


@pytest.mark.parametrize(
    ("address", "location", "target"),
    [
        ("https://a.example/x", "https://b.example/y", "https://b.example/y"),
        ("https://a.example/x", "/y", "https://a.example/y"),
        ("https://a.example/d/x", "y?z=1", "https://a.example/d/y?z=1"),
        ("https://a.example/x", "//b.example/y", "https://b.example/y"),
        ("http://127.0.0.1:80/x", "/y", "http://127.0.0.1:80/y"),
    ],
)
def test_these_are_followed(address: str, location: str, target: str) -> None:
    assert followed(address, location) == target


@pytest.mark.parametrize(
    ("address", "location"),
    [
        ("https://a.example/x", "http://a.example/x"),
        ("https://a.example/x", "http://b.example/x"),
        ("https://a.example/x", "ftp://a.example/x"),
        ("https://a.example/x", "file:///etc/passwd"),
        ("https://a.example/x", "https://me:secret@b.example/x"),
        ("https://a.example/x", "https://127.0.0.1/x"),
        ("https://a.example/x", "https://[::1]/x"),
        ("https://a.example/x", "https://169.254.169.254/latest"),
        ("https://a.example/x", "https://10.0.0.1/x"),
        ("https://a.example/x", "https://localhost:8443/x"),
        ("https://a.example/x", "https://metadata.internal/x"),
        ("http://127.0.0.1:80/x", "http://127.0.0.1:81/x"),
        ("http://127.0.0.1:80/x", "http://b.example/x"),
        ("http://127.0.0.1:80/x", "https://b.example/x"),
        ("https://a.example/x", "https://["),
    ],
)
def test_these_are_not(address: str, location: str) -> None:
    with pytest.raises(FetchError):
        followed(address, location)


def test_links_of_a_page_stay_on_its_host() -> None:
    assert linked("https://a.example/d/page", "files/x.zip") == "https://a.example/d/files/x.zip"
    with pytest.raises(FetchError, match="another host"):
        linked("https://a.example/d/page", "https://b.example/x.zip")
