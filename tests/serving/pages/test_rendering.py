"""The version of pages, by which browsers know that theirs is still the same."""

from pathlib import Path

import serving
from serving.pages.rendering import Renderer, sources_digest
from serving.pages.static_files import StaticFiles


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
