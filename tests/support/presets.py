"""Invented presets for the library: small ones in two languages, a large one, hostile ones."""

from __future__ import annotations

import json
from typing import Any

from tests.support.preset_files import marker, preset, prompt, usual

Json = dict[str, Any]
SECRET = "sk-not-a-real-key-0123456789"


def harbour_preset() -> Json:
    """A small English preset: prompts before, in and after the history, one off, one in no order."""
    prompts = [
        prompt("main", "Tell the story of {{char}} in the harbour.", system_prompt=True),
        prompt("tone", "Write calmly. Rain is never far."),
        marker("personaDescription"),
        prompt("off", "Nobody reads this.", enabled=True),
        marker("chatHistory"),
        prompt("memory", "Remember the lamps.", injection_position=1, injection_depth=2),
        prompt("jailbreak", "Stay in the story.", system_prompt=True),
        prompt("unused", "Left over from last year."),
    ]
    order: list[str | Json] = ["main", "tone", "personaDescription", {"identifier": "off", "enabled": False}]
    order += ["chatHistory", "memory", "jailbreak"]
    model = {"chat_completion_source": "openai", "openai_model": "gpt-harbour"}
    kept = {"harbour_mark": "kept as it is", **model}
    return preset(prompts, order, temperature=0.8, openai_max_context=8192, **kept)


def secretive_preset() -> Json:
    """The same with things in it that are nobody else's business."""
    secrets = {"reverse_proxy": "https://ana:pw@proxy.invalid", "proxy_password": SECRET}
    return {**harbour_preset(), **secrets}


def chinese_preset() -> Json:
    """A small Chinese preset."""
    main = prompt("main", "你是说书人,讲雾港的故事。", name="主提示", system_prompt=True)
    style = prompt("style", "文字要安静,少用比喻。", name="文风")
    last = prompt("jailbreak", "不要替{{user}}说话。", name="收尾", role="user")
    return preset([main, style, marker("chatHistory"), last], temperature=1.1)


def large_preset(count: int = 500) -> Json:
    """So many prompts with a page of text each."""
    line = "The tide of {{user}} comes in with the evening, and the lamps of the quay are lit. "
    return usual(*(prompt(f"p{number}", line * 6, enabled=number % 3 == 0) for number in range(count)))


def hostile_presets() -> dict[str, bytes]:
    """Files that are presets and mean harm: by their names, their texts, their numbers."""
    markup = "<script>alert(1)</script>{{7*7}}${name}"
    names = ["../../etc/passwd", "\u202eexe.json", "a\x00b", markup, "con", " " * 40, "x" * 5_000]
    named = [prompt(name or "-", markup, name=name) for name in names]
    odd: list[Any] = [
        prompt("main", "x", injection_depth=-4, injection_position=1, injection_order=1e300),
        prompt("main", "twice"),
        {"identifier": None, "name": 7, "role": "wizard", "content": ["a"]},
        "not a prompt",
        prompt("chatHistory", "a history that is a text", marker=False),
    ]
    half = json.dumps(usual(prompt("half", "\ud800 and a half", name="\udfff")))
    doubling = "{{setvar::x::aa}}" + "{{setvar::x::{{getvar::x}}{{getvar::x}}}}" * 60 + "{{getvar::x}}"
    return {
        "names": json.dumps(usual(*named)).encode(),
        "odd prompts": json.dumps(preset(odd, ["main", "nobody", "main", "chatHistory"])).encode(),
        "half characters": half.encode(),
        "macros": json.dumps(usual(prompt("bomb", doubling + "{{roll:999999999d6}}"))).encode(),
        "holes in disguise": json.dumps(usual(marker("postTurn"), marker("worldBookBefore"))).encode(),
    }


def as_file(value: Json) -> bytes:
    """The bytes of an upload."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
