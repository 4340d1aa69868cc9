"""Invented cards of any size in two languages, and a reader that answers every narrow task from their text.

A card is made of sentences of a few fixed forms, so that the reader needs nothing but the text it is asked
about: it never looks at the order of calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from formats.card import Card
from formats.card.choice import Language
from tests.support.contexts import PASSAGE
from tests.support.plain_cards import a_card
from tests.support.surveys import NO_GROUP, NO_THING, NOBODY, NOWHERE, exit_to

Kind = Literal["one", "several", "no-cast", "values", "rules"]
KINDS: tuple[Kind, ...] = ("one", "several", "no-cast", "values", "rules")


@dataclass(frozen=True, slots=True)
class Forms:
    """Sentences with a name in braces, and the patterns by which the reader knows them again."""

    person: str
    place: str
    group: str
    thing: str
    custom: str
    rule: str
    making: str
    panel: str
    order: str
    lies: str
    carries: str
    knows: str
    opening: str
    names: tuple[str, ...]
    places: tuple[str, ...]


FORMS: dict[Language, Forms] = {
    "en": Forms(
        person="{name} is a person of the coast.",
        place="{name} is a place on the coast.",
        group="{name} is a group of people.",
        thing="{name} is a thing of iron.",
        custom="Custom {n}: nobody on the coast whistles after the bell of hour {n}.",
        rule="Rule {n}: to open the gate numbered {n}, roll 1d20 and add what the crew has; 12 opens it.",
        making="Making {n}: when a stranger is needed, /stranger{n} draws one (tinker, deserter, pilgrim).",
        panel="Panel {n}: trust of crew {n} goes from 0 to 10 and begins at 2. <UpdateVariable>",
        order="Order {n}: write slowly and stay in the past tense.",
        lies="A path leads to {name}.",
        carries="Carries: {name}.",
        knows="Knows: {name}.",
        opening="Fog lies over {name}.",
        names=("Odran", "Vey", "Tansy", "Brill", "Corm", "Della", "Esk", "Fenn"),
        places=("Mill Bend", "Weir", "Salt House", "Landing", "Chapel", "Ropewalk"),
    ),
    "zh-hans": Forms(
        person="{name}是海边的人物。",
        place="{name}是海边的地点。",
        group="{name}是一个团体。",
        thing="{name}是一件铁器。",
        custom="风俗{n}：第{n}遍钟响以后，海边没有人吹口哨。",
        rule="规则{n}：打开编号{n}的闸门要掷 1d20，再加上船上众人的加值，结果达到十二或者更高的时候，"
        "那一道沉重的闸门就会慢慢打开，否则它纹丝不动，众人只好另想办法，等到下一次潮水退去以后再来试。",
        making="生成{n}：需要陌生人的时候，可以输入 /陌生人{n} ，随机从三个行当（补锅匠、逃兵、香客）里抽，"
        "再给他一个秘密和一个海边人的名字，让他在雾里慢慢走近，说出一句没有人能马上听懂的话，然后停下来等着。",
        panel="面板{n}：第{n}班船员的信任从 0 到 10，初始为 2。<UpdateVariable>",
        order="要求{n}：慢慢写，用过去时。",
        lies="有小路通到{name}。",
        carries="携带：{name}。",
        knows="认识：{name}。",
        opening="雾罩着{name}。",
        names=("阿渡", "小薇", "谭嬷嬷", "布里", "阿科", "黛拉", "老埃", "芬娘"),
        places=("磨坊湾", "水堰", "盐屋", "码头", "礼拜堂", "绳道"),
    ),
}


def numbered(names: tuple[str, ...], at: int) -> str:
    """The n-th name; beyond the list with a number that makes it another name."""
    return names[at] if at < len(names) else f"{names[at % len(names)]}·{at}"


def invented(kind: Kind, size: int, language: Language) -> Card:
    """A card with so many lorebook entries."""
    forms = FORMS[language]
    people = {"one": 1, "several": max(2, size // 4), "no-cast": 0, "values": 1, "rules": 1}[kind]
    places = max(1, size // 5)
    entries = [_place(forms, at, places) for at in range(places)]
    entries += [_person(forms, at, people) for at in range(people)]
    makers: list[Callable[[int], dict[str, Any]]] = {
        "values": [lambda n: _entry(forms.panel, n), lambda n: _entry(forms.custom, n)],
        "rules": [lambda n: _entry(forms.rule, n, constant=n % 2 == 0), lambda n: _entry(forms.making, n)],
    }.get(kind, [lambda n: _entry(forms.custom, n), lambda n: _entry(forms.order, n)])
    while len(entries) < size:
        entries.append(makers[len(entries) % len(makers)](len(entries)))
    own = numbered(forms.names, 0)
    return a_card(
        entries[:size],
        name=own if people else numbered(forms.places, 0),
        description=forms.person.format(name=own) if people else forms.place.format(name=forms.places[0]),
        first_mes=forms.opening.format(name=forms.places[0]),
        alternate_greetings=[forms.opening.format(name=numbered(forms.places, places - 1))],
        system_prompt=forms.order.format(n=0),
    )


def _entry(form: str, n: int, **fields: Any) -> dict[str, Any]:
    return {"comment": f"{form.split(' ')[0].split('{')[0]} {n}", "content": form.format(n=n), **fields}


def _place(forms: Forms, at: int, places: int) -> dict[str, Any]:
    name = numbered(forms.places, at)
    told = forms.place.format(name=name)
    if at:
        told += " " + forms.lies.format(name=numbered(forms.places, at - 1))
    return {"comment": name, "content": told}


def _person(forms: Forms, at: int, people: int) -> dict[str, Any]:
    name = numbered(forms.names, at)
    told = [forms.person.format(name=name), forms.carries.format(name=f"{name}*")]
    if at:
        told.append(forms.knows.format(name=numbered(forms.names, at - 1)))
    return {"comment": name, "content": " ".join(told)}


# --- the reader ------------------------------------------------------------------------------------


def _pattern(form: str) -> re.Pattern[str]:
    start, _, end = form.partition("{name}")
    return re.compile(rf"{re.escape(start)}([^\n.。：:<>]+?){re.escape(end)}")


class Reader:
    """Answers from the text alone; `readers()` for tests without a model, `answer` for a scripted one."""

    def __init__(self, language: Language) -> None:
        self.forms = FORMS[language]
        self.kinds = {
            "character": _pattern(self.forms.person),
            "location": _pattern(self.forms.place),
            "faction": _pattern(self.forms.group),
            "item": _pattern(self.forms.thing),
        }

    def readers(self) -> dict[str, Callable[[str], Any]]:
        tasks = ("classify", "roster", "character", "location", "faction", "item", "lore", "generator",
                 "casting", "variables", "style", "world", "routes")  # fmt: skip
        return {task: getattr(self, task) for task in tasks}

    def answer(self, task: str, text: str) -> Any:
        return self.readers()[task](text)

    def _inside(self, text: str) -> str:
        return "\n\n".join(match[3] for match in PASSAGE.finditer(text)) or text

    def _is(self, form: str, text: str) -> bool:
        return form.partition("{")[0] in text

    def classify(self, text: str) -> Any:
        inside = self._inside(text)
        names = [
            {"name": name, "kind": kind, "about": True}
            for kind, pattern in self.kinds.items()
            for name in dict.fromkeys(pattern.findall(inside))
        ]
        roles = list(dict.fromkeys(name["kind"] for name in names))
        for form, role in (
            (self.forms.making, "generator"), (self.forms.panel, "template"),
            (self.forms.order, "instruction"), (self.forms.rule, "world"),
            (self.forms.custom, "world"), (self.forms.opening, "scene"),
        ):  # fmt: skip
            if not roles and self._is(form, inside):
                roles = [role]
        return {"about": "", "roles": roles[:3] or ["irrelevant"], "names": names[:12]}

    def roster(self, text: str) -> Any:
        return {"same": [], "nothing": []}

    def character(self, text: str) -> Any:
        inside = self._inside(text)
        known = _pattern(self.forms.knows).findall(inside)
        return {
            **NOBODY,
            "summary": inside.split("\n")[0][:200],
            "description": inside[:1000],
            "carries": _pattern(self.forms.carries).findall(inside),
            "relations": [{"to": name, "type": "-", "description": ""} for name in known],
        }

    def location(self, text: str) -> Any:
        inside = self._inside(text)
        exits = [exit_to(name) for name in _pattern(self.forms.lies).findall(inside)]
        return {**NOWHERE, "description": inside[:1000], "exits": exits}

    def faction(self, text: str) -> Any:
        return {**NO_GROUP, "description": self._inside(text)[:1000]}

    def item(self, text: str) -> Any:
        return {**NO_THING, "description": self._inside(text)[:1000]}

    def lore(self, text: str) -> Any:
        inside = self._inside(text)
        return {"about": [], "title": inside[:20], "type": "culture", "summary": inside[:100], "keywords": [],
                "known_by": []}  # fmt: skip

    def generator(self, text: str) -> Any:
        inside = self._inside(text).strip()
        found: dict[str, Any] = {"casting": [], "rules": []}
        for form, name in ((self.forms.making, "casting"), (self.forms.rule, "rules")):
            if self._is(form, inside):
                found[name].append({"begins": inside[:30], "ends": inside[-30:]})
        return found

    def casting(self, text: str) -> Any:
        words = re.findall(r"/([\w]+)", text)[:10]
        plain = {"about": "a", "event": "", "need": "x", "draw": [], "once": False}
        return {"mechanisms": [{**plain, "command": word} for word in words]}

    def variables(self, text: str) -> Any:
        start = self.forms.panel.partition("{")[0]
        found = [
            {
                "about": "a", "key": f"trust_{n}", "label": f"{n}", "scope": "world", "applies_to": [],
                "kind": "number", "default": "2", "min": 0, "max": 10, "bands": [], "options": [],
                "update_rule": "",
            }
            for n in re.findall(rf"{re.escape(start)}(\d+)", text)
            if f"trust_{n}" not in re.findall(r"\w+", text)
        ]  # fmt: skip
        return {"variables": found[:25]}

    def style(self, text: str) -> Any:
        return {"style": self._inside(text)[:200], "character_style": "", "left_out": []}

    def world(self, text: str) -> Any:
        opening = _pattern(self.forms.opening).search(text)
        place = opening[1] if opening else ""
        return {"about": "", "starting_location": place, "description": self._inside(text)[:100], "tags": []}

    def routes(self, text: str) -> Any:
        return {"ways": []}
