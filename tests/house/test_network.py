"""One door to the outside network, and tests that never go through it."""

from __future__ import annotations

import ast
import asyncio
import socket
from pathlib import Path

import pytest

from tests.support.hosts import ReachedOut

TOP = Path(__file__).parents[2]
ROOMS = ("roleplay", "importer", "lorebooks", "presets", "worlds", "portal", "llm", "net", "formats")
SPEAKERS = {"httpx", "httpcore", "httpx2", "httpcore2", "requests", "aiohttp", "socket", "http.client"}
SPEAKERS |= {"urllib.request", "urllib3", "ftplib", "smtplib", "telnetlib", "websockets", "anyio"}
OPENERS = {"open_connection", "open_unix_connection", "create_connection", "create_datagram_endpoint"}
# (file, door): the reason why this file may use it
ALLOWED: dict[tuple[str, str], str] = {
    ("roleplay/serving.py", "socket"): "the server listens; nothing is connected to",
    ("llm/scripted/wire.py", "socket"): "the scripted model breaks connections that came to it",
}


def imported(tree: ast.AST) -> set[str]:
    """Every module an import names, also by function call; `from a import b` names both `a` and `a.b`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and called(node) in ("import_module", "__import__"):
            found |= {str(part.value) for part in node.args if isinstance(part, ast.Constant)}
    return found


def called(node: ast.Call) -> str:
    """The last name of what is called: `f` of `f()` and of `a.b.f()`."""
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def doors(source: str) -> set[str]:
    """The ways to the network that a module takes: libraries by import, functions of asyncio by call."""
    tree = ast.parse(source)
    modules = imported(tree)
    speakers = {door for door in SPEAKERS for name in modules if f"{name}.".startswith(f"{door}.")}
    calls = {called(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return speakers | (calls & OPENERS)


MODULES = [path for room in ROOMS if room != "net" for path in sorted((TOP / room).rglob("*.py"))]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(TOP)))
def test_only_net_opens_connections(path: Path) -> None:
    name = str(path.relative_to(TOP))
    assert {door for door in doors(path.read_text("utf-8")) if (name, door) not in ALLOWED} == set()


def test_no_exception_outlives_its_reason() -> None:
    for name, door in ALLOWED:
        assert door in doors((TOP / name).read_text("utf-8"))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import httpx", {"httpx"}),
        ("import httpx._client as c", {"httpx"}),
        ("from urllib import request", {"urllib.request"}),
        ("from urllib.request import urlopen as u", {"urllib.request"}),
        ("def f():\n    from http.client import HTTPConnection", {"http.client"}),
        ("from http import client", {"http.client"}),
        ("import importlib\nimportlib.import_module('socket')", {"socket"}),
        ("import asyncio\nasyncio.open_connection('a', 1)", {"open_connection"}),
        ("import http\nfrom urllib.parse import urlsplit\nimport socketserver_of_ours", set()),
    ],
)
def test_the_look_sees_every_spelling(source: str, found: set[str]) -> None:
    assert doors(source) == found


def test_tests_cannot_reach_another_host() -> None:
    with pytest.raises(ReachedOut):
        socket.create_connection(("192.0.2.1", 80), timeout=0.1)
    with pytest.raises(ReachedOut):
        socket.getaddrinfo("pictures.example", 80)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams, pytest.raises(ReachedOut):
        datagrams.sendto(b"x", ("192.0.2.1", 53))


async def test_async_code_cannot_either() -> None:
    with pytest.raises(ReachedOut):
        await asyncio.open_connection("192.0.2.1", 80)


def test_this_machine_can_be_reached() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(("localhost", server.getsockname()[1])) as client,
    ):
        assert client.getpeername()[0] == "127.0.0.1"
