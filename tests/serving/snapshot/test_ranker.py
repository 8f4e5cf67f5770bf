"""The ranker: its file, its scores, and snapshots without one."""

import json

import numpy as np
import pytest

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import RANKER
from serving.contract.ranking import FEATURES, NETWORK_INPUTS, OF_GIVEN_LAW, QUERY_FEATURES
from serving.snapshot.ranker import default_ranker, parse_ranker
from serving.snapshot.store import Snapshot


def _stored(**changes: object) -> bytes:
    weights = np.arange(len(FEATURES) * len(QUERY_FEATURES), dtype=float).reshape(len(FEATURES), -1)
    values = {"features": FEATURES, "queryFeatures": QUERY_FEATURES, "weights": weights.tolist()}
    return json.dumps(values | changes).encode()


def _network(**changes: object) -> dict[str, object]:
    """Return a network of one layer below the last that adds 2 where the cosine is above its mean, less where it is below."""
    inputs = [
        {"name": name, "mean": 0.5, "spread": 0.25, "weights": [float(name == "cosine")]}
        for name in NETWORK_INPUTS
    ]
    return {"inputs": inputs, "added": [0.0], "layers": [{"weights": [[2.0]], "added": [-1.0]}]} | changes


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
        _stored(weights=[[float("nan")] * len(QUERY_FEATURES)] * len(FEATURES)),
        _stored(queryFeatures=[*QUERY_FEATURES[:-1], "moonlight"]),
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


def test_a_feature_of_the_query_that_came_later_sets_no_weight() -> None:
    rows = [row[:-1] for row in json.loads(_stored())["weights"]]
    earlier = parse_ranker(_stored(queryFeatures=QUERY_FEATURES[:-1], weights=rows), "here").weights
    assert not earlier[:, -1].any()
    assert (earlier[:, :-1] == parse_ranker(_stored(), "here").weights[:, :-1]).all()


def test_a_feature_that_is_not_known_is_refused() -> None:
    with pytest.raises(SnapshotCorruptError, match="unknown features: moonlight"):
        parse_ranker(_stored(features=(*FEATURES[:-1], "moonlight")), "here")


def test_a_network_adds_to_the_linear_score() -> None:
    none = np.zeros((len(FEATURES), len(QUERY_FEATURES))).tolist()
    ranker = parse_ranker(_stored(weights=none, network=_network()), "here")
    features, query = np.zeros((4, len(FEATURES))), np.ones(len(QUERY_FEATURES))
    # By spreads: two and one above the mean, below it, and farther than anything that was learned from.
    features[:, FEATURES.index("cosine")] = 1.0, 0.75, 0.25, 100.0
    levels = ranker.level(features, query)
    assert levels.tolist() == [3.0, 1.0, -1.0, 11.0]
    assert ranker.score(features, query) == pytest.approx(1 / (1 + np.exp(-levels)))


@pytest.mark.parametrize("feature", OF_GIVEN_LAW)
def test_a_network_is_not_asked_where_the_query_gives_law(feature: str) -> None:
    with_network, without = (
        parse_ranker(stored, "here") for stored in (_stored(network=_network()), _stored())
    )
    features, query = np.random.default_rng(1).random((5, len(FEATURES))), np.ones(len(QUERY_FEATURES))
    features[:, [FEATURES.index(name) for name in OF_GIVEN_LAW]] = 0
    assert (with_network.level(features, query) != without.level(features, query)).all()
    features[3, FEATURES.index(feature)] = -0.5
    assert (with_network.level(features, query) == without.level(features, query)).all()


def test_inputs_of_a_network_are_read_by_name_and_one_that_came_later_weighs_nothing() -> None:
    features, query = np.random.default_rng(1).random((5, len(FEATURES))), np.ones(len(QUERY_FEATURES))
    features[:, [FEATURES.index(name) for name in OF_GIVEN_LAW]] = 0
    inputs = _network()["inputs"]
    assert isinstance(inputs, list)
    whole, turned, earlier = (
        parse_ranker(_stored(network=_network(inputs=some)), "here").level(features, query)
        for some in (inputs, inputs[::-1], [one for one in inputs if one["name"] == "cosine"])
    )
    assert (whole == turned).all()
    assert whole == pytest.approx(earlier)


@pytest.mark.parametrize(
    "network",
    [
        [],
        {},
        _network(inputs=[{"name": "moonlight", "mean": 0.0, "spread": 1.0, "weights": [0.0]}]),
        _network(inputs=[{"name": "cosine", "mean": 0.0, "spread": 1.0, "weights": [0.0, 0.0]}]),
        _network(inputs=[{"name": "cosine", "mean": 0.0, "spread": 0.0, "weights": [0.0]}]),
        _network(inputs=[{"name": "cosine", "mean": 0.0, "spread": float("inf"), "weights": [0.0]}]),
        _network(layers=[{"weights": [[1.0]]}]),
        _network(layers=[{"weights": [[1.0], [1.0]], "added": [0.0]}]),
        _network(layers=[{"weights": [["x"]], "added": [0.0]}]),
    ],
)
def test_what_is_no_network_is_refused(network: object) -> None:
    with pytest.raises(SnapshotCorruptError, match="is no ranker"):
        parse_ranker(_stored(network=network), "here")
