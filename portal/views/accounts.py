"""Sign-in pages that allauth does not decide alone."""

from __future__ import annotations

from allauth.account.views import password_reset as send_reset
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase

from portal.people import host_name
from portal.render import render_page


@login_not_required
def password_reset(request: HttpRequest) -> HttpResponseBase:
    """A letter with a link where the server sends letters; else whom to ask."""
    if not settings.MAIL_CONFIGURED:
        return render_page(request, "portal/password_ask_host.html", {"host": host_name()})
    answer: HttpResponseBase = send_reset(request)
    return answer
