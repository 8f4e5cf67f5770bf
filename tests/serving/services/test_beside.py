"""Work beside the thread that asks for it: its result, its errors, and that nobody leaves before its end."""

import threading

import pytest

from serving.services.beside import Beside


@pytest.fixture
def beside():
    return Beside("test", threads=1)


def test_the_call_runs_on_another_thread(beside):
    with beside.begin(lambda place, *, name: (place, name, threading.get_ident()), 1, name="x") as call:
        place, name, thread = call.result()
    assert (place, name) == (1, "x")
    assert thread != threading.get_ident()


def test_an_error_of_the_call_is_that_of_its_result(beside):
    with pytest.raises(ZeroDivisionError), beside.begin(lambda: 1 / 0) as call:
        call.result()


def test_nobody_leaves_while_the_call_runs(beside):
    started, release, ended = threading.Event(), threading.Event(), []

    def work() -> None:
        started.set()
        release.wait(10)
        ended.append(True)

    def leave() -> None:
        with beside.begin(work):
            started.wait(10)
            threading.Timer(0.05, release.set).start()
            raise LookupError

    with pytest.raises(LookupError):
        leave()
    assert ended == [True]


def test_a_call_that_has_not_begun_is_dropped(beside):
    release = threading.Event()
    begun: list[bool] = []
    with beside.begin(release.wait, 10):
        with beside.begin(begun.append, True) as waiting:
            pass
        assert waiting.cancelled()
        release.set()
    assert begun == []
