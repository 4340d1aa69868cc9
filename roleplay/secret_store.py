"""Secrets made once for this server, kept in `<data>/secrets.env` and readable by its user only (D44)."""

from __future__ import annotations

import base64
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from cryptography.fernet import Fernet

from roleplay.config import ConfigError
from roleplay.data_folder import make_private_folder

FILE_NAME = "secrets.env"
NAMES = ("SECRET_KEY", "FIELD_KEYS")


@dataclass(frozen=True, slots=True)
class Secrets:
    """`key` signs sessions and links; `field_keys` (newest first) encrypt secrets in the database."""

    key: str
    field_keys: tuple[str, ...]


def secrets_of(data: Path, key: str = "", field_keys: tuple[str, ...] = ()) -> Secrets:
    """The secrets given by the environment, and for what is missing those of the data folder.

    The file is made when it is not there; two processes starting together agree on one of them.

    Raises:
        ConfigError: the file cannot be made or read, or lacks a name; a field key is none.
    """
    _check(field_keys, "FIELD_KEYS")
    if key and field_keys:
        return Secrets(key, field_keys)
    path = data / FILE_NAME
    try:
        if not path.exists():
            _make(path)
        kept = _read(path)
    except OSError as error:
        raise ConfigError(
            f"The secrets in {path} cannot be read or made ({error.strerror}). "
            "Nothing was changed. Make the data folder writable for this user, or set ROLEPLAY_DATA."
        ) from error
    missing = [name for name in NAMES if not kept.get(name)]
    if missing:
        raise ConfigError(f"{path} lacks {', '.join(missing)}. Restore it from a backup, or set it yourself.")
    kept_keys = tuple(kept["FIELD_KEYS"].split(","))
    _check(kept_keys, f"FIELD_KEYS in {path}")
    return Secrets(key or kept["SECRET_KEY"], field_keys or kept_keys)


def _check(field_keys: tuple[str, ...], where: str) -> None:
    """Refuse at start what would fail when the first key of a model endpoint is kept."""
    for field_key in field_keys:
        try:
            Fernet(field_key)
        except ValueError:
            raise ConfigError(
                f"{where}: each must be 32 bytes in URL-safe base64, 44 characters. Nothing was changed."
            ) from None


def _make(path: Path) -> None:
    """Write a complete file aside, then link it into place: whoever links first wins, nobody sees half."""
    make_private_folder(path.parent)
    field_key = base64.urlsafe_b64encode(os.urandom(32)).decode()
    text = (
        "# Made by the server. Keep it with your backups: without it stored keys cannot be read.\n"
        f"SECRET_KEY={secrets.token_urlsafe(48)}\nFIELD_KEYS={field_key}\n"
    )
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        path.hardlink_to(aside)
    except FileExistsError:
        return
    finally:
        aside.unlink()


def _read(path: Path) -> dict[str, str]:
    pairs = (line.split("=", 1) for line in path.read_text(encoding="utf-8").splitlines() if "=" in line)
    return {name.strip(): value.strip() for name, value in pairs if not name.lstrip().startswith("#")}
