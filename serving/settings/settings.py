"""The settings of a process, as the environment has them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from serving.contract.errors import LawError
from serving.settings.table import PREFIX, TABLE
from serving.settings.values import SQLITE

OF_THE_BUILD = frozenset(
    {"LAW_WORKSPACE", "LAW_WORKSPACE_CACHE", "LAW_SNAPSHOTS_CACHE", "LAW_DATASETS", "LAW_LOG_KEY"}
)
"""Variables with our prefix that the pipeline reads; a shell that builds may also serve."""
OF_CLIENTS = frozenset({"LAW_KEY"})
"""Variables with our prefix that the examples read; a shell that calls the server may also start it."""


class SettingsError(LawError):
    """A setting has a value that is not accepted; the message names the variable and the accepted values."""

    code = "settings_error"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings that an operator can make. The fields are described in `TABLE`."""

    snapshots: Path = Path("snapshots")
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 0
    base_url: str | None = None
    trusted_proxies: tuple[str, ...] = ("127.0.0.1",)
    unknown_keys_per_minute: int = 60
    pages_per_minute: int = 300
    page_searches_per_minute: int = 60
    downloads_per_minute: int = 300
    search_threads: int = 4
    max_concurrent_searches: int = 64
    poll_seconds: float = 2.0
    pinned_snapshots: int = 2
    verify_hours: float = 24.0
    probe_seconds: float = 5.0
    log_level: str = "info"
    graceful_seconds: int = 30
    drain_seconds: float = 0.0
    max_connections: int = 4096
    connections_per_address: int = 256
    header_seconds: float = 15.0
    body_seconds: float = 30.0
    idle_seconds: float = 75.0
    write_seconds: float = 30.0
    max_requests: int = 0
    database_url: str = field(default="sqlite:///data/accounts/accounts.sqlite", repr=False)
    durability: Literal["normal", "full"] = "normal"
    database_seconds: float = 5.0
    request_log_days: int = 30
    stripe_secret_key: str | None = field(default=None, repr=False)
    stripe_webhook_secret: str | None = field(default=None, repr=False)
    smtp_url: str | None = field(default=None, repr=False)
    mail_from: str | None = None
    security_contact: str | None = None
    metrics_address: str | None = None
    traces_url: str | None = None
    mcp_hosts: tuple[str, ...] = ()
    mcp_origins: tuple[str, ...] = ()
    oauth: Literal["on", "off"] = "on"
    operator_pages: Path | None = None
    webhook_hosts: Literal["public", "local"] = "public"
    geocoder: str | None = None
    mirror_key: Path | None = None
    pages: Path = Path("data/pages")
    guide: Path = Path("guide")

    @classmethod
    def from_env(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """Read the settings from the environment.

        Raises:
            SettingsError: a value is not accepted, or a variable with the prefix is no setting.
        """
        environment = os.environ if environment is None else environment
        known = {setting.variable for setting in TABLE}
        ours = known | OF_THE_BUILD | OF_CLIENTS
        unknown = sorted(name for name in environment if name.startswith(PREFIX) and name not in ours)
        if unknown:
            raise SettingsError(f"{', '.join(unknown)} is no setting; there are {', '.join(sorted(known))}.")
        values: dict[str, Any] = {}
        for setting in TABLE:
            value = environment.get(setting.variable, setting.default).strip()
            try:
                values[setting.name.lower()] = setting.parse(value)
            except ValueError as error:
                found = "is not accepted" if setting.secret else f"is {value!r}"
                raise SettingsError(f"{setting.variable} {found}; accepted is {error}.") from None
        return cls(**values)._checked()

    def _checked(self) -> "Settings":
        """Check the settings that depend on each other."""
        for one, other in (("stripe_secret_key", "stripe_webhook_secret"), ("smtp_url", "mail_from")):
            names = [PREFIX + name.upper() for name in (one, other)]
            if (getattr(self, one) is None) != (getattr(self, other) is None):
                raise SettingsError(f"{' and '.join(names)} need each other: set both or neither.")
        if self.metrics_port == self.port:
            raise SettingsError(
                "LAW_METRICS_ADDRESS needs another port than LAW_PORT: it is not for everybody."
            )
        return self

    def absolute(self) -> "Settings":
        """Return these settings with absolute paths, for a process that runs in another folder."""
        url = self.database_url
        if url.startswith(SQLITE):
            url = SQLITE + str(Path(url.removeprefix(SQLITE)).resolve())
        return replace(
            self,
            snapshots=self.snapshots.resolve(),
            database_url=url,
            pages=self.pages.resolve(),
            guide=self.guide.resolve(),
        )

    @property
    def public_url(self) -> str:
        """Base of every address of the service that it publishes, without a slash at the end."""
        if self.base_url is not None:
            return self.base_url
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104 (compared, not bound)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def metrics_port(self) -> int | None:
        """Port of the operator's own address; None if there is none."""
        return None if self.metrics_address is None else int(self.metrics_address.rpartition(":")[2])

    @property
    def worker_count(self) -> int:
        """Number of worker processes to start."""
        return self.workers or len(os.sched_getaffinity(0))

    def environment(self) -> dict[str, str]:
        """Return this process's environment with these settings, for a child process to read."""
        merged = dict(os.environ)
        for one in fields(self):
            merged[PREFIX + one.name.upper()] = _written(getattr(self, one.name))
        return merged


def _written(value: object) -> str:
    if value is None:
        return ""
    return ",".join(value) if isinstance(value, tuple) else str(value)


def client_key(environment: Mapping[str, str] | None = None) -> str | None:
    """Return the key with which this process calls a server: `LAW_KEY`; None if it is not set."""
    environment = os.environ if environment is None else environment
    return environment.get("LAW_KEY", "").strip() or None
