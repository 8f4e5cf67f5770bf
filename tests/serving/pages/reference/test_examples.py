"""The reference where there is nothing to make examples from."""

from pathlib import Path

from falcon.testing import TestClient

from serving.accounts.billing import Billing
from serving.process.application import create_web_app
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings


def test_without_a_snapshot_it_is_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Guide</title>", encoding="utf-8")
    settings = Settings.from_env({"LAW_BASE_URL": "https://law.example", "LAW_GUIDE": str(tmp_path)})
    billing = Billing(f"sqlite:///{tmp_path / 'none'}")
    client = TestClient(create_web_app(settings, SnapshotHolder(tmp_path / "none"), billing))
    page = client.simulate_get("/docs")
    assert page.status_code == 200
    assert "https://law.example/api/v1/search?q={q}" in page.text
    assert 'href="/docs/guide/index.html"' in page.text
