"""`/w/<id>/chat/<cid>/`: a conversation about a world, as its rows are stored; read only for now (D46)."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from portal.render import render_page, wants_fragment
from portal.say import sentence
from worlds.authoring.rows import conversation_of
from worlds.models import ConversationRow
from worlds.views.frame import open_world

WHO = {
    "person": pgettext_lazy("speaker", "Person"),
    "assistant": pgettext_lazy("speaker", "Assistant"),
    "tool": pgettext_lazy("speaker", "Tool"),
}


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One row: who, what was said, and of a tool call its result as text ("" while it runs)."""

    row: ConversationRow
    who: Promise
    text: str
    result: str

    @classmethod
    def of(cls, row: ConversationRow) -> ShownRow:
        text = row.text if row.who == "person" else sentence(row.text, row.args)
        result = "" if row.result is None else json.dumps(row.result, ensure_ascii=False, indent=2)
        return cls(row, WHO[row.who], text, result)


@require_safe
def show(request: HttpRequest, world_id: str, conversation_id: str) -> HttpResponse:
    """The rows, for the owner and editors: what the card says is not for readers (D38)."""
    _person, world = open_world(request, world_id, "edit")
    held = conversation_of(world, conversation_id)
    rows = [ShownRow.of(row) for row in held.rows.all()]
    last = rows[-1] if rows else None
    seen = f"{len(rows)}-{bool(last and last.result)}-{held.turn_open}"
    if wants_fragment(request) and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    context = {
        "title": _("Conversation"),
        "crumbs": [(world.name, reverse("worlds:overview", args=[world.pk]))],
        "world": world,
        "conversation": held,
        "rows": rows,
        "seen": seen,
    }
    return render_page(request, "worlds/chat.html", context, partial="rows")
