"""What Nominatim's answers say of how exact a point is: by their rank, their kind and their house number."""

import pytest

from serving.geocoding.matches import BrokenAnswerError, Exactness
from serving.geocoding.nominatim import read
from tests.serving.geocoding.geocoders import place, street


@pytest.mark.parametrize(
    ("more", "exactness"),
    [
        ({}, Exactness.HOUSE),
        (
            {"category": "building", "type": "yes", "osm_type": "way", "addresstype": "building"},
            Exactness.HOUSE,
        ),
        ({"category": "amenity", "type": "townhall", "osm_type": "way"}, Exactness.HOUSE),
        # Worked out along an interpolation or a line of TIGER: both come as the way.
        ({"osm_type": "way"}, Exactness.STREET_SIDE),
        ({"osm_type": "something new"}, Exactness.STREET_SIDE),
        ({"number": None, "category": "amenity", "type": "cafe"}, Exactness.WIDER),
        ({"place_rank": 26}, Exactness.WIDER),
        ({"number": None, "type": "city", "place_rank": 16, "addresstype": "city"}, Exactness.WIDER),
    ],
)
def test_only_a_house_with_its_number_is_one(more, exactness):
    (match,) = read([place(37.5, -122.3, **more)])
    assert match.exactness is exactness
    assert (match.number is None) == (exactness is Exactness.WIDER)


def test_a_street_is_called_one():
    (match,) = read([street(37.5, -122.3)])
    assert (match.exactness, match.kind) == (Exactness.WIDER, "road")


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"error": {"code": 400, "message": "no"}},
        [{}],
        ["house"],
        [place(37.5, -122.3, lat=None)],
        [place(37.5, -122.3, lon="181")],
        [place(37.5, -122.3, display_name=7)],
        [place(37.5, -122.3, number=7)],
        [place(37.5, -122.3, number=" ")],
    ],
)
def test_what_is_no_place_is_refused(broken):
    with pytest.raises(BrokenAnswerError):
        read(broken)
