"""The ranker: its file, its scores, and snapshots without one."""

import json

import numpy as np
import pytest

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import RANKER
from serving.contract.ranking import FEATURES, QUERY_FEATURES
from serving.snapshot.ranker import default_ranker, parse_ranker
from serving.snapshot.store import Snapshot


def _stored(**changes: object) -> bytes:
    weights = np.arange(len(FEATURES) * len(QUERY_FEATURES), dtype=float).reshape(len(FEATURES), -1)
    values = {"features": FEATURES, "queryFeatures": QUERY_FEATURES, "weights": weights.tolist()}
    return json.dumps(values | changes).encode()


def test_weights_are_read_by_name_not_by_place() -> None:
    plain = parse_ranker(_stored(), "here")
    values = json.loads(_stored())
    turned = [row[::-1] for row in values["weights"][::-1]]
    other = parse_ranker(
        _stored(features=FEATURES[::-1], queryFeatures=QUERY_FEATURES[::-1], weights=turned), "here"
    )
    assert (plain.weights == other.weights).all()


def test_a_score_is_the_logistic_of_the_weighted_products() -> None:
    ranker = parse_ranker(
        _stored(weights=np.full((len(FEATURES), len(QUERY_FEATURES)), 0.01).tolist()), "here"
    )
    features, query = np.ones((2, len(FEATURES))), np.ones(len(QUERY_FEATURES))
    features[1] = 0
    expected = 1 / (1 + np.exp(-0.01 * len(FEATURES) * len(QUERY_FEATURES)))
    assert ranker.score(features, query) == pytest.approx([expected, 0.5])


@pytest.mark.parametrize(
    "stored",
    [
        b"{",
        b"[]",
        _stored(features=FEATURES[1:]),
        _stored(weights=[[1.0]]),
        _stored(queryFeatures=["one"]),
        _stored(weights=[["x"] * len(QUERY_FEATURES)] * len(FEATURES)),
    ],
)
def test_what_is_no_ranker_is_refused(stored: bytes) -> None:
    with pytest.raises(SnapshotCorruptError, match="is no ranker"):
        parse_ranker(stored, "here")


def test_a_snapshot_carries_the_ranker_of_its_day(snapshot: Snapshot) -> None:
    stored = snapshot.read(RANKER)
    assert stored is not None
    assert (snapshot.ranker.weights == default_ranker().weights).all()


def test_a_snapshot_of_an_earlier_build_is_ranked_by_the_package(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(snapshot), "read", lambda *_: None)
    monkeypatch.delitem(snapshot.__dict__, "ranker", raising=False)
    assert snapshot.ranker is default_ranker()
    monkeypatch.undo()
    snapshot.__dict__.pop("ranker", None)


def test_a_feature_that_came_later_weighs_nothing() -> None:
    values = json.loads(_stored())
    earlier = parse_ranker(_stored(features=FEATURES[:-1], weights=values["weights"][:-1]), "here")
    assert not earlier.weights[-1].any()
    assert (earlier.weights[:-1] == parse_ranker(_stored(), "here").weights[:-1]).all()


def test_a_feature_that_is_not_known_is_refused() -> None:
    with pytest.raises(SnapshotCorruptError, match="unknown features: moonlight"):
        parse_ranker(_stored(features=(*FEATURES[:-1], "moonlight")), "here")
