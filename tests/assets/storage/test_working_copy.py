"""Working copies of stores, and stores that cannot be used: each is told by its URL, with what to do."""

import importlib
import re
from contextlib import suppress
from pathlib import Path

import pytest

from assets.storage.errors import StorageError
from assets.storage.needs import Need
from assets.storage.working_copy import keep, take, working_copy
from assets.storage.workspace_parts import Part
from tests.object_stores import S3Server, forget_connections, needs_s3


def part(url: str | None, root: Path) -> Part:
    return Part("encoder", url, root, ("encoder",))


def make(root: Path, text: str = "weights") -> None:
    (root / "encoder").mkdir(parents=True, exist_ok=True)
    (root / "encoder" / "model.onnx").write_text(text)


def test_a_run_takes_what_another_made_and_stores_what_it_makes(store_url: str, tmp_path: Path) -> None:
    said: list[str] = []
    for number in (1, 2):
        root = tmp_path / str(number)
        with working_copy([Need(part(store_url, root))], said.append):
            assert (root / "encoder" / "model.onnx").exists() == (number == 2)
            make(root, f"weights {number}")
    assert said == [
        f"Stored in {store_url}: encoder, 1 file, 9 bytes.",
        f"Taken from {store_url}: encoder, 1 file, 9 bytes.",
        f"Stored in {store_url}: encoder, 1 file, 9 bytes.",
    ]


def test_what_a_failed_run_made_is_stored_and_what_a_stopped_one_made_is_not(
    store_url: str, tmp_path: Path
) -> None:
    for number, end in enumerate((ValueError, KeyboardInterrupt)):
        root = tmp_path / str(number)
        with suppress(end), working_copy([Need(part(store_url, root))], lambda _: None):
            make(root, f"weights {number}")
            raise end
    take([Need(part(store_url, tmp_path / "other"))], lambda _: None)
    assert (tmp_path / "other" / "encoder" / "model.onnx").read_text() == "weights 0"


def test_what_is_here_alone_goes_nowhere(tmp_path: Path) -> None:
    make(tmp_path)
    keep([part(None, tmp_path)])
    take([Need(part(None, tmp_path))], print)
    assert [path.name for path in tmp_path.iterdir()] == ["encoder"]


def test_the_copy_of_one_store_is_not_put_into_another(store_url: str, tmp_path: Path) -> None:
    make(tmp_path)
    keep([part(store_url, tmp_path)])
    other = f"{store_url}-2"
    with pytest.raises(
        StorageError, match=rf"{tmp_path} holds what was taken from {store_url}.*LAW_WORKSPACE_CACHE"
    ):
        keep([part(other, tmp_path)])


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("gs://law/workspace", r"gs://law/workspace needs a library that is not installed here"),
        ("nowhere://law/workspace", r"nowhere://law/workspace is no URL that fsspec knows"),
        ("file:///tmp/law", r"file:///tmp/law is a folder of this machine: give its path"),
    ],
)
def test_a_url_that_leads_nowhere_is_named(url: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=said):
        keep([part(url, tmp_path)])


@needs_s3
def test_a_missing_bucket_is_named(s3: S3Server, tmp_path: Path) -> None:
    url = "s3://nobody-made-this-one/workspace"
    with pytest.raises(
        StorageError, match=rf"{url}/store.json is not there \(.*bucket.*\)\. Make the bucket"
    ):
        take([Need(part(url, tmp_path))], print)


@needs_s3
def test_refused_credentials_are_named(s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = importlib.import_module("moto.settings")
    url = f"s3://{s3.new_bucket()}/workspace"
    monkeypatch.setattr(settings, "INITIAL_NO_AUTH_ACTION_COUNT", 0.0)  # from here on, who asks is looked at
    with pytest.raises(StorageError, match=rf"{url}/store.json may not be read .*AWS_ACCESS_KEY_ID"):
        take([Need(part(url, tmp_path))], print)


@needs_s3
def test_a_store_where_second_writers_win_is_refused(s3: S3Server, tmp_path: Path) -> None:
    """As one that is older than conditional writes, and ignores their header."""
    s3.on_request = lambda ask: ask.pop("HTTP_IF_NONE_MATCH", None)
    url = f"s3://{s3.new_bucket()}/workspace"
    with pytest.raises(StorageError, match=r"does not keep a second writer from replacing .*If-None-Match"):
        keep([part(url, tmp_path)])


@needs_s3
def test_a_store_that_nobody_answers_for_is_named(
    s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_connections()
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    with pytest.raises(StorageError, match=re.escape("s3://law/workspace/store.json could not be read")):
        take([Need(part("s3://law/workspace", tmp_path))], print)
