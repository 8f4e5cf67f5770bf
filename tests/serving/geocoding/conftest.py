"""A geocoder on this machine."""

from collections.abc import Iterator

import pytest

from tests.serving.geocoding.geocoders import FakeGeocoder, geocoding


@pytest.fixture
def service() -> Iterator[FakeGeocoder]:
    with geocoding() as service:
        yield service
