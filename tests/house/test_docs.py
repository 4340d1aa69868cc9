"""What the documents say is there: variables, commands, targets, files and links."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands

from llm.scripted.faults import FAULTS
from llm.scripted.script import Script

TOP = Path(__file__).parents[2]
DOCUMENTS = [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]
READERS = {"text", "words", "flag", "whole", "number", "choice"}


def text_of(name: str) -> str:
    return (TOP / name).read_text(encoding="utf-8")


def variables() -> set[str]:
    """The names that `config` asks its typed readers for."""
    tree = ast.parse(text_of("roleplay/config.py"))
    return {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in READERS
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


def in_sample() -> set[str]:
    return set(re.findall(r"^#? ?([A-Z][A-Z_]+)=", text_of("env-sample"), re.MULTILINE))


def in_readme() -> set[str]:
    rows = [line.split("|")[1] for line in text_of("README.md").splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([A-Z][A-Z_]+)`", row)}


def test_every_variable_is_in_the_sample_and_in_the_readme() -> None:
    assert len(variables()) > 30
    assert in_sample() == variables()
    assert in_readme() == variables()


def test_the_readme_states_the_values_of_the_sample() -> None:
    """Where the README gives one plain value for one variable, the sample gives the same."""
    stated = dict(re.findall(r"^\| `([A-Z_]+)` \| `([^`<]+)` \|", text_of("README.md"), re.MULTILINE))
    sample = dict(re.findall(r"^# ([A-Z_]+)=([^\s#]*)", text_of("env-sample"), re.MULTILINE))
    assert len(stated) > 8
    assert {name: sample[name] for name in stated} == stated


def own_commands() -> set[str]:
    rooms = ("portal", "worlds", "importer", "lorebooks", "presets")
    return {name for name, app in get_commands().items() if app in rooms}


def test_every_command_is_described_and_every_described_one_exists() -> None:
    table = text_of("README.md").partition("## Commands")[2].partition("\n## ")[0]
    described = set(re.findall(r"^\| `([a-z_]+)", table, re.MULTILINE))
    assert described == own_commands()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(TOP)))
def test_named_commands_and_targets_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    commands = set(re.findall(r"manage\.py ([a-z_]+)", text))
    assert commands <= set(get_commands()) | own_commands()
    targets = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
    blocks = "\n".join(re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    named = re.findall(r"`make ([a-z-]+)", text) + re.findall(r"^make ([a-z-]+)", blocks, re.MULTILINE)
    assert set(named) <= targets


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(TOP)))
def test_links_and_named_files_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert [link for link in links if not (path.parent / link).exists()] == []
    rooms = r"`((?:roleplay|importer|worlds|portal|net|formats|tests|locale)/[\w/.-]+)`"
    places = [TOP / name for name in re.findall(rooms, text)]
    assert [path for path in places if not path.exists() and not path.with_suffix(".py").exists()] == []


def test_the_world_format_names_every_field() -> None:
    """The page follows the models: a field that is added must be described."""
    from worlds.rules.documents import KINDS

    page = text_of("docs/world-format.md")
    words = set(re.findall(r"\w+", page))
    for kind in KINDS.values():
        assert kind.model.schema_of() in page
        fields = {str(field.alias or name) for name, field in kind.model.model_fields.items()}
        assert fields - words == set(), kind.name


def test_the_script_that_hosting_shows_can_be_played() -> None:
    shown = re.findall(r"```json\n(\{\"rules\".*?)```", text_of("docs/hosting.md"), re.DOTALL)
    assert len(shown) == 1
    lines = [line for rule in Script.from_json(json.loads(shown[0])).rules for line in rule.lines]
    assert {line.fault for line in lines} <= set(FAULTS)


def test_settings_can_be_given_to_make() -> None:
    """As the README says it; nothing is run."""
    said = re.search(r"make run PORT=(\d+) ROLEPLAY_DATA=(\S+?)`", text_of("README.md"))
    assert said
    words = ["make", "-n", "run", f"PORT={said[1]}", f"ROLEPLAY_DATA={said[2]}"]
    told = subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=True).stdout
    assert f"PORT={said[1]} .venv/bin/python manage.py serve" in told
