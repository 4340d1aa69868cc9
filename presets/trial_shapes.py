"""What may help where a service refuses the roles of the messages: another shape, or what none changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from formats.errors import DomainError
from formats.preset.assembly import Assembly
from formats.preset.model import PresetPackage
from presets import queries
from presets.index import storable
from presets.models import Preset, TrialReply
from presets.pipeline.trial import assembled
from presets.trial_names import named
from presets.trials import setup_of

SHAPED: Final = ("strict", "single-user-turn")
_ABOUT_ROLES: Final = ("system", "role", "alternat", "first message", "user message", "user/assistant")
Messages = Sequence[Mapping[str, Any]]


class WayOut(NamedTuple):
    """`shapes` that give what the service asks for; `in_the_way`: names of prompts that stand in the history
    as system messages, which every shape leaves so (D23); `story_has_system`: turns of the story do."""

    shapes: tuple[str, ...] = ()
    in_the_way: tuple[str, ...] = ()
    story_has_system: bool = False


def way_out(reply: TrialReply) -> WayOut:
    """What to try for a reply whose request was refused for its roles; nothing for any other.

    It is told of what its owner would send now, so that what was mended since counts.
    """
    said = reply.said.lower()
    if reply.fault != "refused" or not any(sign in said for sign in _ABOUT_ROLES):
        return WayOut()
    run = reply.run
    preset = Preset.objects.filter(pk=run.preset_id).first()
    if preset is None:
        return WayOut()
    setup = setup_of(run.owner, preset)
    try:
        package = queries.package_of(preset, setup.state)
    except DomainError:
        return WayOut()
    sent: Messages = json.loads(run.ask)["messages"]
    helps: Callable[[Messages], bool] = _has_no_system if "system" in said else _takes_turns
    inputs = named(setup.inputs)
    made = {shape: assembled(package, inputs.model_copy(update={"policy": shape})) for shape in SHAPED}
    shapes = tuple(shape for shape, one in made.items() if one.messages != sent and helps(one.messages))
    names = list(dict.fromkeys(_of_history(made["strict"], package)))
    return WayOut(shapes, tuple(name for name in names if name), "" in names)


def _of_history(assembly: Assembly, package: PresetPackage) -> Iterator[str]:
    """What stands in the history as a system message: names of prompts, nothing for turns of the story."""
    for message, trace in zip(assembly.messages, assembly.trace, strict=True):
        if message["role"] == "system" and trace.zone == "history":
            for part in trace.parts:
                prompt = package.by_id.get(part.origin.id)
                is_turn = part.origin.kind == "history"
                yield "" if is_turn else storable(prompt.name if prompt else part.origin.id)[:80] or "?"


def _has_no_system(messages: Messages) -> bool:
    return all(message["role"] != "system" for message in messages)


def _takes_turns(messages: Messages) -> bool:
    roles = [message["role"] for message in messages]
    alternate = all(one != other for one, other in pairwise(roles))
    return alternate and roles[:1] == ["user"] and {"user", "assistant"} >= set(roles)
