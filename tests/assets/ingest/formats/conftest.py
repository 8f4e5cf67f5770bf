"""Readers of small files in one format, which tests of several modules share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assets.ingest.accounting import squeeze
from assets.ingest.formats import dc_law
from assets.ingest.model import Provision, SourceFiles, Unit
from assets.ingest.oracles.law_xml import account
from assets.registry import CodeBody, load_registry
from tests.assets.ingest.formats.dc_law_files import TITLE, include, section, title

Files = Callable[[dict[str, bytes]], SourceFiles]


@pytest.fixture
def dc() -> CodeBody:
    return load_registry(Path("datasets/registry")).code_body("dc-code")


@pytest.fixture
def read_dc_law(dc: CodeBody, source_files: Files) -> Callable[[dict[str, str | bytes]], list[Unit]]:
    """Read files given by path; where no file is broken, the oracle must agree on each."""

    def _read(files: dict[str, str | bytes]) -> list[Unit]:
        contents = {path: text if isinstance(text, bytes) else text.encode() for path, text in files.items()}
        source = source_files(contents)
        units = list(dc_law.read(source, dc))
        if not any(unit.problems for unit in units):
            _assert_nothing_lost(source, units)
        return units

    return _read


def _assert_nothing_lost(source: SourceFiles, units: list[Unit]) -> None:
    unread = {path for unit in units for path in unit.unread}
    for file in source:
        if file.path in unread:
            continue
        texts = [row.text for unit in units for row in unit.provisions if row.file == file.path]
        assert squeeze("".join(texts)) == account(file).operative


@pytest.fixture
def read_dc_section(read_dc_law: Callable[[dict[str, str | bytes]], list[Unit]]) -> Callable[..., Provision]:
    """Read one section of title 29 from its body."""

    def _read_section(body: str, *, num: str = "29-101", file: str = "", **parts: str) -> Provision:
        name = file or num
        units = read_dc_law(
            {
                TITLE: title(include(name)),
                f"code/titles/29/sections/{name}.xml": section(num, body, **parts),
            }
        )
        assert not units[0].problems
        return units[0].provisions[1]

    return _read_section
