"""The gates before the keys: whether an entry is for this story, this character and this moment at all."""

from __future__ import annotations

from formats.lorebook.simulator.reasons import Reason, listed
from formats.lorebook.simulator.rules import Rule
from formats.lorebook.simulator.scene import Scene


def scene_refusal(rule: Rule, scene: Scene, replies: int) -> Reason | None:
    """The gates that nothing in a scan can open; `replies`: messages the assistant has written."""
    entry = rule.entry
    if not entry.enabled:
        return Reason("disabled")
    if entry.triggers and scene.trigger not in entry.triggers:
        return Reason("trigger", {"wanted": listed(entry.triggers), "trigger": scene.trigger})
    return _character_refusal(rule, scene) or _opening_refusal(rule, scene, replies)


def _character_refusal(rule: Rule, scene: Scene) -> Reason | None:
    """Names and tags are two gates: an entry with both needs both."""
    wanted = rule.entry.character_filter
    if wanted is None:
        return None
    excluded = "-excluded" if wanted.is_exclude else ""
    if wanted.names and scene.character.names.isdisjoint(wanted.names) != wanted.is_exclude:
        return Reason(f"character{excluded}", {"names": listed(wanted.names)})
    if wanted.tags and set(scene.character.tags).isdisjoint(wanted.tags) != wanted.is_exclude:
        return Reason(f"tag{excluded}", {"tags": listed(wanted.tags)})
    return None


def _opening_refusal(rule: Rule, scene: Scene, replies: int) -> Reason | None:
    if rule.greeting is not None and scene.greeting != rule.greeting:
        return Reason("greeting", {"number": rule.greeting + 1})
    if rule.after is not None and replies < rule.after:
        return Reason("replies", {"count": rule.after, "have": replies})
    if rule.every and replies % rule.every:
        return Reason("every", {"every": rule.every, "have": replies})
    return None


def recursion_refusal(rule: Rule, *, is_recursion: bool, level: float, recursion_on: bool) -> Reason | None:
    """The gates that another step may open: an entry that waits for recursion, or keeps out of it."""
    if rule.level and not is_recursion:
        return Reason("recursion-wait")
    if rule.level > level and is_recursion:
        return Reason("recursion-level", {"level": rule.level, "reached": level})
    if rule.entry.recursion.exclude and is_recursion and recursion_on:
        return Reason("recursion-excluded")
    return None
