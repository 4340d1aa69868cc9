"""The first account: while nobody has one, a token in the data folder opens `/setup/` (D44)."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.conf import settings

from portal.models import Person

FILE_NAME = "setup-token"


def setup_token() -> str | None:
    """The token `serve` prints, made when it is not there yet; `None` once there is an account.

    Two processes that ask at once get the same token.
    """
    if Person.objects.exists():
        return None
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip() or _replace(path)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(24))
    return path.read_text(encoding="ascii")


def opens_setup(token: str) -> bool:
    """Whether this token opens the first-run page: only while there is no account."""
    expected = setup_token()
    return expected is not None and secrets.compare_digest(token.encode(), expected.encode())


def forget_token() -> None:
    """The first account exists: the token is worth nothing any more."""
    _path().unlink(missing_ok=True)


def _path() -> Path:
    return Path(settings.ROLEPLAY_DATA) / FILE_NAME


def _replace(path: Path) -> str:
    """A crash between making and writing left an empty file: write it again."""
    token = secrets.token_urlsafe(24)
    path.write_text(token, encoding="ascii")
    return token
