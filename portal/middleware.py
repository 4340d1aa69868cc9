"""What happens around every page: a number for the request, headers, language, sign-in, refusals."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import translation

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal import logs
from portal.models import Person, SiteSettings
from portal.render import wants_fragment
from portal.views.errors import STATUS, bad_request, is_api, not_allowed, refusal

log = logging.getLogger("portal.refusals")
Answer = Callable[[HttpRequest], HttpResponseBase]


class Middleware:
    """Synchronous, like every page here: one change of thread for the whole chain, not one for each link."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)


class RequestId(Middleware):
    """Gives a request a short number: in the log, in `X-Request-ID` and on error pages."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        digits = secrets.token_hex(4)
        number = f"{digits[:4]}-{digits[4:]}"
        request.request_id = number  # type: ignore[attr-defined]
        # Not reset: Django logs the answer after the outermost middleware has returned it.
        logs.request_id.set(number)
        response = self.get_response(request)
        response.headers["X-Request-ID"] = number
        return response


class PlainHeaders(Middleware):
    """Headers no other part sets: our answers are for our own pages, and private to who asked."""

    FEATURES = ("camera", "geolocation", "microphone", "payment", "usb")

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        headers = response.headers
        headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        headers.setdefault("Permissions-Policy", ", ".join(f"{name}=()" for name in self.FEATURES))
        headers.setdefault("Cache-Control", "private, no-cache")
        return response


class OwnLanguage(Middleware):
    """The account's language first; a browser that names none of ours gets the site's (`portal.md` 3.0)."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        language = request.user.language if isinstance(request.user, Person) else self._of_site(request)
        if language:
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)

    @staticmethod
    def _of_site(request: HttpRequest) -> str:
        if settings.LANGUAGE_COOKIE_NAME in request.COOKIES or request.headers.get("Accept-Language"):
            return ""
        return SiteSettings.current().language


class SignedIn(LoginRequiredMiddleware):
    """Every view needs a signed-in person unless it is marked `login_not_required`."""

    def handle_no_permission(  # type: ignore[override]  # not only redirects
        self, request: HttpRequest, view_func: Any
    ) -> HttpResponseBase:
        """Pages lead to the sign-in page; a fragment makes the whole page go there; the API says 401."""
        if is_api(request):
            return refusal(request, SIGNED_OUT, status=401)
        response = super().handle_no_permission(request, view_func)
        if not wants_fragment(request):
            return response
        # A redirect would put the sign-in page into the fragment's place.
        return HttpResponse(status=204, headers={"HX-Redirect": str(response.headers["Location"])})


SIGNED_OUT = DomainError(
    "forbidden",
    "signed-out",
    message=gettext_noop("You are signed out. Nothing was changed."),
    hint=gettext_noop("Sign in and try again."),
)


class DomainErrors(Middleware):
    """Turns a `DomainError` of any room into a page, a fragment or JSON with the right status.

    Programs get JSON for the refusals of Django's own too.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = super().__call__(request)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and is_api(request):
            return not_allowed(request, response)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        if isinstance(exception, DomainError):
            log.info("%s %s: %s %s", request.method, request.path, exception.code, exception.where)
            return refusal(
                request, exception, status=STATUS[getattr(exception, "error_kind", exception.kind)]
            )
        if isinstance(exception, RequestDataTooBig | TooManyFilesSent):
            # Here, not left to Django, which would log it as if somebody had to look into it.
            log.info("%s %s: %s", request.method, request.path, exception)
            return bad_request(request, exception)
        if isinstance(exception, Http404) and is_api(request):
            return refusal(request, DomainError("not-found", "not-found"), status=404)
        return None
