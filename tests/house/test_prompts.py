"""Prompt texts: the same in every language, one for each narrow task, examples that are right answers."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Any

import pytest

import importer.pipeline
from importer.pipeline.survey.decisions import QUESTIONS, STORY
from llm.prompts import PromptLibrary, placeholders_of
from llm.tasks import AnswerModel, Task
from llm.tasks.forms import schema_of
from worlds.rules.prompts import SHIPPED_LANGUAGES

ROOT = Path(__file__).parents[2] / "prompts"
LIBRARY = PromptLibrary(ROOT)
LONGEST = 4_000


def tasks() -> dict[str, Task[Any]]:
    """Every narrow task that a module of the import declares."""
    found: dict[str, Task[Any]] = {}
    for module in pkgutil.walk_packages(importer.pipeline.__path__, "importer.pipeline."):
        held = importlib.import_module(module.name)
        found |= {value.name: value for value in vars(held).values() if isinstance(value, Task)}
    return found


TASKS = tasks()
DECISIONS = {f"import/decide-{name}" for name, _ in QUESTIONS} | {STORY}
IDS = {str(path.relative_to(ROOT / "en").with_suffix("")) for path in (ROOT / "en").rglob("*.md")}


@pytest.mark.req("RUN-10")
def test_every_language_has_the_same_texts_and_each_has_its_task() -> None:
    for language in SHIPPED_LANGUAGES:
        base = ROOT / language
        assert {str(path.relative_to(base).with_suffix("")) for path in base.rglob("*.md")} == IDS
    assert {f"import/{name}" for name in TASKS} | DECISIONS == IDS
    assert len(TASKS) >= 13


@pytest.mark.req("RUN-10")
@pytest.mark.parametrize("prompt", sorted(IDS))
def test_placeholders_and_examples_are_the_same_in_every_language(prompt: str) -> None:
    texts = {code: (ROOT / code / f"{prompt}.md").read_text("utf-8") for code in SHIPPED_LANGUAGES}
    assert len({frozenset(placeholders_of(text)) for text in texts.values()}) == 1
    assert len({len(LIBRARY.examples(prompt, code)) for code in SHIPPED_LANGUAGES}) == 1
    for code, text in texts.items():
        assert 40 < len(text) < LONGEST
        assert any("\u4e00" <= sign <= "\u9fff" for sign in text) == (code == "zh-hans")


@pytest.mark.parametrize("language", SHIPPED_LANGUAGES)
@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_example_is_a_right_answer(name: str, language: str) -> None:
    examples = LIBRARY.examples(f"import/{name}", language)
    assert examples, "models are shown how it is done (SURV-5)"
    for example in examples:
        value = TASKS[name].answer.model_validate(example.answer)
        assert set(example.answer) == set(value.model_dump()), "every field is shown, and no other"


@pytest.mark.req("RUN-13")
def test_each_kind_of_task_has_a_budget_of_its_own() -> None:
    assert {name: task.budget for name, task in TASKS.items() if task.budget <= 0} == {}
    budgets = {name: TASKS[name].budget for name in ("classify", "roster", "character", "lore", "style")}
    assert len(set(budgets.values())) == len(budgets)


def test_a_text_with_other_placeholders_than_its_values_is_refused() -> None:
    with pytest.raises(ValueError, match="placeholders"):
        LIBRARY.text("import/classify", "en", card="x")
    told = LIBRARY.text("import/classify", "en", card="${index}", index="i")
    assert "${index}" in told, "values are looked at no further"


def unbounded(schema: Any, where: str = "") -> list[str]:
    """Every text and list of a schema that has no upper bound."""
    if not isinstance(schema, dict):
        return []
    found = []
    free_text = schema.get("type") == "string" and not {"enum", "const", "maxLength"} & set(schema)
    if free_text or (schema.get("type") == "array" and "maxItems" not in schema):
        found.append(where)
    for name, part in schema.get("properties", {}).items():
        found += unbounded(part, f"{where}.{name}")
    for part in (schema.get("items"), *schema.get("anyOf", ())):
        found += unbounded(part, f"{where}[]")
    return found


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_text_and_list_of_an_answer_has_an_end(name: str) -> None:
    answer: type[AnswerModel] = TASKS[name].answer
    assert unbounded(schema_of(answer)) == []
