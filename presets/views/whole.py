"""What is done to a preset as a whole: duplicate, move to the trash."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from presets import actions
from presets.views.frame import FRAME, open_preset, preset_page
from presets.views.library import TRASH
from worlds.library.pages.forms import NameForm, name_of_copy
from worlds.views.frame import see_other


@require_http_methods(["GET", "HEAD", "POST"])
def duplicate(request: HttpRequest, preset_id: str) -> HttpResponse:
    """A copy among one's own presets."""
    person, preset = open_preset(request, preset_id)
    form = NameForm(request.POST or None, initial={"name": name_of_copy(preset.name)})
    if request.method == "POST" and form.is_valid():
        copy = actions.copy_preset(actor=person, preset=preset, name=form.cleaned_data["name"])
        messages.success(request, _("This is the copy, “%(name)s”.") % {"name": copy.name})
        return see_other(FRAME.home_of(copy))
    context = {"form": form, "title": _("Duplicate")}
    status = 422 if form.is_bound else 200
    return preset_page(request, person, preset, "", "presets/duplicate.html", context, status=status)


@require_POST
def trash(request: HttpRequest, preset_id: str) -> HttpResponse:
    """To the trash at once."""
    return TRASH.move(request, preset_id)
