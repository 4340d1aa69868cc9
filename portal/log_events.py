"""What is written to the log about people: who came in, who failed, who left. Never a password or key."""

from __future__ import annotations

import logging
from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

log = logging.getLogger("portal.access")


def _from(request: HttpRequest | None) -> str:
    return str(request.META.get("REMOTE_ADDR", "-")) if request else "-"


@receiver(user_logged_in)
def signed_in(request: HttpRequest | None, user: Any, **_: Any) -> None:
    log.info("signed in: %s from %s", user.handle, _from(request))


@receiver(user_logged_out)
def signed_out(request: HttpRequest | None, user: Any, **_: Any) -> None:
    if user is not None:
        log.info("signed out: %s from %s", user.handle, _from(request))


@receiver(user_login_failed)
def refused(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    name = credentials.get("username") or credentials.get("email") or credentials.get("login") or "-"
    log.warning("sign-in refused: %.80r from %s", str(name), _from(request))
