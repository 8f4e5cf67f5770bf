"""Numbers of a worker: every queue that is named has a part of the server that says how deep it is."""

from serving.http.measures import QUEUES
from serving.process.application import create_web_app


def test_every_queue_has_its_depth(settings, holder, billing):
    app = create_web_app(settings, holder, billing)
    assert sorted((*app.measures.queues, *billing.waiting())) == sorted(QUEUES)
    assert {depth() for depth in app.measures.queues.values()} == {0}
