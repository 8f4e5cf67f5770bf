"""`legal changes` and `legal history` as people read them."""

import argparse
import json
from pathlib import Path
from typing import Any

import httpx

from legal_client import changes_commands

DOCUMENT = json.loads(
    (Path(__file__).parents[4] / "serving" / "api" / "openapi.json").read_text(encoding="utf-8")
)
NODE = "6f7d5bb0-5d5c-5c52-a3f7-1c8f0fd3c1a7"


def example(path: str) -> Any:
    return DOCUMENT["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["example"]


def asked(**options: Any) -> argparse.Namespace:
    empty = dict.fromkeys(("since", "until", "jurisdiction", "code_body", "container", "kind"))
    return argparse.Namespace(**{**empty, "most": 20, "json": False, **options})


def test_changes_are_printed_with_their_words_and_acts(client_of, capsys):
    client, service = client_of(httpx.Response(200, json=example("/api/v1/changes")))
    assert changes_commands.changes(client, asked(kind="amended", since="2026.11.21-1")) == 0
    assert service.asked[0].url.params == httpx.QueryParams(
        {"from": "2026.11.21-1", "kind": "amended", "limit": "20"}
    )
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "amended: 17 U.S.C. § 107  Limitations on exclusive rights: Fair use",
        "   text, sourceCredit",
        "   - sixty",
        "   + ninety",
        "   by Pub. L. 119–99, § 2, Oct. 1, 2026, 140 Stat. 1",
        "   published 2026-11-22, known 2026-11-20",
    ]
    assert "1 of 1 change from 2026.11.21-1 to 2026.11.22-1" in printed.err


def test_pages_follow_one_another_up_to_the_most(client_of, capsys):
    body = example("/api/v1/changes")
    body = {**body, "results": body["results"] * 2, "total": 4}
    following = {"Link": '<https://law.example/api/v1/changes?from=a&to=b&page=2>; rel="next"'}
    client, service = client_of(
        httpx.Response(200, json=body, headers=following), httpx.Response(200, json=body)
    )
    assert changes_commands.changes(client, asked(most=3, json=True)) == 0
    assert len(json.loads(capsys.readouterr().out)["results"]) == 3
    assert service.asked[1].url.params["page"] == "2"


def test_the_history_names_states_and_changes(client_of, capsys):
    client, _ = client_of(httpx.Response(200, json=example("/api/v1/node/{id}/history")))
    options = argparse.Namespace(node=NODE, json=False)
    assert changes_commands.history(client, options) == 0
    printed = capsys.readouterr().out
    assert "2026.11.21-1 to 2026.11.22-1" in printed
    assert "Nothing is known here of what was before 2026-11-21." in printed
