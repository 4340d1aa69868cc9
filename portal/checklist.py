"""What the host should know about the configuration, each line with what to do (`portal.md` 3.1)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from portal.shell import worker_runs


@dataclass(frozen=True, slots=True)
class Check:
    """One line: whether it is well, what was looked at, and what to do when it is not."""

    well: bool
    label: str
    advice: str = ""


def checklist(request: HttpRequest) -> list[Check]:
    """The lines, in the order in which they matter."""
    data = Path(settings.ROLEPLAY_DATA)
    named = {"data": data, "hosts": ", ".join(settings.ALLOWED_HOSTS), "zone": settings.TIME_ZONE}
    return [
        Check(not settings.DEBUG, _("Debugging is off."), _("Remove DEBUG: it shows the program's insides.")),
        Check(
            len(settings.SECRET_KEY) >= 32,
            _("The secret key is set."),
            _("SECRET_KEY is too short. Remove it, and the server makes its own."),
        ),
        Check(
            os.access(data, os.W_OK),
            _("The data folder can be written: %(data)s") % named,
            _("Let the user of this server write there, or set ROLEPLAY_DATA."),
        ),
        Check(
            "*" not in settings.ALLOWED_HOSTS,
            _("The server answers to: %(hosts)s") % named,
            _("Set PUBLIC_URL or ALLOWED_HOSTS to the names people type."),
        ),
        _reached(request),
        Check(
            worker_runs(),
            _("Background jobs are worked through."),
            _("Start the server with “make run”. Until then imports wait."),
        ),
        Check(True, _("Times are shown in the zone %(zone)s.") % named),
    ]


def _reached(request: HttpRequest) -> Check:
    """How the server was reached for this page. Of a loopback address nothing is said of safety: others do
    not reach the server there."""
    advice = _("Put a web server with a certificate in front and set PUBLIC_URL to its https address.")
    if request.is_secure() or not _is_local(request):
        return Check(request.is_secure(), _("People reach it over a safe connection."), advice)
    return Check(True, _("At this address only this machine reaches it."))


def _is_local(request: HttpRequest) -> bool:
    return request.get_host().rsplit(":", 1)[0] in ("localhost", "127.0.0.1", "[::1]")
