"""Settings of the server: one table, read from the environment here and nowhere else."""

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from serving.contract.errors import LawError

PREFIX = "LAW_"
OF_THE_BUILD = frozenset({"LAW_WORKSPACE", "LAW_DATASETS", "LAW_LOG_KEY"})
"""Variables with our prefix that the pipeline reads; a shell that builds may also serve."""
OF_CLIENTS = frozenset({"LAW_KEY"})
"""Variables with our prefix that the examples read; a shell that calls the server may also start it."""
SQLITE = "sqlite:///"
_ADDRESS = re.compile(r"(?:[A-Za-z0-9.\-]+|\[[0-9A-Fa-f:]+\]):[0-9]{1,5}")
LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(LawError):
    """A setting has a value that is not accepted; the message names the variable and the accepted values."""

    code = "settings_error"


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table of settings.

    Attributes:
        name: environment variable without its prefix; in lower case the field of `Settings`.
        default: default value, as it would be written in the environment.
        parse: function that returns the value, or raises ValueError with the accepted values.
        description: one sentence for people.
        secret: whether the value must not be shown, not even where it is refused.
    """

    name: str
    default: str
    parse: Callable[[str], Any]
    description: str
    secret: bool = False

    @property
    def variable(self) -> str:
        """Name of the environment variable."""
        return PREFIX + self.name


def _integer(low: int, high: int) -> Callable[[str], int]:
    def parse(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", value) or not low <= int(value) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(value)

    return parse


def _seconds(low: float, high: float) -> Callable[[str], float]:
    def parse(value: str) -> float:
        if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", value) or not low <= float(value) <= high:
            raise ValueError(f"a number of seconds from {low:g} to {high:g}")
        return float(value)

    return parse


def _hours(value: str) -> float:
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,6})?", value) or float(value) > 8760:
        raise ValueError("a number of hours from 0 to 8760")
    return float(value)


def _path(value: str) -> Path:
    if not value or "\0" in value:
        raise ValueError("a folder")
    return Path(value)


def _optional_path(value: str) -> Path | None:
    return _path(value) if value else None


def _host(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9.:\-]+", value):
        raise ValueError("a host name or an IP address without brackets")
    return value


def _base_url(value: str) -> str | None:
    if not value:
        return None
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("an http or https address without query and fragment")
    return value.rstrip("/")


def _database_url(value: str) -> str:
    # Many hosts hand out the short name of the scheme.
    url = re.sub(r"^postgres://", "postgresql://", value)
    file = url.removeprefix(SQLITE) if url.startswith(SQLITE) else None
    if file in ("", ":memory:") or (file is None and not re.match(r"postgresql://.", url)):
        raise ValueError("sqlite:///path/to/file or postgresql://user:password@host/database")
    return url


def _durability(value: str) -> str:
    if value.lower() not in ("normal", "full"):
        raise ValueError("normal or full")
    return value.lower()


def _smtp_url(value: str) -> str | None:
    if not value:
        return None
    parts = urlsplit(value)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path not in ("", "/"):
        raise ValueError("smtp://user:password@host:port, or smtps:// where TLS comes first")
    return value


def _mail_address(value: str) -> str | None:
    if value and not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", value):
        raise ValueError("a mail address such as law@example.org")
    return value or None


def _contact(value: str) -> str | None:
    if value and not re.fullmatch(r"(mailto:[^@\s<>]+@|https://)[^@\s<>]+", value):
        raise ValueError("mailto:security@example.org, or an https:// address")
    return value or None


def _address(value: str) -> str | None:
    port = value.rpartition(":")[2]
    if value and not (_ADDRESS.fullmatch(value) and 1 <= int(port) <= 65535):
        raise ValueError("host:port such as 127.0.0.1:9100 or [::1]:9100")
    return value or None


def _optional(value: str) -> str | None:
    return value or None


def _addresses(value: str) -> tuple[str, ...]:
    addresses = tuple(part.strip() for part in value.split(",") if part.strip())
    try:
        for address in addresses:
            if address != "*":
                ipaddress.ip_network(address)
    except ValueError:
        raise ValueError("IP addresses or networks such as 10.0.0.0/8, separated by commas, or *") from None
    return addresses


def _host_names(value: str) -> tuple[str, ...]:
    hosts = tuple(part.strip() for part in value.split(",") if part.strip())
    if not all(host == "*" or re.fullmatch(r"[A-Za-z0-9.\-]+|[0-9A-Fa-f:]+", host) for host in hosts):
        raise ValueError("host names without ports, separated by commas, or *")
    return hosts


def _origins(value: str) -> tuple[str, ...]:
    origins = tuple(part.strip() for part in value.split(",") if part.strip())
    if not all(origin == "*" or re.fullmatch(r"https?://[^\s/?#]+", origin) for origin in origins):
        raise ValueError("origins such as https://app.example.org, separated by commas, or *")
    return origins


def _switch(value: str) -> str:
    if value.lower() not in ("on", "off"):
        raise ValueError("on or off")
    return value.lower()


def _webhook_hosts(value: str) -> str:
    if value not in ("public", "local"):
        raise ValueError("public or local")
    return value


def _log_level(value: str) -> str:
    if value.lower() not in LOG_LEVELS:
        raise ValueError(f"one of {', '.join(LOG_LEVELS)}")
    return value.lower()


TABLE = (
    Setting(
        "SNAPSHOTS", "snapshots", _path, "Folder that holds the snapshots and the pointer to the current one."
    ),
    Setting("HOST", "127.0.0.1", _host, "Address to listen on."),
    Setting("PORT", "8000", _integer(1, 65535), "Port to listen on."),
    Setting("WORKERS", "0", _integer(0, 256), "Worker processes; 0: one per usable core."),
    Setting(
        "BASE_URL",
        "",
        _base_url,
        "Address under which clients reach the service, as in links and in the OpenAPI document; "
        "empty: made from host and port.",
    ),
    Setting(
        "TRUSTED_PROXIES",
        "127.0.0.1",
        _addresses,
        "Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed: addresses or networks, "
        "separated by commas; empty: none.",
    ),
    Setting(
        "UNKNOWN_KEYS_PER_MINUTE",
        "60",
        _integer(1, 1_000_000),
        "How many keys that no account has a worker looks up for one network; the next are answered 429. "
        "Keys that work do not count.",
    ),
    Setting(
        "PAGES_PER_MINUTE",
        "300",
        _integer(1, 1_000_000),
        "How many pages of law a worker answers one network, without a key; the next are answered 429.",
    ),
    Setting(
        "PAGE_SEARCHES_PER_MINUTE",
        "60",
        _integer(1, 1_000_000),
        "How many searches of the page `/search` a worker answers one network, and how many points on a "
        "zoning map and businesses of a formation it looks up; the next are answered 429.",
    ),
    Setting(
        "DOWNLOADS_PER_MINUTE",
        "300",
        _integer(1, 1_000_000),
        "How many downloads of files, or of parts of them, a worker begins for one network; the next are "
        "answered 429.",
    ),
    Setting("SEARCH_THREADS", "4", _integer(1, 64), "Threads per worker that searches run on."),
    Setting(
        "MAX_CONCURRENT_SEARCHES",
        "64",
        _integer(1, 10_000),
        "Searches per worker that run or wait, keys in turn; one more is answered 503 `overloaded`: of the "
        "key that has the most.",
    ),
    Setting("POLL_SECONDS", "2", _seconds(0.05, 3600), "How often a worker looks whether the pointer moved."),
    Setting(
        "PINNED_SNAPSHOTS",
        "2",
        _integer(0, 16),
        "Older snapshots per worker that stay open for reads with `snapshot=` or `date=`.",
    ),
    Setting(
        "VERIFY_HOURS",
        "24",
        _hours,
        "How often one worker compares every byte of the open snapshots with their hashes, beside its other "
        "work; 0: only after opening.",
    ),
    Setting(
        "PROBE_SECONDS",
        "5",
        _seconds(0.05, 3600),
        "How long no call may have written into the store of accounts before a worker tries whether it can.",
    ),
    Setting(
        "LOG_LEVEL", "info", _log_level, "Least severe log records written: debug, info, warning, error."
    ),
    Setting(
        "GRACEFUL_SECONDS",
        "30",
        _integer(1, 3600),
        "How long requests may take to finish when a worker stops.",
    ),
    Setting(
        "DRAIN_SECONDS",
        "0",
        _seconds(0, 3600),
        "How long after SIGTERM the server goes on while `/ready` answers 503, so that balancers send no "
        "more; another SIGTERM ends the wait.",
    ),
    Setting(
        "MAX_CONNECTIONS",
        "4096",
        _integer(8, 1_000_000),
        "Connections per worker, fewer where the limit on open files allows fewer. Where there is no room, "
        "those that keep the server waiting longest are closed.",
    ),
    Setting(
        "CONNECTIONS_PER_ADDRESS",
        "256",
        _integer(1, 1_000_000),
        "Connections per worker of one client address; trusted proxies may have any number.",
    ),
    Setting(
        "HEADER_SECONDS",
        "15",
        _seconds(0.1, 3600),
        "How long the head of a request may take to come; longer is answered 408.",
    ),
    Setting(
        "BODY_SECONDS",
        "30",
        _seconds(0.1, 3600),
        "How long a body may come at less than 1,000 bytes a second; longer is answered 408.",
    ),
    Setting("IDLE_SECONDS", "75", _seconds(0.1, 3600), "How long a connection may stay without a request."),
    Setting(
        "WRITE_SECONDS",
        "30",
        _seconds(0.1, 3600),
        "How long a client may take nothing of an answer before its connection is closed.",
    ),
    Setting("MAX_REQUESTS", "0", _integer(0, 10**8), "Requests after which a worker is replaced; 0: never."),
    Setting(
        "DATABASE_URL",
        "sqlite:///data/accounts/accounts.sqlite",
        _database_url,
        "Where accounts, keys and the ledger are kept: `sqlite:///path/to/file` or "
        "`postgresql://user:password@host/database`.",
        secret=True,
    ),
    Setting(
        "DURABILITY",
        "normal",
        _durability,
        "What SQLite flushes to the disk before it answers: `normal` purchases, grants and keys, "
        "`full` every charge.",
    ),
    Setting(
        "DATABASE_SECONDS",
        "5",
        _seconds(0.1, 600),
        "How long PostgreSQL may take for a statement or a connection of the server; then the answer is 503.",
    ),
    Setting(
        "REQUEST_LOG_DAYS",
        "30",
        _integer(0, 3650),
        "How many days account holders can look up the requests of their keys; 0: no request is kept.",
    ),
    Setting(
        "STRIPE_SECRET_KEY",
        "",
        _optional,
        "Key of the Stripe account that sells credit packs; empty: packs are not sold, the operator "
        "grants credits.",
        secret=True,
    ),
    Setting(
        "STRIPE_WEBHOOK_SECRET",
        "",
        _optional,
        "Signing secret of the Stripe webhook that reports to `/payments/stripe/webhook`.",
        secret=True,
    ),
    Setting(
        "SMTP_URL",
        "",
        _smtp_url,
        "Mail server for links that reset a password or let a browser sign in: "
        "`smtp://user:password@host:port`, or `smtps://`; empty: the operator sets passwords.",
        secret=True,
    ),
    Setting("MAIL_FROM", "", _mail_address, "Sender of that mail; needed with `LAW_SMTP_URL`."),
    Setting(
        "SECURITY_CONTACT",
        "",
        _contact,
        "Where vulnerabilities are reported, a `mailto:` or `https://` address, published in "
        "`/.well-known/security.txt`, as `SECURITY.md` tells those who report; empty: nowhere.",
    ),
    Setting(
        "METRICS_ADDRESS",
        "",
        _address,
        "Operator's own address, `host:port`, for `/metrics`, which no other address answers; empty: none.",
    ),
    Setting(
        "TRACES_URL",
        "",
        _base_url,
        "Collector that takes traces by OTLP over HTTP, such as `http://127.0.0.1:4318`; empty: none are "
        "made.",
    ),
    Setting(
        "MCP_HOSTS",
        "",
        _host_names,
        "Host names under which `/mcp` answers, beyond that of the base address and loopback ones: separated "
        "by commas; `*`: any.",
    ),
    Setting(
        "MCP_ORIGINS",
        "",
        _origins,
        "Origins of web pages that may call `/mcp` and take tokens for it, beyond the service's own and "
        "loopback ones: separated by commas; `*`: any.",
    ),
    Setting(
        "OAUTH",
        "on",
        _switch,
        "Whether people may connect agents by OAuth 2.1, `on` or `off`; off in any case where the base "
        "address is neither `https` nor of this machine.",
    ),
    Setting(
        "OPERATOR_PAGES",
        "",
        _optional_path,
        "Folder of the operator's own texts: `terms.md`, `privacy.md`, `status.md` and `contact.md`, shown "
        "at `/terms`, `/privacy`, `/status` and `/contact` and linked from every page; empty, or no such "
        "file: no page.",
    ),
    Setting(
        "WEBHOOK_HOSTS",
        "public",
        _webhook_hosts,
        "Hosts that watches deliver to: `public`, by https alone; `local`: this machine too, for trying out.",
    ),
    Setting("GUIDE", "guide", _path, "Folder of the guide that `make docs` built, shown at `/docs/guide`."),
)
"""Every setting, in the order in which the guide lists them."""


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
        return replace(self, snapshots=self.snapshots.resolve(), database_url=url, guide=self.guide.resolve())

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


def settings_table() -> str:
    """Return the settings as a Markdown table for the guide."""
    rows = ["| variable | default | what |", "|---|---|---|"]
    for setting in TABLE:
        default = f"`{setting.default}`" if setting.default else "empty"
        rows.append(f"| `{setting.variable}` | {default} | {setting.description} |")
    return "\n".join(rows) + "\n"
