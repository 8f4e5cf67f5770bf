"""Python client of the legal research API. It needs httpx and nothing else.

with Client("https://law.example", key=KEY) as law:
    for item in law.search_all("return of a security deposit", jurisdiction="dc", most=50):
        print(item.citation, item.heading)
"""

from legal_client.asynchronous import AsyncClient
from legal_client.client import Client
from legal_client.connection import Connection, MisusedError, Patience
from legal_client.errors import (
    ConnectionFailedError,
    DamagedDownloadError,
    InsufficientCreditsError,
    InsufficientScopeError,
    InvalidKeyError,
    LegalError,
    MalformedAnswerError,
    NotFoundError,
    NotWrittenError,
    RateLimitedError,
    ServiceError,
    UnavailableError,
    ValidationError,
)

__all__ = [
    "AsyncClient",
    "Client",
    "Connection",
    "ConnectionFailedError",
    "DamagedDownloadError",
    "InsufficientCreditsError",
    "InsufficientScopeError",
    "InvalidKeyError",
    "LegalError",
    "MalformedAnswerError",
    "MisusedError",
    "NotFoundError",
    "NotWrittenError",
    "Patience",
    "RateLimitedError",
    "ServiceError",
    "UnavailableError",
    "ValidationError",
]
