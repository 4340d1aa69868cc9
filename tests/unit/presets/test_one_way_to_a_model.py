"""Presets reach a model in one way: a request is what `ask_of` makes of an assembly (PRE-12)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from formats.preset import assemble, read_preset
from formats.preset.context import AssemblyContext
from presets.pipeline.copies import ask_of
from tests.support.presets import harbour_preset

ROOM = Path(__file__).parents[3] / "presets"


def imports() -> Iterator[tuple[str, str]]:
    """Every import of the room: the module that imports, and what it imports."""
    for path in sorted(ROOM.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = path.relative_to(ROOM).as_posix()
            if isinstance(node, ast.Import):
                yield from ((name, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from ((name, f"{node.module}.{alias.name}") for alias in node.names)


def makers_of(called: str) -> set[str]:
    """The modules that call something of this name."""
    found = set()
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func
                said = name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")
                if said == called:
                    found.add(path.relative_to(ROOM).as_posix())
    return found


@pytest.mark.req("PRE-12")
def test_one_job_asks_models_and_nothing_else_does() -> None:
    callers = {
        where
        for where, what in imports()
        if what.startswith("portal.endpoints.calling") or what == "portal.endpoints.calling"
    }
    assert callers == {"jobs.py", "trial_replies.py"}
    clients = {what for _where, what in imports() if what.startswith(("llm.client", "net."))}
    assert clients == set()
    assert makers_of("stream") == {"jobs.py"}


@pytest.mark.req("PRE-12")
def test_a_request_is_made_of_an_assembly() -> None:
    # `trial_replies` takes up the very request that `send_trial` stored.
    assert makers_of("Ask") == {"pipeline/copies.py", "trial_replies.py"}
    assert makers_of("ask_of") == {"actions/trials.py", "views/replies.py", "views/trial.py"}


@pytest.mark.req("PRE-12")
def test_a_request_is_the_assembly_and_nothing_before_it() -> None:
    package, _report = read_preset(harbour_preset())
    assembly = assemble(package, AssemblyContext(current_turn="I knock."))
    ask = ask_of(assembly, package.generation)
    assert list(ask.messages) == assembly.messages
    assert ask.messages[0]["content"] == "Tell the story of 作品 in the harbour."
