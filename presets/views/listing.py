"""What the pages of a preset's prompts share: the list, its addresses, and answers that hold what changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from formats.preset.model import PresetPackage, PresetPrompt
from portal.render import render_page
from presets import queries
from presets.models import Preset
from presets.pipeline.editing import etag_of_prompt, prompt_in
from presets.prompt_form import PromptForm
from presets.prompt_list import ListChange, PromptList, Row, changes_between, id_of, list_of, narrowed
from presets.prompt_rows import Rows
from presets.views.draft import draft_context


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asks of the list."""

    words: str = ""
    only_on: bool = False

    @classmethod
    def of(cls, said: Mapping[str, str]) -> Wanted:
        """From an address or a form."""
        return cls(said.get("q", "").strip()[:100], said.get("show") == "on")

    @property
    def narrow(self) -> bool:
        """Whether it leaves anything out; then nothing is moved, since neighbours are not to be seen."""
        return bool(self.words or self.only_on)

    @property
    def query(self) -> str:
        """As an address carries it."""
        query = QueryDict(mutable=True)
        if self.words:
            query["q"] = self.words
        if self.only_on:
            query["show"] = "on"
        return query.urlencode()


def prompt_address(preset: Preset, key: str, wanted: Wanted | None = None) -> str:
    """Where a prompt is edited."""
    address = reverse("presets:prompt", args=[preset.pk, key])
    return f"{address}?{wanted.query}" if wanted and wanted.query else address


def list_address(preset: Preset, wanted: Wanted | None = None, key: str = "") -> str:
    """The list as somebody had it, at the row of a prompt."""
    address = reverse("presets:editor", args=[preset.pk])
    query = f"?{wanted.query}" if wanted and wanted.query else ""
    return f"{address}{query}{f'#p-{key}' if key else ''}"


def stored_prompt(package: PresetPackage, key: str) -> PresetPrompt:
    """The prompt of a key. Raises DomainError `not-found`."""
    return prompt_in(package, id_of(package, key))


def page_context(
    preset: Preset,
    wanted: Wanted,
    package: PresetPackage,
    *,
    editable: bool,
    here: str = "",
    had_draft: bool = False,
) -> dict[str, Any]:
    """What the template of the list takes, and the bar above it."""
    whole = list_of(package)
    listed = narrowed(whole, package, wanted.words, wanted.only_on) if wanted.narrow else whole
    entries = reverse("presets:editor", args=[preset.pk])
    return {
        **draft_context(preset, had_draft),
        "preset": preset,
        "seen": preset.fingerprint,
        "wanted": wanted,
        "act": reverse("presets:act", args=[preset.pk]),
        "entries": entries,
        "editable": editable,
        "listed": listed,
        "total": whole.total,
        "rows": Rows(
            listed, entries, here, editable, movable=editable and not wanted.narrow, block=not wanted.narrow
        ),
    }


@dataclass(frozen=True, slots=True)
class Before:
    """What a page shows that asks for an action: `listed` is None when others changed it meanwhile."""

    listed: PromptList | None
    had_draft: bool


def shown_before(request: HttpRequest, preset: Preset) -> Before:
    """What the page of a request shows, before anything is done."""
    same = request.POST.get("seen") == preset.fingerprint
    whole = same and not Wanted.of(request.POST).narrow
    listed = list_of(queries.package_of(preset)) if whole else None
    return Before(listed, same and preset.has_draft)


def changes_context(preset: Preset, before: Before, wanted: Wanted, here: str) -> dict[str, Any]:
    """What an answer says of the list after an action."""
    package = queries.package_of(preset)
    now = list_of(package)
    change = changes_between(before.listed, now) if before.listed else ListChange(whole=True)
    context = page_context(preset, wanted, package, editable=True, here=here, had_draft=before.had_draft)
    rows: Rows = context["rows"]
    told = {"whole_list": now, "whole": change.whole, "gone": change.gone}
    return {**context, **told, "moved": rows.moved(change), "changed": rows.changed(change)}


def list_answer(request: HttpRequest, preset: Preset, before: Before, acted: str) -> HttpResponse:
    """Only what an action changed: rows, the bar, the numbers, and the form of the open prompt's place."""
    wanted = Wanted.of(request.POST)
    here = request.POST.get("open", "")
    context = changes_context(preset, before, wanted, here)
    row = context["whole_list"].row(acted)
    context["said"] = row_said(row) if row else ""
    package = queries.package_of(preset)
    opened = package.by_id.get(id_of(package, here))
    if opened is not None:
        # Its place, and what it is saved against, may be others now; what is being written stays.
        context |= {"opened": opened, "form": PromptForm(opened), "etag": etag_of_prompt(opened)}
    return render_page(request, "presets/changes.html", context)


def row_said(row: Row) -> str:
    """A row in a sentence."""
    if row.part == "unused":
        return _("“%(name)s” is not used.") % {"name": row.name}
    state = pgettext("prompt", "on") if row.on else pgettext("prompt", "off")
    if row.part == "inside":
        depth = row.depth or 0
        told = ngettext(
            "“%(name)s”, %(state)s, in the history: %(n)s message after it.",
            "“%(name)s”, %(state)s, in the history: %(n)s messages after it.",
            depth,
        )
        return told % {"name": row.name, "state": state, "n": depth}
    return _("“%(name)s”, %(state)s, at place %(place)s.") % {
        "name": row.name,
        "state": state,
        "place": row.place,
    }
