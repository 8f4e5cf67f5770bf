"""A process that takes events as a worker of the server does: `worker.py URL SECRET`.

Reads signed events, a JSON list on one line, prints `ready`, waits for a line, then takes them in their order
and prints one line for each.
"""

import json
import os
import sys

from serving.accounts.credits import Credits
from serving.contract.errors import LawError
from serving.metering.database import Database
from serving.payments.checkout import open_client
from serving.payments.payments import Payments


def take(payments: Payments, body: str, signature: str) -> str:
    try:
        report = payments.read(body.encode(), signature)
        if report is not None:
            payments.apply(report)
    except LawError as error:
        return type(error).__name__
    return "taken"


if __name__ == "__main__":
    database = Database(sys.argv[1])
    payments = Payments(open_client("sk_test"), webhook_secret=sys.argv[2], credits=Credits(database))
    events = json.loads(sys.stdin.readline())
    os.write(1, b"ready\n")
    sys.stdin.readline()
    for body, signature in events:
        os.write(1, f"{take(payments, body, signature)}\n".encode())
    database.close()
