"""Every component in every state: for people who build pages, and for the accessibility tests."""

from __future__ import annotations

import re

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from formats.finding import Finding
from portal.access import nothing_here, person_of
from portal.render import render_page
from portal.told import told_groups

FINDINGS = (
    Finding(
        "warning",
        "field-repaired",
        "data.extensions.depth_prompt.depth",
        gettext_noop("We ignored 1 malformed field ({field}). Everything else was read."),
        args={"field": "depth"},
    ),
    Finding(
        "error",
        "missing",
        "world.json: name",
        gettext_noop("The world has no name."),
        gettext_noop("Give it one."),
    ),
)

STEPS = (
    {"label": "Read the card", "state": "done", "note": "49 entries"},
    {"label": "Write the world", "state": "run", "note": "23 of 31"},
    {"label": "Fetch pictures", "state": "failed", "note": "2 did not come"},
    {"label": "Check it", "state": "wait", "note": "waiting"},
)


class SampleForm(forms.Form):
    """One field of each sort."""

    name = forms.CharField(label="Name", help_text="As it stands on the card.", max_length=20)
    kind = forms.ChoiceField(label="Kind", choices=[("person", "Person"), ("place", "Place")])
    theme = forms.ChoiceField(
        label="Colours", choices=[("light", "Light"), ("dark", "Dark")], widget=forms.RadioSelect
    )
    text = forms.CharField(label="Text", widget=forms.Textarea(attrs={"rows": 3}), required=False)
    ready = forms.BooleanField(label="A story can start", required=False, help_text="Off for a draft.")
    file = forms.FileField(label="File", required=False)


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """For staff; for everybody else it does not exist."""
    if not person_of(request).is_staff:
        raise nothing_here()
    messages.success(request, "“Blue Guard” is in the trash for 30 days.", extra_tags="undo:/styleguide/")
    context = {
        "form": SampleForm(auto_id="plain_%s"),
        "wrong": SampleForm({"name": "", "kind": "nothing"}, auto_id="wrong_%s"),
        "page": Paginator(range(1, 200), 10).get_page(3),
        "findings": FINDINGS,
        "told_groups": told_groups([*FINDINGS, FINDINGS[0]]),
        "crumbs": [("Worlds", "/"), ("Letters from the Fog", "/styleguide/")],
        "crumbs_menu": [("edit", "Edit", "#list"), ("download", "Export", "#list")],
        "posts_menu": [("trash", "Move to trash", "/styleguide/")],
        "steps": STEPS,
        "icons": icon_names(),
    }
    return render_page(request, "portal/styleguide.html", context)


def icon_names() -> list[str]:
    """The pictures of the sprite, as the sprite itself names them."""
    sprite = (settings.BASE_DIR / "static" / "icons.svg").read_text(encoding="utf-8")
    return re.findall(r'<symbol id="([a-z-]+)"', sprite)
