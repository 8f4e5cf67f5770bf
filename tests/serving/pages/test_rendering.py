"""The version of pages, by which browsers know that theirs is still the same."""

import asyncio
from pathlib import Path

import pytest

import serving
from serving.pages import rendering
from serving.pages.lifespan import TemplatesLifespan
from serving.pages.public import NOBODY
from serving.pages.rendering import ErrorText, Renderer, sources_digest
from serving.pages.static_files import StaticFiles
from serving.pages.templating import Compiled, Environment


def test_the_version_is_that_of_all_that_pages_are_made_from(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "services").mkdir()
    page, ranking = tmp_path / "pages" / "law.html", tmp_path / "services" / "ranking.py"
    versions = []
    for content in (("a", "b"), ("a", "c"), ("b", "c")):
        page.write_text(content[0])
        ranking.write_text(content[1])
        versions.append(sources_digest(tmp_path))
    ranking.rename(tmp_path / "pages" / "ranking.py")
    versions.append(sources_digest(tmp_path))
    assert len(set(versions)) == 4


def test_services_have_a_part_in_the_version_of_a_page() -> None:
    renderer = Renderer(StaticFiles(), public_url="https://law.example")
    assert renderer.version == sources_digest(Path(serving.__file__).parent)


def test_once_a_worker_serves_no_page_waits_for_a_template(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "_COMPILED", Compiled())

    async def started() -> None:
        lifespan = TemplatesLifespan()
        await lifespan.process_startup({}, {})
        await lifespan.process_shutdown({}, {})

    asyncio.run(started())
    monkeypatch.setattr(Environment, "compile", None)
    renderer = Renderer(StaticFiles(), public_url="https://law.example")
    assert "Gone" in renderer.render("error.html", frame=NOBODY, page=ErrorText("Gone", "It was here."))
