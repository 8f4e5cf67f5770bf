"""The spare thread: it takes a half of what is alone, and nothing of what is not."""

import threading

import pytest

from serving.concurrency.spare import SpareThread


def test_a_half_is_done_beside_the_other():
    spare, begun = SpareThread("halves"), threading.Event()
    threads = []

    def half() -> int:
        threads.append(threading.current_thread().name)
        begun.set()
        return 7

    with spare.beside(half) as other:
        # It is under way before its result is asked for.
        assert begun.wait(10)
        assert other() == 7
    assert threads == ["halves_0"]


def test_of_several_each_has_its_own_thread_alone():
    spare = SpareThread("halves")
    with spare.beside(threading.current_thread) as first:
        with spare.beside(threading.current_thread) as second:
            assert second() is threading.current_thread()
        assert first() is not threading.current_thread()
    with spare.beside(threading.current_thread) as again:
        assert again() is not threading.current_thread()


def test_a_failure_is_raised_where_the_result_is_asked_for():
    spare = SpareThread("halves")

    def half() -> None:
        raise ValueError("half")

    with spare.beside(half) as other, pytest.raises(ValueError, match="half"):
        other()
    with spare.beside(half), spare.beside(half) as inner, pytest.raises(ValueError, match="half"):
        inner()


def test_a_half_has_ended_where_the_other_fails():
    spare, begun, going_on = SpareThread("halves"), threading.Event(), threading.Event()
    ended = []

    def half() -> None:
        begun.set()
        going_on.wait(10)
        ended.append(True)

    def call() -> None:
        with spare.beside(half):
            begun.wait(10)
            threading.Timer(0.05, going_on.set).start()
            raise ValueError("the other")

    with pytest.raises(ValueError, match="the other"):
        call()
    assert ended == [True]
    with spare.beside(threading.current_thread) as later:
        assert later() is not threading.current_thread()
