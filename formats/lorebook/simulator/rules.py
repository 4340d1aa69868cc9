"""`Rule`: an entry as a scan reads it, its keys trimmed and its decorators applied; made once for a book."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from formats.lorebook.decorators import Decorated, Decorator, parse_decorators
from formats.lorebook.javascript import BLANKS
from formats.lorebook.model import Entry, Number, Position, Role, WorldBook
from formats.lorebook.simulator.keybank import KeyBank
from formats.lorebook.simulator.scene import SOURCE_NAMES, Scene, has_macro
from formats.lorebook.simulator.settings import whole_depth

HONOURED = frozenset(
    {
        "activate",
        "dont_activate",
        "activate_only_after",
        "activate_only_every",
        "keep_activate_after_match",
        "dont_activate_after_match",
        "depth",
        "role",
        "scan_depth",
        "is_greeting",
        "position",
        "ignore_on_max_context",
        "additional_keys",
        "exclude_keys",
    }
)
"""Decorators that a scan carries out; the rest reach the lines below them as fallbacks, or nobody."""

PLACES: dict[str, Position] = {
    "before_desc": "before_character_definition",
    "after_desc": "after_character_definition",
    "personality": "after_character_definition",
    "scenario": "after_character_definition",
}
"""Where a decorator's place is here: personality and scenario belong to the character's definition."""

ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant"}
FOR_EVER = math.inf


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of a book for the scan. `also`: lists of which each must have a key that matches too;
    `never`: keys of which none may; `yields`: the first to go without where the budget is short."""

    number: int
    entry: Entry
    text: str
    keys: tuple[str, ...]
    secondary: tuple[str, ...]
    also: tuple[tuple[str, ...], ...] = ()
    never: tuple[str, ...] = ()
    calls: bool = False
    silent: bool = False
    after: int | None = None
    every: int | None = None
    greeting: int | None = None
    scan_depth: int | None = None
    level: Number = 0
    sticky: Number = 0
    cooldown: Number = 0
    position: Position = "before_character_definition"
    depth: Number = 4
    role: Role = "system"
    yields: bool = False
    sources: tuple[str, ...] = ()

    @property
    def all_keys(self) -> Iterable[str]:
        """Every key of the rule, whatever it is for."""
        return (*self.keys, *self.secondary, *(key for group in self.also for key in group), *self.never)

    @property
    def title(self) -> str:
        """What people call the entry."""
        return self.entry.comment or ", ".join(self.entry.keys) or self.entry.candidate_key

    def with_macros(self, scene: Scene) -> Rule:
        """The rule with the macros of its keys filled."""

        def filled(keys: Iterable[str]) -> tuple[str, ...]:
            return trimmed(map(scene.expanded, keys))

        also = tuple(map(filled, self.also))
        return replace(
            self,
            keys=filled(self.keys),
            secondary=filled(self.secondary),
            also=also,
            never=filled(self.never),
        )


class Plan:
    """What a book is for every scan: its rules in order and the bank of their keys."""

    def __init__(self, model: WorldBook) -> None:
        self.rules = tuple(rule_of(number, entry) for number, entry in enumerate(model.entries))
        enabled = [rule for rule in self.rules if rule.entry.enabled]
        by_order = sorted(enabled, key=lambda rule: -rule.entry.insertion_order)
        self.rank = {rule.number: rank for rank, rule in enumerate(by_order)}
        self.always = frozenset(rule.number for rule in enabled if rule.calls or rule.entry.constant)
        self.with_macros = tuple(rule for rule in enabled if any(map(has_macro, rule.all_keys)))
        self.bank = KeyBank((rule.number, rule.all_keys, rule.entry) for rule in enabled)
        self.levels = frozenset(rule.level for rule in enabled if rule.level)
        self.deepest = max((rule.scan_depth for rule in enabled if rule.scan_depth is not None), default=0)

    @cached_property
    def by_uid(self) -> dict[tuple[bool, int | str], list[Rule]]:
        """Rules by their uid, `0` and `"0"` apart."""
        found: dict[tuple[bool, int | str], list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(uid_key(rule.entry.uid), []).append(rule)
        return found


def uid_key(uid: int | str) -> tuple[bool, int | str]:
    """A uid that keeps a number and its spelling apart."""
    return isinstance(uid, str), uid


def plan_of(model: WorldBook) -> Plan:
    """The book's plan: made at its first scan and kept with the book, which never changes."""
    kept = vars(model)
    if "simulator_plan" not in kept:
        kept["simulator_plan"] = Plan(model)
    plan = kept["simulator_plan"]
    assert isinstance(plan, Plan)
    return plan


def decorated(content: str) -> Decorated:
    """Content without its decorators, and those of them that a scan carries out."""
    return parse_decorators(content, _is_carried_out)


def _is_carried_out(decorator: Decorator) -> bool:
    if decorator.name == "position":
        return len(decorator.values) == 1 and decorator.values[0] in PLACES
    return decorator.name in HONOURED


def rule_of(number: int, entry: Entry) -> Rule:
    """Read one entry as a rule."""
    found = decorated(entry.content)
    rule = Rule(
        number=number,
        entry=entry,
        text=found.text,
        keys=trimmed(entry.keys),
        secondary=trimmed(entry.secondary_keys) if entry.selective else (),
        scan_depth=None if entry.scan_depth is None else whole_depth(entry.scan_depth),
        level=_level(entry.recursion.delay_until),
        sticky=max(entry.effects.sticky or 0, 0),
        cooldown=max(entry.effects.cooldown or 0, 0),
        position=entry.position,
        depth=entry.depth,
        role=entry.role,
        sources=tuple(name for name in SOURCE_NAMES if getattr(entry.match_sources, name)),
    )
    for decorator in found.decorators:
        rule = _decorated(rule, decorator)
    return rule


def trimmed(keys: Iterable[str]) -> tuple[str, ...]:
    """Keys without the blanks around them; one that is nothing else is no key."""
    return tuple(key for key in (one.strip(BLANKS) for one in keys) if key)


def _level(delay: bool | Number) -> Number:
    """The recursion level an entry waits for: `true` is the first, 0 none."""
    return int(delay) if isinstance(delay, bool) else delay


def _decorated(rule: Rule, decorator: Decorator) -> Rule:
    name, values = decorator.name, decorator.values
    if name == "additional_keys":
        return replace(rule, also=(*rule.also, trimmed(values)))
    if name == "exclude_keys":
        return replace(rule, never=(*rule.never, *trimmed(values)))
    if name == "role":
        return replace(rule, role=ROLES[values[0]])
    if name == "position":
        return replace(rule, position=PLACES[values[0]])
    if name in _SIGNS:
        return replace(rule, **_SIGNS[name])
    return replace(rule, **_numbered(name, int(values[0])))


_SIGNS: dict[str, dict[str, Any]] = {
    "activate": {"calls": True},
    "dont_activate": {"silent": True},
    "keep_activate_after_match": {"sticky": FOR_EVER},
    "dont_activate_after_match": {"cooldown": FOR_EVER},
    "ignore_on_max_context": {"yields": True},
}


def _numbered(name: str, number: int) -> dict[str, Any]:
    """What a decorator with a number says of a rule."""
    if name == "depth":
        return {"position": "at_depth", "depth": max(number, 0)}  # all below 1 stand together
    if name == "scan_depth":
        return {"scan_depth": whole_depth(number)}
    return {_FIELDS[name]: number}


_FIELDS = {"activate_only_after": "after", "activate_only_every": "every", "is_greeting": "greeting"}
