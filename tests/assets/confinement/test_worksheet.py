"""The worksheet: whoever looks at any time sees a note that was written, whole."""

import subprocess
import sys
from typing import Any

import pytest

from assets.confinement import worksheet
from assets.confinement.worksheet import Worksheet

WRITING = """
import sys
from assets.confinement.worksheet import Worksheet

sheet = Worksheet(int(sys.argv[1]))
for number in range(60_000):
    size = number % 3_000
    sheet.take_up("f" * size, size)
    sheet.advance(size, 2 * size)
"""


def test_an_empty_one_says_nothing() -> None:
    with Worksheet.blank() as sheet:
        assert sheet.in_hand() is None
        assert sheet.progress() == (0, 0)
        sheet.advance(1, 2)
        assert sheet.in_hand() is None
        sheet.take_up("a.xml", 5)
        assert sheet.progress() == (1, 2)
        sheet.put_down()
        assert (sheet.in_hand() or pytest.fail("nothing stands there")).name == ""


def test_a_name_is_cut_where_there_is_no_more_room() -> None:
    with Worksheet.blank() as sheet:
        sheet.take_up("a" * 10_000, 5)
        sheet.take_up("b" * 10_000, 6)
        held = sheet.in_hand()
    assert held is not None
    assert (set(held.name), held.size) == ({"b"}, 6)


def test_no_look_falls_between_two_notes() -> None:
    """A look while a note was written once saw none, and took the process for one that never started."""
    with Worksheet.blank() as sheet:
        arguments = [sys.executable, "-c", WRITING, str(sheet.descriptor)]
        with subprocess.Popen(arguments, pass_fds=[sheet.descriptor]) as process:
            while sheet.in_hand() is None and process.poll() is None:
                pass
            looks = 0
            while process.poll() is None:
                held = sheet.in_hand()
                assert held is not None
                assert len(held.name) == held.size
                done, total = sheet.progress()
                assert total == 2 * done
                looks += 1
        assert process.returncode == 0
    assert looks > 100


@pytest.mark.parametrize("notes", [1, 2, 255, 256, 512, 65_536])
def test_a_look_that_is_kept_from_going_on_sees_one_note(monkeypatch: pytest.MonkeyPatch, notes: int) -> None:
    """The turn was a byte: after 256 notes it stood as before, and what was seen was half of each."""

    class Slow:
        """Reads the numbers of a note, and is then kept while others are written."""

        size = worksheet._NOTE.size
        pack_into = staticmethod(worksheet._NOTE.pack_into)
        kept = False

        def unpack_from(self, memory: Any, start: int) -> tuple[Any, ...]:
            numbers = original.unpack_from(memory, start)
            if not self.kept:
                self.kept = True
                for _ in range(notes):
                    sheet.take_up("later", 5)
            return numbers

    original = worksheet._NOTE
    with Worksheet.blank() as sheet:
        sheet.take_up("before", 6)
        monkeypatch.setattr(worksheet, "_NOTE", Slow())
        held = sheet.in_hand()
    assert held is not None
    assert (held.name, held.size) == ("later", 5)
