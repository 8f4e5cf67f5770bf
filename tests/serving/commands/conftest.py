"""`lawctl` as a function of its arguments, over a store of either engine."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from serving.cli import main


@dataclass
class Ran:
    """What a command printed and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch, tmp_path):
    monkeypatch.setenv("LAW_DATABASE_URL", f"sqlite:///{tmp_path}/never-to-be-used.sqlite")
    yield
    assert not (tmp_path / "never-to-be-used.sqlite").exists()


@pytest.fixture
def lawctl(url: str, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs a command on the store; `fails=True` where it has to."""

    def run(*words: str, fails: bool = False) -> Ran:
        status = main([*words, "--database", url])
        captured = capsys.readouterr()
        assert (status != 0) == fails, captured.err
        return Ran(status, captured.out, captured.err)

    return run
