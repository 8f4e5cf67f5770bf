"""The header `Range`, in the forms of RFC 9110 and in those that clients get wrong."""

import pytest

from serving.responses.ranges import ByteRange, RangeNotSatisfiableError, may_send_part, wanted_range

SIZE = 1000
READ = {
    "bytes=0-": (0, 1000),
    "bytes=0-0": (0, 1),
    "bytes=400-": (400, 1000),
    "bytes=400-499": (400, 500),
    "bytes=999-": (999, 1000),
    "bytes=400-5000": (400, 1000),
    "bytes=-1": (999, 1000),
    "bytes=-300": (700, 1000),
    "bytes=-5000": (0, 1000),
    "Bytes= 5-6 ": (5, 7),
}
IGNORED = (
    *("", "bytes", "bytes=", "bytes=-", "bytes=5", "bytes=9-8", "bytes=a-b", "bytes=1-2,4-5"),
    *("items=0-5", "bytes=0-5x", "bytes=1-2-3", "bytes=+1-2", "bytes=٣-٤", "bytes=" + "9" * 30 + "-"),
)


@pytest.mark.parametrize("header", READ)
def test_a_range_is_read(header):
    assert wanted_range(header, SIZE) == ByteRange(*READ[header])


@pytest.mark.parametrize("header", [None, *IGNORED])
def test_what_is_no_single_range_is_ignored(header):
    assert wanted_range(header, SIZE) is None


@pytest.mark.parametrize("header", ["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999-"])
def test_a_range_beyond_the_end_is_refused_with_the_size(header):
    with pytest.raises(RangeNotSatisfiableError) as refused:
        wanted_range(header, SIZE)
    assert refused.value.size == SIZE


def test_nothing_of_an_empty_file_can_be_asked_for():
    for header in ("bytes=0-", "bytes=-5"):
        with pytest.raises(RangeNotSatisfiableError):
            wanted_range(header, 0)


def test_a_part_is_sent_of_the_very_bytes_alone():
    assert may_send_part(None, '"a"')
    assert may_send_part(' "a" ', '"a"')
    for other in ('"b"', 'W/"a"', "a", "Sun, 22 Nov 2026 10:00:00 GMT", ""):
        assert not may_send_part(other, '"a"'), other
