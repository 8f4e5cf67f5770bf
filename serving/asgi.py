"""What gunicorn loads: the application with this process's settings. The only module that acts on import."""

from serving.counting.processes import SHARE
from serving.http.app import create_app
from serving.http.middleware.lifespan import BillingLifespan, SnapshotLifespan
from serving.mcp.dispatch import Dispatcher, McpLifespan, create_desk, create_endpoint
from serving.mcp.toolbox import discovered
from serving.metering.billing import Billing
from serving.services.snapshots import SnapshotHolder
from serving.settings import Settings

_settings = Settings.from_env()
_snapshots = SnapshotHolder(
    _settings.snapshots, pinned=_settings.pinned_snapshots, distrusted_since=SHARE.died_at
)
_billing = Billing(
    _settings.database_url,
    durability=_settings.durability,
    unknown_keys_per_minute=_settings.unknown_keys_per_minute,
    patience=_settings.database_seconds,
)
_desk = create_desk(_settings, _snapshots, _billing)
_rest = create_app(_settings, _snapshots, _billing, pool=_desk.pool, service=_desk.search, tools=discovered())
_mcp = create_endpoint(_settings, _desk)
_rest.add_middleware(BillingLifespan(_billing, probe_seconds=_settings.probe_seconds))
_rest.add_middleware(
    SnapshotLifespan(_snapshots, poll_seconds=_settings.poll_seconds, verify_hours=_settings.verify_hours)
)
_rest.add_middleware(McpLifespan(_mcp))
app = Dispatcher(_rest, _mcp)
