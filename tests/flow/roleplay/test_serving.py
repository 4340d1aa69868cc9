"""`manage.py serve` as a program: from an empty folder to an answering address, and what it refuses."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.support.servers import (
    SET_UP,
    TOP,
    Running,
    free_port,
    manage,
    program_environment,
    serving,
    started,
    wait_until,
)
from worlds.store.paths import DataFolder
from worlds.store.server_lock import take_server_lock

pytestmark = pytest.mark.timeout(240)
MB = 1024 * 1024
SIGN_IN = """
from importlib import import_module
from django.conf import settings
from portal.models import Person
person = Person.objects.create_user("ana", password=None)
session = import_module(settings.SESSION_ENGINE).SessionStore()
session["_auth_user_id"] = str(person.pk)
session["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
session["_auth_user_hash"] = person.get_session_auth_hash()
session.create()
print(session.session_key)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server over a folder that did not exist."""
    with serving(tmp_path_factory.mktemp("served") / "data") as running:
        yield running


@pytest.fixture(scope="module")
def data(server: Running) -> Path:
    environment = Path(f"/proc/{server.process.pid}/environ").read_bytes().decode().split("\0")
    return Path(dict(line.partition("=")[::2] for line in environment if line)["ROLEPLAY_DATA"])


@pytest.fixture(scope="module")
def session(server: Running, data: Path) -> str:
    """The session of somebody who is signed in."""
    return manage(program_environment(data), code=SET_UP + SIGN_IN).strip()


def get(address: str) -> tuple[int, str]:
    with urllib.request.urlopen(address, timeout=20) as answer:
        return answer.status, answer.read().decode()


def test_a_fresh_folder_becomes_a_server_that_offers_the_first_account(server: Running) -> None:
    *_before, blank, told, address, end = [line.strip() for line in server.lines]
    assert (blank, end) == ("", "Ctrl-C ends the server."), "one block, and nothing beside it"
    assert "Make the first one here" in told
    assert address.startswith(f"{server.address}/setup/?token=")
    assert get(address)[0] == 200
    status, text = get(f"{server.address}/healthz")
    assert (status, json.loads(text)["worker"]["running"]) == (200, True)


def test_machines_are_told_in_one_line(tmp_path: Path) -> None:
    port = free_port()
    environment = program_environment(tmp_path / "data", PORT=str(port))
    call = [sys.executable, "manage.py", "serve", "--json"]
    for people in (0, 1):
        with started(call, environment, port) as running:
            told = json.loads(running.line_with("{"))
            assert running.lines == [f"{json.dumps(told)}\n"]
            assert told["address"] == running.address
            assert get(told["setup"] or f"{running.address}/healthz")[0] == 200
            assert (told["setup"] is None) is bool(people)
            running.process.send_signal(signal.SIGINT)
            assert running.process.communicate(timeout=30)[0] == ""
        if not people:
            manage(environment, code=SET_UP + SIGN_IN)


def run_serve(data: Path, port: int) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "manage.py", "serve", "--port", str(port)]
    environment = program_environment(data)
    return subprocess.run(call, cwd=TOP, env=environment, capture_output=True, text=True, timeout=100)


def test_a_second_server_on_the_same_folder_is_refused_in_a_sentence(server: Running, data: Path) -> None:
    refused = run_serve(data, free_port())
    assert refused.returncode == 1
    assert "Another server is running on the data folder" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_taken_port_is_refused_in_a_sentence(server: Running, tmp_path: Path) -> None:
    refused = run_serve(tmp_path / "other", server.port)
    assert refused.returncode == 1
    assert f"cannot listen on 127.0.0.1, port {server.port}" in refused.stderr
    assert "--port" in refused.stderr
    assert "Traceback" not in refused.stderr


def left_over(data: Path) -> list[Path]:
    """Temporary files of uploads."""
    (folder,) = data.rglob(".uploads")
    return list(folder.iterdir())


class Sender:
    """Sends a request body by hand and counts what the server lets through."""

    def __init__(self, server: Running, headers: list[str], path: str = "/import/") -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
        lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *headers, "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        self.sent = 0

    def __enter__(self) -> Sender:
        return self

    def __exit__(self, *failure: object) -> None:
        self.socket.close()

    def send(self, total: int, chunked: bool = False, piece: int = 65536) -> None:
        """Send `total` bytes, or as many as the server takes."""
        data = b"x" * piece
        framed = b"%x\r\n%s\r\n" % (piece, data) if chunked else data
        with contextlib.suppress(OSError):
            while self.sent < total:
                self.socket.sendall(framed)
                self.sent += piece

    def answer(self) -> str:
        """The answer, as far as it arrives before the connection ends."""
        got = b""
        with contextlib.suppress(OSError):
            while more := self.socket.recv(65536):
                got += more
        return got.decode("utf-8", "replace")


@pytest.mark.parametrize("chunked", [False, True])
def test_an_anonymous_flood_is_refused_before_it_is_taken(server: Running, data: Path, chunked: bool) -> None:
    """600 MB without a session: at most 2 MB taken, memory up by at most 20 MB, nothing left on the disk."""
    get(f"{server.address}/healthz")
    before = server.memory()
    header = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {600 * MB}"
    with Sender(server, [header]) as sender:
        sender.send(600 * MB, chunked)
    # What the system itself keeps in the buffers of both sockets counts here too: up to 6 MB more.
    assert sender.sent <= (2 + 6) * MB
    assert server.memory() - before <= 20 * MB
    wait_until(lambda: left_over(data) == [])  # the answer is sent before the request is cleared away
    assert get(f"{server.address}/healthz")[0] == 200


def test_a_refusal_reaches_the_sender_who_waits_for_it(server: Running) -> None:
    with Sender(server, [f"Content-Length: {600 * MB}", "Accept-Language: zh-CN"]) as sender:
        answer = sender.answer()
    assert answer.startswith("HTTP/1.1 413 ")
    assert "connection: close" in answer.lower()
    with Sender(server, [f"Content-Length: {2 * MB}"], "/signin/") as small:
        small.send(MB)
        assert small.answer().startswith("HTTP/1.1 413 ")


def test_a_file_of_100_mb_from_a_signed_in_person_costs_little_memory(
    server: Running, data: Path, session: str
) -> None:
    token = "a" * 32
    head = (
        f'--b\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{token}\r\n'
        '--b\r\nContent-Disposition: form-data; name="file"; filename="card.png"\r\n'
        "Content-Type: image/png\r\n\r\n"
    ).encode()
    tail, size = b"\r\n--b--\r\n", 100 * MB
    headers = [
        f"Cookie: sessionid={session}; csrftoken={token}",
        "Content-Type: multipart/form-data; boundary=b",
        f"Content-Length: {len(head) + size + len(tail)}",
        "Connection: close",
    ]
    began = time.monotonic()
    with Sender(server, headers) as sender:
        sender.socket.sendall(head)
        sender.send(size, piece=MB)
        assert sender.sent == size
        sender.socket.sendall(tail)
        answer = sender.answer()
    assert answer.startswith("HTTP/1.1 "), answer
    assert not answer.startswith("HTTP/1.1 413")
    peak = server.memory("VmHWM")
    print(f"100 MB upload: {time.monotonic() - began:.1f} s, peak {peak / MB:.0f} MB")
    assert peak < 300 * MB
    wait_until(lambda: left_over(data) == [])  # the answer is sent before the request is cleared away


def test_the_bell_is_reached_over_a_real_socket_by_our_own_pages_only(server: Running, session: str) -> None:
    address = f"ws://127.0.0.1:{server.port}/bell/"
    cookie = {"Cookie": f"sessionid={session}"}
    with connect(address, origin=Origin(server.address), additional_headers=cookie) as page:
        assert "ring" in json.loads(page.recv(timeout=10))
        page.send("x" * (MB + 1))
        with pytest.raises(ConnectionClosed) as ended:
            page.recv(timeout=10)
    assert ended.value.rcvd is not None
    assert ended.value.rcvd.code == 1009
    other_port, other_scheme = Origin(f"http://127.0.0.1:{server.port + 1}"), Origin("https://127.0.0.1")
    for origin in (other_port, other_scheme, None):
        with pytest.raises(InvalidStatus), connect(address, origin=origin, additional_headers=cookie):
            pass


def test_the_server_ends_soon_when_asked_and_its_folder_is_free(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    with serving(data.root) as first:
        first.kill()
    with serving(data.root) as second:  # kill -9 leaves no lock either
        began = time.monotonic()
        assert second.end() == -15
        assert time.monotonic() - began < 5
        with take_server_lock(data):
            pass
