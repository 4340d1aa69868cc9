"""`manage.py serve`: everything between a fresh clone and an address that answers (D30, D44)."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils.translation import gettext as _

from formats.errors import DomainError
from formats.finding import fill
from portal.first_run import setup_token
from portal.jobs import engine
from portal.say import hinted, said
from roleplay.static_files import gather
from worlds.store.atomic import make_folders, remove_for_good
from worlds.store.paths import DataFolder
from worlds.store.server_lock import take_server_lock

FRAME_BYTES: Final = 1024 * 1024  # of one websocket message
END_SECONDS: Final = 10  # that requests get to end when the server does
Say = Callable[[str], object]


class PortalServer(uvicorn.Server):
    """uvicorn that says when it answers, and gives running jobs back as soon as it is asked to end."""

    def __init__(self, config: uvicorn.Config, say: Say, greeting: str) -> None:
        super().__init__(config)
        self._say = say
        self._greeting = greeting

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._say(self._greeting)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if (runs_jobs := engine.installed()) is not None:
            runs_jobs.close()


def serve(host: str, port: int | None, say: Say, *, as_json: bool = False) -> None:
    """Prepare the data folder, the database and the static files, then serve until asked to end.

    Once it answers it says so: in a block for people, or `as_json` in one line for machines.

    Raises:
        CommandError: another server works on the data folder, or the port is taken.
    """
    if port is not None and port != settings.PORT:
        _begin_again(port)
    data = DataFolder(Path(settings.ROLEPLAY_DATA))
    try:
        make_folders(data.root)
        with take_server_lock(data):
            _serve_alone(host, say, ready_line if as_json else greeting)
    except DomainError as error:
        raise CommandError(f"{said(error)}\n{hinted(error)}".strip()) from error


def _begin_again(port: int) -> None:
    """Start this program anew with PORT in its environment: the addresses in the settings follow it."""
    os.environ["PORT"] = str(port)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  # our own command again


def _serve_alone(host: str, say: Say, ready: Callable[[], str]) -> None:
    """What happens under the server lock."""
    listening = listen(host, settings.PORT)
    prepare()
    config = uvicorn.Config(
        "roleplay.asgi:application",
        lifespan="on",
        log_config=None,  # the program's own
        log_level="warning",
        access_log=False,  # addresses may hold tokens
        server_header=False,
        ws_max_size=FRAME_BYTES,
        proxy_headers=bool(settings.TRUSTED_PROXIES),
        forwarded_allow_ips=list(settings.TRUSTED_PROXIES),
        timeout_graceful_shutdown=END_SECONDS,
    )
    PortalServer(config, say, ready()).run(sockets=[listening])


def prepare() -> None:
    """Bring the data folder, the tables and the static files into the form this version needs."""
    uploads = Path(settings.FILE_UPLOAD_TEMP_DIR)
    make_folders(uploads)
    for left in uploads.iterdir():  # of a server that was killed; no other one is running
        remove_for_good(left)
    tempfile.tempdir = str(uploads)  # where Django keeps a body that arrives; /tmp may be small, or memory
    call_command("migrate", interactive=False, verbosity=0)
    if not settings.DEBUG:
        gather()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, so that a taken port is told before anything else begins.

    Raises:
        CommandError: the port is taken or not allowed, or the host is no address of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        raise CommandError(
            fill(
                _(
                    "The server cannot listen on {host}, port {port}: {reason}. Nothing was changed. "
                    "End the program that uses the port, or choose another one with --port."
                ),
                {"host": host, "port": port, "reason": error.strerror},
            )
        ) from error
    return listening


def greeting() -> str:
    """One block for people: the address to open, which is the first-run page while nobody has an account."""
    first = first_address()
    told = _("Nobody has an account yet. Make the first one here; the address works once:")
    lines = [told if first else _("Open this address in a browser:"), f"    {first or settings.PUBLIC_URL}"]
    return "\n".join(["", *lines, _("Ctrl-C ends the server.")])


def ready_line() -> str:
    """The same for machines: `address`, and `setup`, the first-run address, or null."""
    return json.dumps({"address": settings.PUBLIC_URL, "setup": first_address()})


def first_address() -> str | None:
    """Where the first account is made; None once there is one."""
    token = setup_token()
    return None if token is None else f"{settings.PUBLIC_URL}/setup/?token={token}"
