"""Parts taken from a store and put there: whole, each file once, and by one machine at a time."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from assets.storage.errors import StorageConflictError, StorageError
from assets.storage.object_store import ObjectStore
from assets.storage.transfer import Moved, pull, push
from assets.storage.versions import newest_version
from assets.storage.workspace_parts import Part
from tests.object_stores import S3Server, needs_s3

FILES = {
    "provisions/one/provisions.parquet": "Section 1",
    "accepted/one/provisions/provisions.parquet": "Section 1",
    "accepted/one/made.json": "{}",
}


@pytest.fixture
def store(store_url: str) -> ObjectStore:
    return ObjectStore.open(store_url)


@pytest.fixture
def machine(store_url: str, tmp_path: Path) -> Callable[..., Part]:
    """Give the part as a machine of some name has it."""

    def named(name: str, *, grows: bool = False) -> Part:
        return Part("code-bodies/one", store_url, tmp_path / name, ("provisions/one", "accepted/one"), grows)

    return named


def write(part: Part, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = part.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(text)


@pytest.fixture
def both(store: ObjectStore, machine: Callable[..., Part]) -> tuple[Part, Part]:
    """Give the part as two machines have it, of which the first stored it and the second took it."""
    first, second = machine("first"), machine("second")
    write(first, FILES)
    push(store, first)
    pull(store, second)
    return first, second


def held(part: Part) -> dict[str, str]:
    return {
        path.relative_to(part.root).as_posix(): path.read_text()
        for path in sorted(part.root.rglob("*"))
        if path.is_file() and not path.relative_to(part.root).as_posix().startswith(".")
    }


def test_another_machine_goes_on_where_one_stopped(store: ObjectStore, machine: Callable[..., Part]) -> None:
    first, second = machine("first"), machine("second")
    assert pull(store, first) == Moved()
    write(first, FILES)
    assert push(store, first) == Moved(2, len("Section 1{}")), "the same bytes go once"
    assert pull(store, second) == Moved(2, len("Section 1{}"))
    assert held(second) == FILES
    objects = len(store.keys("parts"))
    assert (push(store, first), push(store, second), pull(store, second)) == (Moved(), Moved(), Moved())
    assert len(store.keys("parts")) == objects, "nothing changed, and nothing is written"
    write(second, {"accepted/one/made.json": "{2}"})
    assert push(store, second) == Moved(1, 3)
    assert pull(store, first) == Moved(1, 3)
    assert held(first) == held(second) == FILES | {"accepted/one/made.json": "{2}"}


def test_what_is_removed_is_removed_elsewhere(store: ObjectStore, both: tuple[Part, Part]) -> None:
    first, second = both
    (second.root / "accepted/one/made.json").unlink()
    push(store, second)
    pull(store, first)
    assert "accepted/one/made.json" not in held(first)


def test_of_two_writers_the_second_is_told(
    store: ObjectStore, machine: Callable[..., Part], both: tuple[Part, Part]
) -> None:
    first, second = both
    write(first, {"accepted/one/made.json": "of the first"})
    write(second, {"accepted/one/made.json": "of the second", "accepted/one/new.json": "{}"})
    push(store, first)
    with pytest.raises(
        StorageConflictError, match=r"code-bodies/one was stored in \S+ by \S+ at 2.*Build again"
    ):
        push(store, second)
    assert held(second)["accepted/one/made.json"] == "of the second", "what was made is there still"
    third = machine("third")
    pull(store, third)
    assert held(third)["accepted/one/made.json"] == "of the first"
    pull(store, second)
    assert held(second) == held(third), "one state takes the place of the other, and they are never mixed"
    write(second, {"accepted/one/made.json": "of the second, again"})
    push(store, second)


def test_a_writer_who_comes_in_the_last_moment_is_first(
    store: ObjectStore, machine: Callable[..., Part], both: tuple[Part, Part]
) -> None:
    """The other one commits while the files of this one are on their way."""
    first, second = both
    write(first, {"accepted/one/made.json": "of the first"})
    write(second, {"accepted/one/made.json": "of the second"})

    class Overtaken(ObjectStore):
        def upload(self, files):
            ObjectStore.upload(self, files)
            push(store, first)

    with pytest.raises(StorageConflictError):
        push(Overtaken(store.url, store.filesystem, store.root), second)
    third = machine("third")
    pull(store, third)
    assert held(third)["accepted/one/made.json"] == "of the first"


def test_who_changed_nothing_is_in_nobodys_way(store: ObjectStore, both: tuple[Part, Part]) -> None:
    first, second = both
    write(first, {"accepted/one/made.json": "new"})
    push(store, first)
    assert push(store, second) == Moved()


def test_two_who_made_the_same_do_not_disagree(store: ObjectStore, machine: Callable[..., Part]) -> None:
    first, second = machine("first"), machine("second")
    for one in (first, second):
        pull(store, one)
        write(one, FILES)
    push(store, first)
    assert push(store, second) == Moved()
    assert newest_version(store, first).number == 1


def test_what_two_machines_add_both_stays(store: ObjectStore, machine: Callable[..., Part]) -> None:
    first, second = machine("first", grows=True), machine("second", grows=True)
    write(first, {"accepted/one/0": "zero", "accepted/one/said": "before"})
    push(store, first)
    pull(store, second)
    write(first, {"accepted/one/1": "one", "accepted/one/said": "now"})
    write(second, {"accepted/one/2": "two"})
    push(store, first)
    push(store, second)
    for one in (first, second):
        pull(store, one)
        assert held(one) == {f"accepted/one/{n}": text for n, text in enumerate(("zero", "one", "two"))} | {
            "accepted/one/said": "now"
        }
    write(first, {"accepted/one/said": "later"})
    write(second, {"accepted/one/3": "three"})
    push(store, second)
    pull(store, first)
    assert held(first)["accepted/one/said"] == "later", "a change made here is not lost to a pull"
    push(store, first)
    pull(store, second)
    assert held(second) == held(first)


def test_what_a_stopped_run_made_is_there_for_the_next(
    store: ObjectStore, machine: Callable[..., Part]
) -> None:
    first = machine("first")
    write(first, FILES)
    push(store, first)
    write(first, {"provisions/one/new.parquet": "more"})
    (first.root / "accepted/one/made.json").unlink()
    assert pull(store, first) == Moved()
    assert "provisions/one/new.parquet" in held(first)
    assert "accepted/one/made.json" not in held(first)


def test_files_on_their_way_are_not_stored(store: ObjectStore, machine: Callable[..., Part]) -> None:
    first, second = machine("first"), machine("second")
    write(first, FILES | {"provisions/.one.x7/provisions.parquet": "half", "accepted/one/.made.json": "{"})
    push(store, first)
    pull(store, second)
    assert held(second) == FILES


def test_a_stale_copy_becomes_that_of_the_store(store: ObjectStore, both: tuple[Part, Part]) -> None:
    first, second = both
    write(first, {"accepted/one/made.json": "new"})
    (first.root / "provisions/one/provisions.parquet").unlink()
    push(store, first)
    write(second, {"provisions/one/mine.parquet": "made on top of what is old"})
    assert pull(store, second) == Moved(1, 3), "what is the same is not fetched again"
    assert held(second) == held(first)
    assert not (second.root / "provisions").exists()


def test_a_part_is_taken_in_part(store: ObjectStore, machine: Callable[..., Part]) -> None:
    first, second = machine("first"), machine("second")
    write(first, FILES)
    push(store, first)
    pull(store, second, lambda path: path.startswith("accepted/"))
    assert held(second).keys() == {name for name in FILES if name.startswith("accepted/")}
    write(second, {"accepted/one/made.json": "changed"})
    push(store, second)
    pull(store, first)
    assert held(first) == FILES | {"accepted/one/made.json": "changed"}, "what was not taken is not gone"
    pull(store, second)
    assert held(second) == held(first)


def break_down(store_url: str, request: pytest.FixtureRequest, *, after: int) -> Callable[[], None]:
    """Make a store refuse what is written after some files; return what mends it."""
    left = [after]
    if store_url.startswith("s3:"):
        server: S3Server = request.getfixturevalue("s3")

        def refuses(ask):
            left[0] -= ask["REQUEST_METHOD"] == "PUT"
            return left[0] < 0

        server.refuses = refuses
        return server.forget_faults
    patch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    put = MemoryFileSystem.put_file

    def put_file(self, *arguments, **options):
        left[0] -= 1
        if left[0] < 0:
            raise OSError("broken down")
        return put(self, *arguments, **options)

    patch.setattr(MemoryFileSystem, "put_file", put_file)
    return patch.undo


def test_a_store_that_fails_half_way_has_what_it_had(
    store: ObjectStore, machine: Callable[..., Part], store_url: str, request: pytest.FixtureRequest
) -> None:
    first, second = machine("first"), machine("second")
    write(first, FILES)
    push(store, first)
    write(first, {name: f"{text}, amended" for name, text in FILES.items()})
    mend = break_down(store_url, request, after=1)
    with pytest.raises(StorageError, match=rf"{store_url}/\S+ could not be written .*try again"):
        push(store, first)
    mend()
    assert not issubclass(StorageError, StorageConflictError)
    pull(store, second)
    assert held(second) == FILES
    push(store, first)
    pull(store, second)
    assert held(second) == held(first) != FILES


def test_what_breaks_off_on_its_way_here_changes_nothing(store: ObjectStore, both: tuple[Part, Part]) -> None:
    first, second = both
    write(first, {"accepted/one/made.json": "new", "accepted/one/other.json": "newer"})
    push(store, first)
    lost = [file for file in newest_version(store, first).files if file.path == "accepted/one/other.json"]
    store.remove([lost[0].object])
    with pytest.raises(StorageError, match=r"is not there"):
        pull(store, second)
    assert held(second) == FILES
    store.replace(lost[0].object, b"other")
    with pytest.raises(
        StorageError, match=rf"{lost[0].object} is not what was stored as accepted/one/other.json"
    ):
        pull(store, second)
    assert held(second) == FILES
    store.replace(lost[0].object, b"newer")
    pull(store, second)
    assert held(second) == held(first)


def test_a_manifest_leads_nowhere_else(store: ObjectStore, machine: Callable[..., Part]) -> None:
    first, second = machine("first"), machine("second")
    write(first, FILES)
    push(store, first)
    (key,) = store.keys("parts/code-bodies/one/versions")
    manifest = store.read(key)
    assert manifest is not None
    for strange in ("accepted/one/../../../made.json", "/tmp/made.json", "accepted/other/made.json"):
        store.replace(key, manifest.replace(b"accepted/one/made.json", strange.encode()))
        with pytest.raises(StorageError, match="is no manifest of code-bodies/one"):
            pull(store, second)
    store.replace(key, manifest[:-20])
    with pytest.raises(StorageError, match="is no manifest"):
        pull(store, second)
    assert held(second) == {}


def test_a_number_that_is_given_again_is_another_version(
    store: ObjectStore, machine: Callable[..., Part]
) -> None:
    """Somebody goes back to the version before, and stores another one."""
    first, second, third = (machine(name) for name in ("first", "second", "third"))
    for text in ("one", "two"):
        write(first, {"accepted/one/made.json": text})
        push(store, first)
    pull(store, second)
    store.remove([max(store.keys("parts/code-bodies/one/versions"))])
    pull(store, third)
    assert held(third) == {"accepted/one/made.json": "one"}
    write(third, {"accepted/one/made.json": "other"})
    push(store, third)
    pull(store, second)
    assert held(second) == held(third)


def test_a_store_that_was_emptied_is_filled_from_a_copy(
    store: ObjectStore, machine: Callable[..., Part]
) -> None:
    first, second = machine("first"), machine("second")
    write(first, FILES)
    push(store, first)
    store.remove(list(store.keys("parts")))
    pull(store, first)
    assert held(first) == FILES
    push(store, first)
    pull(store, second)
    assert held(second) == FILES


@needs_s3
def test_an_answer_that_was_not_heard_is_no_conflict(s3: S3Server, tmp_path: Path) -> None:
    """A request to create a manifest is done and answered 503: the library asks again, and finds it there."""
    url = f"s3://{s3.new_bucket()}/workspace"
    part, store = Part("one", url, tmp_path, ("one",)), ObjectStore.open(url)
    write(part, {"one/file": "text"})
    unheard: list[str] = []

    def refuses(ask):
        if ask["REQUEST_METHOD"] != "PUT" or "/versions/" not in ask["PATH_INFO"] or unheard:
            return False
        unheard.append(ask["PATH_INFO"])
        body = ask["wsgi.input"].read()
        s3._app(ask | {"wsgi.input": io.BytesIO(body)}, lambda *_: None)
        return True

    s3.refuses = refuses
    assert push(store, part) == Moved(1, 4)
    assert (len(unheard), newest_version(store, part).number) == (1, 1)
