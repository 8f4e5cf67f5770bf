"""The table of settings: names, defaults, accepted values and descriptions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from serving.settings import values

PREFIX = "LAW_"


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


TABLE = (
    Setting(
        "SNAPSHOTS",
        "snapshots",
        values.folder,
        "Folder that holds the snapshots and the pointer to the current one.",
    ),
    Setting("HOST", "127.0.0.1", values.host, "Address to listen on."),
    Setting("PORT", "8000", values.whole_number(1, 65535), "Port to listen on."),
    Setting("WORKERS", "0", values.whole_number(0, 256), "Worker processes; 0: one per usable core."),
    Setting(
        "BASE_URL",
        "",
        values.base_url,
        "Address under which clients reach the service, as in links and in the OpenAPI document; "
        "empty: made from host and port.",
    ),
    Setting(
        "TRUSTED_PROXIES",
        "127.0.0.1",
        values.networks,
        "Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed: addresses or networks, "
        "separated by commas; empty: none.",
    ),
    Setting(
        "UNKNOWN_KEYS_PER_MINUTE",
        "60",
        values.whole_number(1, 1_000_000),
        "How many keys that no account has a worker looks up for one network; the next are answered 429. "
        "Keys that work do not count.",
    ),
    Setting(
        "PAGES_PER_MINUTE",
        "300",
        values.whole_number(1, 1_000_000),
        "How many pages of law a worker answers one network, without a key; the next are answered 429.",
    ),
    Setting(
        "PAGE_SEARCHES_PER_MINUTE",
        "60",
        values.whole_number(1, 1_000_000),
        "How many searches of the page `/search` a worker answers one network, and how many points on a "
        "zoning map, addresses and businesses of a formation it looks up; the next are answered 429.",
    ),
    Setting(
        "DOWNLOADS_PER_MINUTE",
        "300",
        values.whole_number(1, 1_000_000),
        "How many downloads of files, or of parts of them, a worker begins for one network; the next are "
        "answered 429.",
    ),
    Setting("SEARCH_THREADS", "4", values.whole_number(1, 64), "Threads per worker that searches run on."),
    Setting(
        "MAX_CONCURRENT_SEARCHES",
        "64",
        values.whole_number(1, 10_000),
        "Searches per worker that run or wait, keys in turn; one more is answered 503 `overloaded`: of the "
        "key that has the most.",
    ),
    Setting(
        "POLL_SECONDS", "2", values.seconds(0.05, 3600), "How often a worker looks whether the pointer moved."
    ),
    Setting(
        "PINNED_SNAPSHOTS",
        "2",
        values.whole_number(0, 16),
        "Older snapshots per worker that stay open for reads with `snapshot=` or `date=`.",
    ),
    Setting(
        "VERIFY_HOURS",
        "24",
        values.hours,
        "How often one worker compares every byte of the open snapshots with their hashes, beside its other "
        "work; 0: only after opening.",
    ),
    Setting(
        "PROBE_SECONDS",
        "5",
        values.seconds(0.05, 3600),
        "How long no call may have written into the store of accounts before a worker tries whether it can.",
    ),
    Setting(
        "LOG_LEVEL",
        "info",
        values.log_level,
        "Least severe log records written: debug, info, warning, error.",
    ),
    Setting(
        "GRACEFUL_SECONDS",
        "30",
        values.whole_number(1, 3600),
        "How long requests may take to finish when a worker stops.",
    ),
    Setting(
        "DRAIN_SECONDS",
        "0",
        values.seconds(0, 3600),
        "How long after SIGTERM the server goes on while `/ready` answers 503, so that balancers send no "
        "more; another SIGTERM ends the wait.",
    ),
    Setting(
        "MAX_CONNECTIONS",
        "4096",
        values.whole_number(8, 1_000_000),
        "Connections per worker, fewer where the limit on open files allows fewer. Where there is no room, "
        "those that keep the server waiting longest are closed.",
    ),
    Setting(
        "CONNECTIONS_PER_ADDRESS",
        "256",
        values.whole_number(1, 1_000_000),
        "Connections per worker of one client address; trusted proxies may have any number.",
    ),
    Setting(
        "HEADER_SECONDS",
        "15",
        values.seconds(0.1, 3600),
        "How long the head of a request may take to come; longer is answered 408.",
    ),
    Setting(
        "BODY_SECONDS",
        "30",
        values.seconds(0.1, 3600),
        "How long a body may come at less than 1,000 bytes a second; longer is answered 408.",
    ),
    Setting(
        "IDLE_SECONDS", "75", values.seconds(0.1, 3600), "How long a connection may stay without a request."
    ),
    Setting(
        "WRITE_SECONDS",
        "30",
        values.seconds(0.1, 3600),
        "How long a client may take nothing of an answer before its connection is closed.",
    ),
    Setting(
        "MAX_REQUESTS",
        "0",
        values.whole_number(0, 10**8),
        "Requests after which a worker is replaced; 0: never.",
    ),
    Setting(
        "DATABASE_URL",
        "sqlite:///data/accounts/accounts.sqlite",
        values.database_url,
        "Where accounts, keys and the ledger are kept: `sqlite:///path/to/file` or "
        "`postgresql://user:password@host/database`.",
        secret=True,
    ),
    Setting(
        "DURABILITY",
        "normal",
        values.durability,
        "What SQLite flushes to the disk before it answers: `normal` purchases, grants and keys, "
        "`full` every charge.",
    ),
    Setting(
        "DATABASE_SECONDS",
        "5",
        values.seconds(0.1, 600),
        "How long PostgreSQL may take for a statement or a connection of the server; then the answer is 503.",
    ),
    Setting(
        "REQUEST_LOG_DAYS",
        "30",
        values.whole_number(0, 3650),
        "How many days account holders can look up the requests of their keys; 0: no request is kept.",
    ),
    Setting(
        "STRIPE_SECRET_KEY",
        "",
        values.optional_text,
        "Key of the Stripe account that sells credit packs; empty: packs are not sold, the operator "
        "grants credits.",
        secret=True,
    ),
    Setting(
        "STRIPE_WEBHOOK_SECRET",
        "",
        values.optional_text,
        "Signing secret of the Stripe webhook that reports to `/payments/stripe/webhook`.",
        secret=True,
    ),
    Setting(
        "SMTP_URL",
        "",
        values.smtp_url,
        "Mail server for links that reset a password or let a browser sign in: "
        "`smtp://user:password@host:port`, or `smtps://`; empty: the operator sets passwords.",
        secret=True,
    ),
    Setting("MAIL_FROM", "", values.mail_address, "Sender of that mail; needed with `LAW_SMTP_URL`."),
    Setting(
        "SECURITY_CONTACT",
        "",
        values.contact,
        "Where vulnerabilities are reported, a `mailto:` or `https://` address, published in "
        "`/.well-known/security.txt`, as `SECURITY.md` tells those who report; empty: nowhere.",
    ),
    Setting(
        "METRICS_ADDRESS",
        "",
        values.host_and_port,
        "Operator's own address, `host:port`, for `/metrics`, which no other address answers; empty: none.",
    ),
    Setting(
        "TRACES_URL",
        "",
        values.base_url,
        "Collector that takes traces by OTLP over HTTP, such as `http://127.0.0.1:4318`; empty: none are "
        "made.",
    ),
    Setting(
        "MCP_HOSTS",
        "",
        values.host_names,
        "Host names under which `/mcp` answers, beyond that of the base address and loopback ones: separated "
        "by commas; `*`: any.",
    ),
    Setting(
        "MCP_ORIGINS",
        "",
        values.origins,
        "Origins of web pages that may call `/mcp` and take tokens for it, beyond the service's own and "
        "loopback ones: separated by commas; `*`: any.",
    ),
    Setting(
        "OAUTH",
        "on",
        values.switch,
        "Whether people may connect agents by OAuth 2.1, `on` or `off`; off in any case where the base "
        "address is neither `https` nor of this machine.",
    ),
    Setting(
        "OPERATOR_PAGES",
        "",
        values.optional_folder,
        "Folder of the operator's own texts: `terms.md`, `privacy.md`, `status.md` and `contact.md`, shown "
        "at `/terms`, `/privacy`, `/status` and `/contact` and linked from every page; empty, or no such "
        "file: no page.",
    ),
    Setting(
        "WEBHOOK_HOSTS",
        "public",
        values.webhook_hosts,
        "Hosts that watches deliver to: `public`, by https alone; `local`: this machine too, for trying out.",
    ),
    Setting(
        "GEOCODER",
        "",
        values.geocoder,
        "Geocoder that zoning pages look addresses up with: `census:` and the base of the US Census Geocoder "
        "(`census:https://geocoding.geo.census.gov`), or `nominatim:` and that of a Nominatim; empty: "
        "addresses are not looked up.",
    ),
    Setting(
        "MIRROR_KEY",
        "",
        values.optional_file,
        "File of the key that signs what `lawctl mirror publish` writes; empty: nothing can be mirrored.",
    ),
    Setting(
        "PAGES",
        "data/pages",
        values.folder,
        "Folder of the pages that `lawctl pages prepare` makes before anybody asks; others are made when "
        "they are asked for.",
    ),
    Setting(
        "GUIDE", "guide", values.folder, "Folder of the guide that `make docs` built, shown at `/docs/guide`."
    ),
)
"""Every setting, in the order in which the guide lists them."""


def settings_table() -> str:
    """Return the settings as a Markdown table for the guide."""
    rows = ["| variable | default | what |", "|---|---|---|"]
    for setting in TABLE:
        default = f"`{setting.default}`" if setting.default else "empty"
        rows.append(f"| `{setting.variable}` | {default} | {setting.description} |")
    return "\n".join(rows) + "\n"
