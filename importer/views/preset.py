"""`/import/<id>/preset/`: a preset that came where cards come goes to the library of presets."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from importer import actions
from importer.views.found import find_upload
from presets.views.taking import address_of
from worlds.views.frame import see_other


@require_POST
def take(request: HttpRequest, import_id: str) -> HttpResponse:
    """Of a file that is a preset; leads where the library would."""
    person, upload = find_upload(request, import_id)
    taken = actions.take_preset(actor=person, upload=upload)
    if taken.preset is not None:
        messages.success(request, _("“%(name)s” is in the library.") % {"name": taken.name})
    return see_other(address_of(taken))
