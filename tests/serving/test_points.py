"""Points as people write them."""

import pytest

from serving.points import parse_point, written_point


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("37.5629, -122.3255", (37.5629, -122.3255)),
        ("37.5629 -122.3255", (37.5629, -122.3255)),
        ("(37.5629,-122.3255)", (37.5629, -122.3255)),
        ("37.5629;−122.3255", (37.5629, -122.3255)),
        ("37.5629° N, 122.3255° W", (37.5629, -122.3255)),
        ("33.86s 151.2e", (-33.86, 151.2)),
        ("  0 ,\t0 ", (0.0, 0.0)),
        ("37.56290000000001, -122.32550000000001", (37.5629, -122.3255)),
        ("37°33'46.4\"N 122°19'31.8\"W", (37.562889, -122.325500)),
        ("37° 33′ 46.4″ N, 122° 19′ 31.8″ W", (37.562889, -122.3255)),
        ("37°33.774'N 122°19.53'W", (37.5629, -122.3255)),
        ("-33°51'36\", 151°12'0\"", (-33.86, 151.2)),
        ("-0°30'0\" 0°0'36\"", (-0.5, 0.01)),
        ("37 33' 46.4'' N, 122 19' 31.8'' W", (37.562889, -122.3255)),
    ],
)
def test_points_are_read_as_they_are_copied(text: str, point: tuple[float, float]) -> None:
    assert parse_point(text) == point
    assert parse_point(written_point(point)) == point


@pytest.mark.parametrize(
    "text",
    [
        "",
        "330 West 20th Avenue",
        "330 20th",
        "37.5629",
        "37.5629, -122.3255, 12",
        "122.3255 W, 37.5629 N",
        "37.5629, nan",
        "1e2, 3",
        "-37 S, 10",
        "95, 10",
        "10, 181",
        "³7, 10",
        "37.5°33'N 122°19'W",
        "37°33.5'46\"N 122°19'W",
        "37°60'N 122°19'W",
        "37°33'60\"N 122°19'W",
        "37°33' 122°19'31\"W 5",
        "-37°33'S 122°19'W",
        "90°0'1\"N 122°19'W",
        "9" * 200,
    ],
)
def test_what_may_mean_something_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^[“A-Z0-9-].*\.$"):
        parse_point(text)


def test_a_point_is_written_without_needless_digits() -> None:
    assert written_point((37.5, -122.0)) == "37.5, -122"
    assert written_point((0.0, -0.0000001)) == "0, 0"
