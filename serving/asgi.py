"""What gunicorn loads: the application with this process's settings. The only module that acts on import."""

from serving.http.app import create_app
from serving.http.middleware.lifespan import BillingLifespan, SnapshotLifespan
from serving.metering.billing import Billing
from serving.services.snapshots import SnapshotHolder
from serving.settings import Settings

_settings = Settings.from_env()
_snapshots = SnapshotHolder(_settings.snapshots, pinned=_settings.pinned_snapshots)
_billing = Billing(_settings.database_url, durability=_settings.durability)
app = create_app(_settings, _snapshots, _billing)
app.add_middleware(BillingLifespan(_billing))
app.add_middleware(SnapshotLifespan(_snapshots, poll_seconds=_settings.poll_seconds))
