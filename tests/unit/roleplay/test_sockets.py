"""Which pages may open a socket: scheme, host and port all count."""

from typing import Any

import pytest

from roleplay.sockets import FullOrigin, allowed_origins

OURS = ["https://worlds.example", "https://*.play.example", "http://10.0.0.5:8080"]


class Door:
    """Remembers whether it was opened."""

    opened = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.opened = True


async def opens(trusted: list[str], *origins: str) -> bool:
    door = Door()
    sent: list[str] = []
    frames: list[dict[str, Any]] = [
        {"type": "websocket.connect"},
        {"type": "websocket.disconnect", "code": 1006},
    ]

    async def receive() -> dict[str, Any]:
        return frames.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message["type"])

    headers = [(b"origin", origin.encode()) for origin in origins]
    scope = {"type": "websocket", "path": "/bell/", "headers": headers}
    await FullOrigin(door, allowed_origins(trusted))(scope, receive, send)
    assert door.opened or sent == ["websocket.close"]
    return door.opened


@pytest.mark.parametrize(
    "origin",
    [
        "https://worlds.example",
        "https://worlds.example:443",
        "https://a.play.example",
        "http://10.0.0.5:8080",
    ],
)
async def test_our_pages_may(origin: str) -> None:
    assert await opens(OURS, origin)


@pytest.mark.parametrize(
    "origin",
    [
        "http://worlds.example",
        "https://worlds.example:8443",
        "http://worlds.example:443",
        "https://worlds.example.evil.example",
        "https://evil.example",
        "https://sub.worlds.example",
        "https://xplay.example",
        "http://a.play.example",
        "http://10.0.0.5",
        "http://10.0.0.5:8081",
        "https://10.0.0.5:8080",
        "null",
        "file://",
        "",
        "worlds.example",
        "//worlds.example",
        "https://worlds.example:99999",
        "https://worlds.example:x",
        "https://[::1",
        "*",
    ],
)
async def test_nobody_else_may(origin: str) -> None:
    assert not await opens(OURS, origin)


async def test_a_socket_without_an_origin_or_with_two_is_refused() -> None:
    assert not await opens(OURS)
    assert not await opens(OURS, "https://worlds.example", "https://worlds.example")


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000", True),
        ("http://localhost:8001", False),
        ("http://localhost", False),
        ("https://localhost:8000", False),
    ],
)
async def test_this_machine_has_three_names_and_one_port(origin: str, allowed: bool) -> None:
    assert await opens(["http://127.0.0.1:8000"], origin) is allowed
