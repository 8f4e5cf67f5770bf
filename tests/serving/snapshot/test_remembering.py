"""What is remembered of what users type: so many results, and nothing of long texts."""

from serving.snapshot.remembering import remember


def test_short_texts_are_worked_out_once_and_long_ones_each_time():
    asked: list[str] = []

    @remember(entries=2, longest=3)
    def length(text: str) -> int:
        """Count."""
        asked.append(text)
        return len(text)

    assert [length(text) for text in ("abc", "abc", "abcd", "abcd")] == [3, 3, 4, 4]
    assert asked == ["abc", "abcd", "abcd"]
    assert length.__doc__ == "Count."


def test_the_oldest_result_is_forgotten_first():
    asked: list[bytes] = []

    @remember(entries=2, longest=3)
    def length(text: bytes) -> int:
        asked.append(text)
        return len(text)

    for text in (b"a", b"b", b"c", b"a"):
        length(text)
    assert asked == [b"a", b"b", b"c", b"a"]
