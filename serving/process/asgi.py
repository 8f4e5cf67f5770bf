"""The application that gunicorn loads, built from the environment. No other module acts on import."""

from serving.accounts.billing import Billing
from serving.counting.processes import SHARE
from serving.process.application import create_application
from serving.process.drain import DRAIN
from serving.process.tracing import TracedApplication
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings

_settings = Settings.from_env()
snapshots = SnapshotHolder(
    _settings.snapshots, pinned=_settings.pinned_snapshots, distrusted_since=SHARE.died_at
)
_billing = Billing(
    _settings.database_url,
    durability=_settings.durability,
    unknown_keys_per_minute=_settings.unknown_keys_per_minute,
    patience=_settings.database_seconds,
    request_log_days=_settings.request_log_days,
)
application = create_application(_settings, snapshots, _billing, is_stopping=DRAIN.is_under_way)
app = application if _settings.traces_url is None else TracedApplication(application, _settings.traces_url)
