"""Every websocket address, behind the check of the full origin and the session login."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import OriginValidator, WebsocketDenier
from django.conf import settings
from django.urls import path, re_path

from portal.consumers import Bell
from roleplay.config import LOCAL_NAMES


class FullOrigin(OriginValidator):  # type: ignore[misc]  # channels has no types
    """Lets in pages of our own origins only: scheme, host and port all count (reliability, part 5)."""

    def valid_origin(self, parsed_origin: Any) -> bool:
        try:
            return bool(super().valid_origin(parsed_origin))
        except ValueError:  # a port that is no port
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
    routes = URLRouter([path("bell/", Bell.as_asgi()), re_path("", WebsocketDenier.as_asgi())])
    return FullOrigin(AuthMiddlewareStack(routes), allowed_origins(trusted))


sockets = application(settings.TRUSTED_ORIGINS)
