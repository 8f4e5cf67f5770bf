"""Clients that attack a server from processes of their own, for `bench_attack` and the test like it.

Run by `attacked_by`: `python -m tests.benchmarks.attackers PORT KIND ...`. It says a line once it began, and goes on
until it is killed. Only the standard library is imported, so that it begins soon.
"""

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

PATIENCE, PAUSE = 60, 0.2
"""Seconds that an attacker waits for the server, and between two heads."""


@dataclass(frozen=True)
class Attack:
    """What is done at once: connections that are slow and idle, heads, and requests whose answers are not read."""

    slow: int = 500
    idle: int = 300
    heads: int = 4
    head_bytes: int = 6_000_000
    pipeline_bytes: int = 76_000_000


@contextlib.contextmanager
def attacked_by(attack: Attack, port: int, path: str, key: str) -> Iterator[None]:
    """Attack a server, once all have begun.

    Args:
        attack: how much of what.
        port: of the server on this machine.
        path: that is asked for in a row, with the key.
        key: that is known.
    """
    with contextlib.ExitStack() as stack:
        kinds = [
            ("wait", attack.slow, attack.idle),
            ("heads", attack.heads, attack.head_bytes),
            ("requests", path, key, attack.pipeline_bytes),
        ]
        processes = [stack.enter_context(_process(port, kind)) for kind in kinds]
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()
        yield


@contextlib.contextmanager
def _process(port: int, arguments: Sequence[object]) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.benchmarks.attackers", str(port), *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def main() -> None:
    """Attack until killed."""
    port, kind, *rest = sys.argv[1:]
    if kind == "wait":
        _keep_waiting(int(port), int(rest[0]), int(rest[1]))
    elif kind == "heads":
        _send_heads(int(port), int(rest[0]), int(rest[1]))
    else:
        _send_requests(int(port), rest[0], rest[1], int(rest[2]))


def _say() -> None:
    print("begun", flush=True)


def _connected(port: int, first: bytes = b"") -> socket.socket | None:
    """Connect and send something; None where the server does not take it."""
    with contextlib.suppress(OSError):
        connection = socket.create_connection(("127.0.0.1", port), timeout=5)
        connection.sendall(first)
        return connection
    return None


def _keep_waiting(port: int, slow: int, idle: int) -> None:
    """Hold connections open: on some a head comes a byte a second, on the others nothing does."""
    connections: list[socket.socket | None] = [None] * (slow + idle)
    while True:
        for number, connection in enumerate(connections):
            if connection is None:
                connections[number] = _connected(
                    port, b"GET /api/v1 HTTP/1.1\r\nX-Slow: " if number < slow else b""
                )
            elif not _is_open(connection, b"s" if number < slow else b""):
                connection.close()
                connections[number] = None
        _say()
        time.sleep(1)


def _is_open(connection: socket.socket, drip: bytes) -> bool:
    connection.setblocking(False)
    try:
        if drip:
            connection.sendall(drip)
        return connection.recv(65536) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def _send_heads(port: int, number: int, length: int) -> None:
    """Send heads that have no end, one after the other on each of some connections."""
    sent = b"GET / HTTP/1.1\r\n" + b"a:b\r\n" * (length // 5)

    def send() -> None:
        while True:
            connection = _connected(port)
            if connection is None:
                time.sleep(0.1)
                continue
            with connection, contextlib.suppress(OSError):
                connection.settimeout(PATIENCE)
                connection.sendall(sent)
                connection.sendall(b"\r\n")
                while connection.recv(65536):
                    pass
            time.sleep(PAUSE)

    for _ in range(number):
        threading.Thread(target=send).start()
    _say()


def _send_requests(port: int, path: str, key: str, length: int) -> None:
    """Send requests in a row on one connection and read no answer; begin again where the server ends it."""
    request = f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\r\n".encode()
    sent = request * (length // len(request))
    while True:
        connection = _connected(port)
        if connection is None:
            time.sleep(0.1)
            continue
        with connection, contextlib.suppress(OSError):
            connection.settimeout(600)
            _say()
            connection.sendall(sent)
            time.sleep(600)


if __name__ == "__main__":
    main()
