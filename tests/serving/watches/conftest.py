"""Watches over either engine, on a clock that the test moves, and a receiver of what they deliver."""

from collections.abc import Iterator

import pytest

from serving.watches.watches import Watches
from tests.serving.meters import Meter
from tests.serving.watches.receivers import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def watches(meter: Meter) -> Watches:
    return Watches(meter.database)


@pytest.fixture
def account(meter: Meter) -> int:
    return meter.accounts.create().account_id
