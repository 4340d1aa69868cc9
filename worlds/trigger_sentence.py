"""A trigger read back as a sentence: when something is so, something happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import ValidationError

from worlds.models import Element, World
from worlds.rules.documents import Trigger
from worlds.rules.documents.mechanics import (
    Dispatch,
    Reveal,
    SetValues,
    WhenCommand,
    WhenEvent,
)
from worlds.words import choice_word


def sentence_of(world: World, value: Mapping[str, Any]) -> str:
    """The sentence of a stored trigger; "" for one that cannot be read."""
    try:
        trigger = Trigger.model_validate(value)
    except ValidationError:
        return ""
    parts = [_("%(when)s → %(effect)s.") % {"when": _when(world, trigger), "effect": _effect(world, trigger)}]
    if trigger.once:
        parts.append(_("Only once."))
    elif trigger.cooldown:
        told = ngettext("Then not for %(n)s turn.", "Then not for %(n)s turns.", trigger.cooldown)
        parts.append(told % {"n": trigger.cooldown})
    return " ".join(parts)


def _when(world: World, trigger: Trigger) -> str:
    when = trigger.when
    if isinstance(when, WhenCommand):
        return _("When a player types /%(command)s") % {"command": when.command}
    if isinstance(when, WhenEvent):
        return _("When this has happened, as the model judges: “%(event)s”") % {"event": when.event}
    words = {
        "variable": _titles(world, "variable", [when.variable])[0],
        "op": choice_word(when.op),
        "value": _plain(when.value),
    }
    return _("When %(variable)s %(op)s %(value)s") % words


def _effect(world: World, trigger: Trigger) -> str:
    effect = trigger.effect
    if isinstance(effect, Dispatch):
        if not effect.draw:
            return _("the world author brings “%(need)s”") % {"need": effect.need}
        drawn = {"need": effect.need, "draw": _listed(effect.draw)}
        return _("the world author brings “%(need)s”, drawn from: %(draw)s") % drawn
    if isinstance(effect, SetValues):
        labels = _titles(world, "variable", list(effect.set))
        pairs = zip(labels, effect.set.values(), strict=True)
        return _listed(
            [_("%(variable)s becomes %(value)s") % {"variable": k, "value": _plain(v)} for k, v in pairs]
        )
    if isinstance(effect, Reveal):
        return _("this becomes known: %(lore)s") % {"lore": _listed(_titles(world, "lore", effect.reveal))}
    return _("the game master is told: “%(note)s”") % {"note": effect.note}


def _titles(world: World, kind: str, keys: list[str]) -> list[str]:
    rows = Element.objects.filter(world=world, kind=kind, key__in=keys).values_list("key", "title")
    titles = dict(rows)
    return [titles.get(key) or key for key in keys]


def _listed(words: list[str]) -> str:
    return _(", ").join(words)


def _plain(value: object) -> str:
    return (_("yes") if value else _("no")) if isinstance(value, bool) else str(value)
