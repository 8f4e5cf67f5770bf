"""The proxies' files: nginx runs with its own, and what it passes on is what the server goes by."""

import http.server
import json
import os
import re
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path

import httpx
import pytest

from serving.mcp.endpoint import MAX_BODY
from serving.process.protocol.sizes import MAX_URL
from tests.serving.servers import free_port

ROOT = Path(__file__).parents[2]
NAME = "law.example.org"
START_SECONDS = 120


class Told(http.server.BaseHTTPRequestHandler):
    """Answers with the head of the request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self.rfile.read(length)
        body = json.dumps({"path": self.path, "bytes": length, **dict(self.headers)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 (the name that the library looks for)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its own name)
        pass


@pytest.fixture(scope="module")
def backend() -> Iterator[int]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Told) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def nginx(backend: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """The ports at which nginx runs: without and with TLS. The packages' own file has it log every request."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None or shutil.which("openssl") is None:
        pytest.skip("nginx or openssl is not here: deploy/nginx.conf was NOT started")
    folder = tmp_path_factory.mktemp("nginx")
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    written = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([*made, "-subj", f"/CN={NAME}", *written], check=True, capture_output=True)
    plain, secure = free_port(), free_port()
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for was, here in (
        ("127.0.0.1:8000", f"127.0.0.1:{backend}"),
        (f"/etc/letsencrypt/live/{NAME}", str(folder)),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{secure} "),
    ):
        assert was in text
        text = text.replace(was, here)
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
    main = f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"{main}http {{ access_log {folder}/access.log;\n{temporary}{text}\n}}\n", encoding="utf-8"
    )
    process = subprocess.Popen([program, "-c", configuration, "-p", folder])
    deadline = time.monotonic() + START_SECONDS
    try:
        while True:
            assert process.poll() is None, (folder / "error.log").read_text(encoding="utf-8")
            assert time.monotonic() < deadline
            try:
                httpx.get(f"http://127.0.0.1:{plain}/")
                break
            except httpx.TransportError:
                time.sleep(0.05)
        yield plain, secure
        assert not (folder / "access.log").read_bytes(), "addresses hold tokens"
    finally:
        process.terminate()
        process.wait()


def unchecked() -> ssl.SSLContext:
    """A context that takes any certificate."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@pytest.fixture(scope="module")
def client(nginx: tuple[int, int]) -> Iterator[httpx.Client]:
    with httpx.Client(
        base_url=f"https://127.0.0.1:{nginx[1]}", verify=unchecked(), headers={"Host": NAME}
    ) as client:
        yield client


def test_nginx_passes_on_who_asked_and_how(client: httpx.Client) -> None:
    forged = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http"}
    told = client.get("/api/v1/search?q=a%20b", headers=forged).json()
    assert told["path"] == "/api/v1/search?q=a%20b"
    assert told["Host"] == NAME
    assert (told["X-Forwarded-For"], told["X-Forwarded-Proto"]) == ("127.0.0.1", "https")
    assert "Connection" not in told, "connections to the server are kept"


def test_nginx_keeps_the_numbers_to_the_operator_and_takes_what_the_server_takes(
    client: httpx.Client,
) -> None:
    assert client.get("/metrics").status_code == 404
    assert client.post("/mcp", content=b"x" * MAX_BODY).json()["bytes"] == MAX_BODY
    assert client.post("/mcp", content=b"x" * (MAX_BODY + 1)).status_code == 413


def test_nginx_passes_on_addresses_that_the_server_takes(nginx: tuple[int, int]) -> None:
    (size,) = re.findall(
        r"large_client_header_buffers 4 (\d+)k;", (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    )
    assert int(size) * 1024 > MAX_URL + len("GET  HTTP/1.1\r\n")
    # The server of this test takes no longer one.
    asked = f"/api/v1/resolve?citation={'a' * 65_000}"
    with closing(HTTPSConnection("127.0.0.1", nginx[1], context=unchecked(), timeout=30)) as connection:
        connection.request("GET", asked, headers={"Host": NAME})
        with connection.getresponse() as answer:
            assert json.loads(answer.read())["path"] == asked


def test_nginx_sends_clients_to_tls(nginx: tuple[int, int]) -> None:
    sent = httpx.get(f"http://127.0.0.1:{nginx[0]}/law/us?x=1", headers={"Host": NAME})
    assert (sent.status_code, sent.headers["location"]) == (301, f"https://{NAME}/law/us?x=1")


def test_caddy_accepts_its_file(tmp_path: Path) -> None:
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("Caddy is not here: deploy/Caddyfile was NOT checked")
    checked = subprocess.run(
        [program, "validate", "--adapter", "caddyfile", "--config", ROOT / "deploy" / "Caddyfile"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert checked.returncode == 0, checked.stderr
