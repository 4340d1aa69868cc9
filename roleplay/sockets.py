"""Every websocket address, behind the check of the full origin and the session login."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.urls import path, re_path

from portal.consumers import Bell
from roleplay.config import LOCAL_NAMES


class FullOrigin(OriginValidator):  # type: ignore[misc]  # channels has no types
    """Lets in pages of our own origins only: scheme, host and port all count (reliability, part 5)."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Refuse a missing, repeated, malformed or foreign Origin."""
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        allowed = (
            len(origins) == 1
            and is_readable(origins[0])
            and self.valid_origin(urlsplit(origins[0].decode("ascii")))
        )
        await (self.application if allowed else refuse)(scope, receive, send)


async def refuse(scope: Any, receive: Any, send: Any) -> None:
    """Deny a socket before it is open; the sender sees 403."""
    await receive()
    await send({"type": "websocket.close"})


def is_readable(origin: bytes) -> bool:
    """Whether an Origin can be taken apart, its port included."""
    try:
        parts = urlsplit(origin.decode("ascii"))
        return parts.port is None or parts.port > 0
    except ValueError:
        return False


def allowed_origins(trusted: Iterable[str]) -> list[str]:
    """Origins as the validator wants them.

    `https://*.example.org` (as CSRF_TRUSTED_ORIGINS writes it) becomes `https://.example.org`. An origin on
    this machine is allowed under every name of this machine, on the same port.
    """
    found = []
    for origin in trusted:
        parts = urlsplit(origin.replace("://*.", "://."))
        host = parts.netloc.rpartition(":")[0] if parts.port else parts.netloc
        port = f":{parts.port}" if parts.port else ""
        names = LOCAL_NAMES if host in LOCAL_NAMES else (host,)
        found += [f"{parts.scheme}://{name}{port}" for name in names]
    return list(dict.fromkeys(found))


def application(trusted: Iterable[str]) -> FullOrigin:
    """The websocket half of the program, for pages of the trusted origins."""
    nowhere: Any = refuse  # an ASGI application where the types of urls expect a view
    routes = URLRouter([path("bell/", Bell.as_asgi()), re_path("", nowhere)])
    return FullOrigin(AuthMiddlewareStack(routes), allowed_origins(trusted))


sockets = application(settings.TRUSTED_ORIGINS)
