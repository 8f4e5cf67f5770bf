"""Copying the log beside the work: that it cannot be begun is no failure of what was committed."""

import threading

from serving.metering.checkpoints import EVERY_PAGES, Checkpoints


def test_without_a_thread_it_waits_for_the_next_time(tmp_path, monkeypatch, caplog):
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    checkpoints = Checkpoints(tmp_path / "books.db")
    checkpoints.note(EVERY_PAGES)
    assert "checkpoint_failed" in caplog.text
    checkpoints.close()
