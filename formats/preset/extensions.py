"""What a preset carries for extensions of SillyTavern: scripts, regexes, settings. Never run, all named.

Three makers' sections are known: SillyTavern's own `regex_scripts`, `tavern_helper` (scripts and variables)
and `SPreset` (regexes, folding of the chat, declared tools), whose settings can also stand in a prompt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from formats.leniency import boolean, number, text
from formats.messages import gettext_noop
from formats.preset.model import DeclaredTool, Unsupported
from formats.preset.tool_protocol import declared_tools
from formats.stable_json import read_json

REGEX: Final = gettext_noop("Regex scripts are not run.")
SCRIPT: Final = gettext_noop("Scripts of extensions are not run.")
VARIABLES: Final = gettext_noop("Variables of an extension's scripts; nothing reads them.")
EXTENSION: Final = gettext_noop("Settings of an extension that does not exist here.")
CHAT_SQUASH: Final = gettext_noop("Folds the whole chat into single messages by a plug-in; it is not done.")

SETTINGS_PROMPT: Final = "SPresetSettings"
"""A prompt of this name carries the settings of the plug-in SPreset as JSON."""
LONGEST_SETTINGS: Final = 2_000_000

Effect = Literal["text", "sent", "shown", "both"]
EFFECTS: Final[tuple[Effect, ...]] = ("text", "sent", "shown", "both")
"""What a script changes: the stored text, what is sent, what is shown, or the last two."""
PLACEMENTS: Final[Mapping[int, str]] = {
    0: "display",
    1: "user-input",
    2: "ai-output",
    3: "slash-command",
    5: "world-info",
    6: "reasoning",
}


@dataclass(frozen=True, slots=True)
class RegexScript:
    """One regex script by what it would do. Its pattern is not looked at."""

    path: str
    name: str
    enabled: bool
    effect: Effect
    placements: tuple[str, ...]

    @property
    def changes_prompt(self) -> bool:
        """Whether it would change what the model reads."""
        return self.effect != "shown"

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {
            "path": self.path,
            "name": self.name,
            "enabled": self.enabled,
            "effect": self.effect,
            "changesPrompt": self.changes_prompt,
            "placements": list(self.placements),
        }


@dataclass(frozen=True, slots=True)
class ExtensionScript:
    """A script of an extension: where it stands, its name, whether it was on."""

    path: str
    name: str
    enabled: bool

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {"path": self.path, "name": self.name, "enabled": self.enabled}


@dataclass(frozen=True, slots=True)
class Scripts:
    """All scripts of a preset, and the sections of plug-ins that would change a request."""

    regex: tuple[RegexScript, ...] = ()
    extension: tuple[ExtensionScript, ...] = ()
    chat_squash: bool = False
    post_script: bool = False

    @property
    def effects(self) -> dict[str, int]:
        """How many regex scripts that are on have which effect."""
        counts = Counter(script.effect for script in self.regex if script.enabled)
        return {effect: counts[effect] for effect in EFFECTS if counts[effect]}

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {
            "regex": [script.to_json() for script in self.regex],
            "regexEffects": self.effects,
            "extension": [script.to_json() for script in self.extension],
            "chatSquash": self.chat_squash,
            "postScript": self.post_script,
        }


def scripts_in(body: Mapping[str, Any], path: str = "") -> Scripts:
    """Every script of a preset file."""
    regex = [
        _regex_script(script, place)
        for place, script in _regex_items(body, path)
        if isinstance(script, Mapping)
    ]
    extension = [
        script for place, items in _helper_lists(body, path) for script in _helper_scripts(items, place)
    ]
    squashes = [squash for _, squash in _chat_squashes(body, path) if boolean(squash.get("enabled"))]
    return Scripts(
        tuple(regex),
        tuple(extension),
        chat_squash=bool(squashes),
        post_script=any(boolean(squash.get("squashed_post_script_enable")) for squash in squashes),
    )


def declared_in(body: Mapping[str, Any], path: str = "") -> list[DeclaredTool]:
    """The tools that the preset declares as data, each name once."""
    found: dict[str, DeclaredTool] = {}
    for place, settings in _plug_in_settings(body, path):
        for tool in declared_tools(settings.get("ToolBindings"), f"{place}.ToolBindings"):
            found.setdefault(tool.name, tool)
    return list(found.values())


def unsupported_extensions(body: Mapping[str, Any], path: str = "") -> Iterator[Unsupported]:
    """Each script and each section of `extensions`, with its path."""
    for place, _ in _regex_items(body, path):
        yield Unsupported(place, REGEX)
    for place, items in _helper_lists(body, path):
        yield from (Unsupported(script.path, SCRIPT) for script in _helper_scripts(items, place))
    for place, _ in _chat_squashes(body, path):
        yield Unsupported(place, CHAT_SQUASH)
    extensions = body.get("extensions")
    for name, value in extensions.items() if isinstance(extensions, Mapping) else ():
        here = f"{path}extensions.{name}"
        if name == "tavern_helper" and isinstance(value, Mapping):
            yield from (
                Unsupported(f"{here}.{part}", VARIABLES if part == "variables" else EXTENSION)
                for part in value
                if part != "scripts" and value[part] not in ({}, [], "", None)
            )
        elif name == "SPreset" and isinstance(value, Mapping):
            yield from (
                Unsupported(f"{here}.{part}", EXTENSION)
                for part in value
                if part not in ("RegexBinding", "ChatSquash", "ToolBindings")
            )
        elif name != "regex_scripts":
            yield Unsupported(here, EXTENSION)


def _regex_items(body: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    extensions = _mapping(body.get("extensions"))
    lists = [
        (f"{path}regex_scripts", body.get("regex_scripts")),
        (f"{path}extensions.regex_scripts", extensions.get("regex_scripts")),
    ]
    for place, settings in _plug_in_settings(body, path):
        binding = _mapping(settings.get("RegexBinding"))
        lists.append((f"{place}.RegexBinding.regexes", binding.get("regexes")))
    for place, items in lists:
        if isinstance(items, list):
            yield from ((f"{place}[{index}]", item) for index, item in enumerate(items))


def _regex_script(script: Mapping[str, Any], place: str) -> RegexScript:
    shown, sent = boolean(script.get("markdownOnly")), boolean(script.get("promptOnly"))
    effect: Effect = "both" if shown and sent else "shown" if shown else "sent" if sent else "text"
    placements = script.get("placement")
    return RegexScript(
        place,
        text(script.get("scriptName")) or text(script.get("name")) or "",
        not boolean(script.get("disabled")),
        effect,
        tuple(_placement(one) for one in (placements if isinstance(placements, list) else ())),
    )


def _placement(value: Any) -> str:
    known = number(value)
    return PLACEMENTS.get(int(known), str(int(known))) if known is not None else str(value)[:20]


def _helper_lists(body: Mapping[str, Any], path: str) -> Iterator[tuple[str, list[Any]]]:
    extensions = _mapping(body.get("extensions"))
    helper = _mapping(extensions.get("tavern_helper"))
    for place, items in (
        ("extensions.tavern_helper.scripts", helper.get("scripts")),
        ("extensions.TavernHelper_scripts", extensions.get("TavernHelper_scripts")),
    ):
        if isinstance(items, list):
            yield f"{path}{place}", items


def _helper_scripts(items: list[Any], place: str) -> Iterator[ExtensionScript]:
    for index, item in enumerate(items):
        # older files wrap a script in an object with its kind, and a folder holds scripts
        script = _mapping(item).get("value", item)
        here = f"{place}[{index}]"
        if isinstance(script, Mapping) and isinstance(script.get("scripts"), list):
            yield from _helper_scripts(script["scripts"], f"{here}.scripts")
        else:
            known = _mapping(script)
            yield ExtensionScript(
                here, text(known.get("name")) or "", boolean(known.get("enabled")) is not False
            )


def _chat_squashes(body: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for place, settings in _plug_in_settings(body, path):
        if squash := _mapping(settings.get("ChatSquash")):
            yield f"{place}.ChatSquash", squash


def _plug_in_settings(body: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The settings of SPreset: its section, and the prompt that carries them in some files."""
    section = _mapping(_mapping(body.get("extensions")).get("SPreset"))
    if section:
        yield f"{path}extensions.SPreset", section
    prompts = body.get("prompts")
    for index, prompt in enumerate(prompts if isinstance(prompts, list) else ()):
        if not isinstance(prompt, Mapping):
            continue
        if SETTINGS_PROMPT in (prompt.get("identifier"), prompt.get("name")):
            settings = _settings(prompt.get("content"))
            if settings:
                yield f"{path}prompts[{index}].content", settings


def _settings(content: Any) -> Mapping[str, Any]:
    if not isinstance(content, str) or len(content) > LONGEST_SETTINGS:
        return {}
    try:
        return _mapping(read_json(content))
    except ValueError:
        return {}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
