"""Values of parameters with which calls find something in the snapshot in service."""

from collections.abc import Mapping

from serving.contract.downloads import DATA_PACKAGE
from serving.contract.layers import LINKED
from serving.pages.reference.samples import Value
from serving.services.downloads import downloads_of
from serving.services.nodes import find_node
from serving.snapshot.examples import example_of
from serving.snapshot.store import Snapshot


def example_values(snapshot: Snapshot) -> Mapping[str, Value]:
    """Return values by the keys of parameters; there are none for what the snapshot does not hold."""
    example = example_of(snapshot.nodes, snapshot.edges)
    body = snapshot.nodes.code_body(find_node(snapshot, example.node_id))
    values: dict[str, Value] = {
        "q": example.words,
        "citation": example.citation,
        "nodeId": str(example.node_id),
        "codeBodyId": body.id,
        "feedCodeBody": body.id,
    }
    if downloads_of(snapshot, body.id) is not None:
        values |= {"snapshotPath": snapshot.id, "codeBodyKey": body.key, "downloadFile": DATA_PACKAGE}
    layers = sorted(snapshot.layers, key=lambda layer: layer.entry.citation_quality != LINKED)
    if layers:
        latitude, longitude = snapshot.layers.points(layers[0]).inner_point()
        values |= {"shortCode": layers[0].entry.short_code, "lat": latitude, "lon": longitude}
    return values
