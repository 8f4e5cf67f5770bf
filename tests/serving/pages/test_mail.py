"""Mail through a real server on this machine."""

import smtplib

import pytest

from serving.pages.mail import Mailer


def test_a_mail_arrives(mail_server):
    Mailer(mail_server.url, "law@example.org").send("ada@example.org", subject="Hello", text="A §.\n")
    mail = mail_server.wait()
    for line in ("From: law@example.org", "To: ada@example.org", "Subject: Hello"):
        assert line in mail


def test_a_server_that_is_not_there_is_an_error():
    with pytest.raises(ConnectionRefusedError):
        Mailer("smtp://127.0.0.1:9", "law@example.org").send("a@example.org", subject="s", text="t")


def test_a_server_without_the_login_that_is_configured_is_an_error(mail_server):
    url = mail_server.url.replace("smtp://", "smtp://user:s3cret@")
    mailer = Mailer(url, "law@example.org")
    assert "s3cret" not in repr(mailer)
    with pytest.raises(smtplib.SMTPException):
        mailer.send("a@example.org", subject="s", text="t")


def test_nobody_adds_headers_by_an_address(mail_server):
    with pytest.raises(ValueError, match="linefeed"):
        Mailer(mail_server.url, "law@example.org").send("a@b.c\r\nBcc: all@b.c", subject="s", text="t")
