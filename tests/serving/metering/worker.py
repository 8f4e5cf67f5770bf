"""A process that settles charges as fast as it can and says each outcome: `worker.py URL KEY_HASH TASKS CHARGES`.

Prints `ready`, waits for a line on its standard input, then prints one line for each outcome after its commit.
"""

import asyncio
import os
import sys

from serving.metering.group_commit import GroupCommit
from serving.metering.records import Charge
from serving.metering.store import store_opener


async def settle_all(url: str, key_hash: str, *, tasks: int, charges: int) -> None:
    group = GroupCommit(store_opener(url))
    await group.start()

    async def caller(name: str) -> None:
        for number in range(charges // tasks):
            outcome = await group.settle(Charge(key_hash, 1, "node", f"{name}-{number}"))
            os.write(1, f"{type(outcome).__name__}\n".encode())

    os.write(1, b"ready\n")
    await asyncio.to_thread(sys.stdin.readline)
    await asyncio.gather(*(caller(f"{os.getpid()}-{number}") for number in range(tasks)))
    await group.close()


if __name__ == "__main__":
    asyncio.run(settle_all(sys.argv[1], sys.argv[2], tasks=int(sys.argv[3]), charges=int(sys.argv[4])))
