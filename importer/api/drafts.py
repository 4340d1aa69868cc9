"""A world that cannot start yet: its problems, and what is to become of it (DRAFT-5)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from formats.errors import DomainError
from importer import actions
from importer.access import imported_world_for
from importer.api.bodies import asked_id, sent_object, unusable
from importer.api.shapes import draft_json
from portal.access import person_of


@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest) -> HttpResponseBase:
    """GET: state and problems. POST `{action}`: `keep` or `discard`; `ask` needs a model and is refused."""
    person = person_of(request)
    world = imported_world_for(person, asked_id(request))
    if request.method != "POST":
        return JsonResponse(draft_json(world))
    match sent_object(request).get("action"):
        case "keep":
            actions.keep_draft(actor=person, world=world)
            world.refresh_from_db()
            return JsonResponse(draft_json(world))
        case "discard":
            entry = actions.discard_draft(actor=person, world=world)
            return JsonResponse({"world": world.pk, "trash": entry})
        case "ask":
            raise nobody_to_ask()
    raise unusable("action")


def nobody_to_ask() -> DomainError:
    """Repair by an assistant needs a model."""
    return DomainError(
        "invalid",
        "import.no-assistant",
        "action",
        gettext_noop("This server has no model that could repair the world. Nothing was changed."),
        gettext_noop("Mend it on its repair page, keep it as a draft, or discard it."),
    )
