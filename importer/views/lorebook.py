"""`/import/<id>/lorebook/`: a lorebook that came with an import goes to the library of lorebooks."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from importer import actions
from importer.views.found import find_import
from lorebooks.views.taking import address_of
from worlds.views.frame import see_other


@require_POST
def take(request: HttpRequest, import_id: str) -> HttpResponse:
    """Of a card its book, of a file that is a lorebook the file; leads where the library would."""
    person, found = find_import(request, import_id)
    taken = actions.take_lorebook(actor=person, found=found)
    if taken.lorebook is not None:
        messages.success(request, _("“%(name)s” is in the library.") % {"name": taken.name})
    return see_other(address_of(taken))
