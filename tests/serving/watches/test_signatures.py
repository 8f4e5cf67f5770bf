"""Signatures: the specification's own example, and what its reference library accepts."""

import json
import time

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from serving.watches.signatures import new_secret, signature, signed_headers

BODY = b'{"test": 2432232314}'


def test_the_example_of_the_specification_is_signed_as_there():
    signed = signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", BODY, at=1614265330
    )
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_reference_library_verifies_by_either_secret_and_by_no_other():
    secret, before = new_secret(), new_secret()
    headers = signed_headers("evt_1", BODY, at=int(time.time()), secrets_=(secret, before))
    for one in (secret, before):
        assert Webhook(one).verify(BODY, headers) == json.loads(BODY)
    for refused, body in ((new_secret(), BODY), (secret, BODY + b" ")):
        with pytest.raises(WebhookVerificationError):
            Webhook(refused).verify(body, headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY, headers | {"webhook-id": "evt_2"})
