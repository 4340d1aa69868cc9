"""`/lore/<id>/export/`: the book as a file, and beforehand what that file cannot hold."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from formats.text.names import download_name
from lorebooks import exports
from lorebooks.kept_models import book_model
from lorebooks.views.frame import lorebook_page, open_lorebook
from portal.access import nothing_here
from portal.told import told_groups
from worlds.downloads import made_response


@require_safe
def export(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """The forms a book can be saved in, each with its losses."""
    person, lorebook = open_lorebook(request, lorebook_id)
    model = book_model(lorebook)
    context = {
        "title": _("Export"),
        "forms": [(form, told_groups(form.losses(model))) for form in exports.FORMS.values()],
        "original": exports.original_of(lorebook),
    }
    return lorebook_page(request, person, lorebook, "entries", "lorebooks/export.html", context)


@require_safe
def download(request: HttpRequest, lorebook_id: str, form: str) -> HttpResponse:
    """The file itself."""
    _person, lorebook = open_lorebook(request, lorebook_id)
    if form == "original":
        original = exports.original_of(lorebook)
        if original is None:
            raise nothing_here()
        return made_response(original.read(), "application/octet-stream", original.filename)
    if form not in exports.FORMS:
        raise nothing_here()
    chosen = exports.FORMS[form]
    name = download_name(lorebook.name, chosen.ending)
    return made_response(chosen.write(book_model(lorebook)), chosen.kind, name)
