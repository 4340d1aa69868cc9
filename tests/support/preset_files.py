"""Invented presets in the shape of SillyTavern's files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

Json = dict[str, Any]

MARKERS = (
    "worldInfoBefore",
    "personaDescription",
    "charDescription",
    "charPersonality",
    "scenario",
    "worldInfoAfter",
    "dialogueExamples",
    "chatHistory",
)


def prompt(identifier: str, content: str | None = "", **fields: Any) -> Json:
    """A prompt made by a person; `content=None` leaves the text out."""
    made: Json = {"identifier": identifier, "name": identifier.title(), "role": "system"}
    if content is not None:
        made["content"] = content
    return {**made, "system_prompt": False, "enabled": True, **fields}


def marker(identifier: str, **fields: Any) -> Json:
    """A place that is filled at run time."""
    return {"identifier": identifier, "name": identifier, "system_prompt": True, "marker": True, **fields}


def place(identifier: str, enabled: Any = True, **fields: Any) -> Json:
    """A place in an order."""
    return {"identifier": identifier, "enabled": enabled, **fields}


def preset(
    prompts: Iterable[Json], order: Iterable[str | Json] | None = None, *, id: Any = 100001, **fields: Any
) -> Json:
    """A preset; without an `order` its prompts stand in it as they are listed."""
    listed = list(prompts)
    places = [one["identifier"] for one in listed] if order is None else list(order)
    written = [place(one) if isinstance(one, str) else one for one in places]
    return {
        "squash_system_messages": False,
        "prompts": listed,
        "prompt_order": [{"character_id": id, "order": written}],
        **fields,
    }


def usual(*before: Json, after: Any = (), **fields: Any) -> Json:
    """A preset with a main prompt, a history and a jailbreak, and prompts of one's own around the history."""
    main = prompt("main", "Tell the story of the harbour.", system_prompt=True)
    jailbreak = prompt("jailbreak", "Stay in the story.", system_prompt=True)
    return preset([main, *before, marker("chatHistory"), *after, jailbreak], **fields)


def large(size: int, count: int = 500) -> bytes:
    """A file of about `size` bytes with macros, tags and variables, a fifth of its prompts on."""
    line = (
        "{{// part }}{{setvar::mood::calm}}The tide of {{user}} comes in with the evening, and the lamps "
        "of the quay are lit. <rule>It rises {{roll:1d6+1}} steps.</rule> {{char}} is {{getvar::mood}} now.\n"
    )
    each = max(1, size // count // (len(line) + 1))
    prompts = [prompt(f"p{number}", line * each, enabled=number % 5 == 0) for number in range(count)]
    return json.dumps(usual(*prompts)).encode()


IDENTIFIERS = st.sampled_from(
    ["main", "nsfw", "jailbreak", "a", "b", "c", "main#2", *MARKERS, "postTurn", ""]
)
JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 200)
    | st.text(max_size=6)
    | st.floats(-9, 9, allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
TEXTS = st.sampled_from(
    ["", "calm", "<a>", "</a>", "{{getvar::x}}", "{{setvar::x::1}}", "{{//", "}}", "%TOOL_NAME%"]
)


@st.composite
def prompts(draw: st.DrawFn) -> Json:
    """A prompt as files have them: sound values mostly, any JSON at times."""
    fields = {
        "identifier": IDENTIFIERS,
        "name": st.sampled_from(["A", "B", "SPresetSettings"]),
        "role": st.sampled_from(["system", "user", "assistant", "model", "", None, "wizard"]),
        "content": TEXTS,
        "enabled": st.booleans(),
        "marker": st.booleans(),
        "system_prompt": st.booleans(),
        "forbid_overrides": st.booleans(),
        "injection_position": st.sampled_from([0, 1, 2]),
        "injection_depth": st.integers(0, 9),
        "injection_order": st.sampled_from([0, 100, 7]),
        "injection_trigger": st.lists(st.sampled_from(["normal", "swipe"]), max_size=2),
        "extra": JSON_VALUES,
    }
    return {
        name: draw(JSON_VALUES if draw(st.integers(0, 19)) == 0 else values)
        for name, values in fields.items()
        if draw(st.integers(0, 9)) > 1
    }


@st.composite
def presets(draw: st.DrawFn) -> Json:
    """A preset file of any sort that is read: several orders or none, odd settings, unknown fields."""
    places = st.fixed_dictionaries(
        {"identifier": IDENTIFIERS}, optional={"enabled": st.booleans(), "x": JSON_VALUES}
    )
    orders = st.fixed_dictionaries(
        {"order": st.lists(places, max_size=8)},
        optional={"character_id": st.sampled_from([100000, 100001, "100001", 7]), "y": JSON_VALUES},
    )
    made: Json = {"prompts": draw(st.lists(prompts() | JSON_VALUES, max_size=8))}
    if draw(st.booleans()):
        made["prompt_order"] = draw(st.lists(orders, max_size=3) | st.lists(places, max_size=6))
    made["temperature"] = draw(st.sampled_from([1, 0.7, "0.5", "warm", None]))
    made["openai_max_context"] = 4096
    made["names_behavior"] = draw(st.sampled_from([-1, 0, 2]))
    for name, values in (
        ("squash_system_messages", st.sampled_from([True, False, 3, "semi", "x", 9])),
        ("main_prompt", st.sampled_from(["Old text.", ""])),
        ("seed", st.just(-1)),
        ("extensions", JSON_VALUES),
        ("mystery", JSON_VALUES),
    ):
        if draw(st.booleans()):
            made[name] = draw(values)
    return made
