"""Mail over SMTP: one message for each connection, encrypted wherever the server supports it."""

import smtplib
import ssl
from dataclasses import dataclass, field
from email.message import EmailMessage
from urllib.parse import SplitResult, unquote, urlsplit

from serving.contract.loopback import is_loopback

TIMEOUT_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Mailer:
    """Sends mail through one server. Its URL may hold a password and stays out of `repr`.

    Attributes:
        url: `smtp://user:password@host:port`, or `smtps://` where TLS comes first.
        sender: address of the sender.
    """

    url: str = field(repr=False)
    sender: str

    def send(self, to: str, *, subject: str, text: str) -> None:
        """Hand one message to the server.

        Raises:
            OSError: the server cannot be reached, refuses, or would be sent a password in the clear.
        """
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, to, subject
        message.set_content(text)
        parts = urlsplit(self.url)
        with _connect(parts) as server:
            if parts.username is not None:
                server.login(unquote(parts.username), unquote(parts.password or ""))
            server.send_message(message)


def _connect(parts: SplitResult) -> smtplib.SMTP:
    host, secure = parts.hostname or "", ssl.create_default_context()
    if parts.scheme == "smtps":
        return smtplib.SMTP_SSL(host, parts.port or 465, timeout=TIMEOUT_SECONDS, context=secure)
    server = smtplib.SMTP(host, parts.port or 587, timeout=TIMEOUT_SECONDS)
    try:
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls(context=secure)
            server.ehlo()
        elif parts.username is not None and not is_loopback(host):
            raise smtplib.SMTPNotSupportedError("the server offers no encryption for the password")
    except BaseException:
        server.close()
        raise
    return server
