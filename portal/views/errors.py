"""Refusals and failures as a page in our shell, a fragment for htmx, or JSON for programs.

Three lines: what happened · what is safe · what you can do; then the code, the address and the number of
the request (`portal.md` 3.0).
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from formats.errors import DomainError, ErrorKind
from formats.messages import gettext_noop
from portal.access import nothing_here
from portal.render import render_page, wants_fragment
from portal.say import hinted, said

API = "/roleplay-api/"
STATUS: Mapping[ErrorKind, int] = {
    "invalid": HTTPStatus.UNPROCESSABLE_ENTITY,
    "not-found": HTTPStatus.NOT_FOUND,
    "forbidden": HTTPStatus.FORBIDDEN,
    "conflict": HTTPStatus.CONFLICT,
    "precondition": HTTPStatus.PRECONDITION_FAILED,
    "too-large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "unsupported": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "busy": HTTPStatus.LOCKED,
    "limited": HTTPStatus.TOO_MANY_REQUESTS,
    "full": HTTPStatus.INSUFFICIENT_STORAGE,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
}


def is_api(request: HttpRequest) -> bool:
    """The request comes from a program: it gets JSON, never a page."""
    return request.path.startswith(API)


def refusal(request: HttpRequest, error: DomainError, *, status: int) -> HttpResponse:
    """Show a refusal to whoever asked, in their form and language.

    JSON is `{"error": {"code", "message", "where"}}`; a fragment goes to the notices of the page that asked.
    """
    message, hint = said(error), hinted(error)
    if is_api(request):
        told = {"code": error.code, "message": " ".join(filter(None, (message, hint))), "where": error.where}
        return with_time_to_wait(JsonResponse({"error": told}, status=status), error)
    context = {
        "title": title_of(status),
        "message": message,
        "hint": hint,
        "code": error.code,
        "where": error.where,
        "status": status,
    }
    response = render_page(request, "errors/error.html", context, partial="told", status=status)
    if wants_fragment(request):
        response.headers["HX-Retarget"] = "#notices"
        response.headers["HX-Reswap"] = "innerHTML"
    return with_time_to_wait(response, error)


def with_time_to_wait(response: HttpResponse, error: DomainError) -> HttpResponse:
    """A refusal for too many tries says in how many seconds to come back."""
    if error.kind == "limited":
        response.headers["Retry-After"] = str(error.values.get("seconds", 300))
    return response


def title_of(status: int) -> str:
    """The heading of an error page: the kind of trouble in a few words."""
    titles = {
        400: _("This request cannot be read"),
        401: _("You are signed out"),
        403: _("Not allowed"),
        404: _("Nothing here"),
        409: _("Changed in the meantime"),
        412: _("Changed in the meantime"),
        413: _("Too large"),
        415: _("Not a file for this place"),
        422: _("This cannot be done as it is"),
        423: _("Somebody is writing right now"),
        429: _("Too many tries"),
        503: _("Not reachable right now"),
        507: _("No room left"),
    }
    return titles.get(status, _("This did not work"))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponseBase:
    """What Django would not read, and why as far as that helps: too much, too many files, or nonsense."""
    if isinstance(exception, RequestDataTooBig):
        return refusal(request, too_large(), status=413)
    if isinstance(exception, TooManyFilesSent):
        return refusal(request, too_many_files(), status=400)
    error = DomainError(
        "invalid",
        "bad-request",
        message=gettext_noop("The server could not read this request. Nothing was changed."),
        hint=gettext_noop("Go back, load the page again and repeat what you did."),
    )
    return refusal(request, error, status=400)


def too_large() -> DomainError:
    """A body without files that is larger than any of ours can be."""
    return DomainError(
        "too-large",
        "body-too-large",
        message=gettext_noop("What was sent is too large to be read. Nothing was stored."),
        hint=gettext_noop("Send less at once."),
    )


def too_many_files() -> DomainError:
    """More files in one form than are taken."""
    return DomainError(
        "invalid",
        "too-many-files",
        message=gettext_noop("More than {most} files came at once. Nothing was stored."),
        hint=gettext_noop("Send fewer files at a time."),
        args={"most": settings.DATA_UPLOAD_MAX_NUMBER_FILES},
    )


def not_allowed(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    """The 405 of an address that does not know the method of a program, which methods it knows kept."""
    error = DomainError(
        "invalid",
        "method-not-allowed",
        request.path,
        gettext_noop("This address does not take {method}. Nothing was changed."),
        gettext_noop("It takes {known}."),
        {"method": (request.method or "")[:20], "known": answer.headers["Allow"]},
    )
    told = refusal(request, error, status=405)
    told.headers["Allow"] = answer.headers["Allow"]
    return told


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponseBase:
    error = DomainError(
        "forbidden",
        "forbidden",
        message=gettext_noop("Your account may not do this. Nothing was changed."),
        hint=gettext_noop("Ask the host of this server if you think you should be able to."),
    )
    return refusal(request, error, status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """The form came without the mark that shows it is from this site, or the mark is old."""
    error = DomainError(
        "forbidden",
        "csrf",
        message=gettext_noop(
            "The server could not be sure that this came from its own page. Nothing was changed."
        ),
        hint=gettext_noop(
            "Load the page again and repeat what you did. Cookies must be allowed for this address."
        ),
    )
    return refusal(request, error, status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponseBase:
    return refusal(request, nothing_here(), status=404)


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Our fault. Drawn without database, session or account: any of them may be what failed."""
    number = getattr(request, "request_id", "-")
    if is_api(request):
        message = _("Our fault: the request could not be answered. Tell the host this number: %(number)s.")
        told = {"code": "server-error", "message": message % {"number": number}, "where": request.path}
        return JsonResponse({"error": told}, status=500)
    name = "errors/500_fragment.html" if wants_fragment(request) else "errors/500.html"
    response = HttpResponse(render_to_string(name, {"number": number, "path": request.path}), status=500)
    if wants_fragment(request):
        response.headers["HX-Retarget"] = "#notices"
        response.headers["HX-Reswap"] = "innerHTML"
    return response
