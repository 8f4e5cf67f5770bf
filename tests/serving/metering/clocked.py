"""What gunicorn loads for tests that move the clock: the service's application on a clock in a file."""

import os
from pathlib import Path

from serving.accounts.billing import Billing
from serving.process.application import create_application
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings
from tests.serving.metering.clocks import CLOCK, FileClock

_settings = Settings.from_env()
_snapshots = SnapshotHolder(_settings.snapshots, pinned=_settings.pinned_snapshots)
_billing = Billing(
    _settings.database_url, durability=_settings.durability, clock=FileClock(Path(os.environ[CLOCK]))
)
app = create_application(_settings, _snapshots, _billing)
