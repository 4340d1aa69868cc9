"""The shape of the code: what outgrows its cap is split, not excused."""

import ast
import statistics
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
ROOMS = ("roleplay", "importer", "lorebooks", "presets", "worlds", "portal", "llm", "net", "formats")
FUNCTION_CAP = 60
FUNCTION_P90 = 34
MODULE_CAP = 400
TEMPLATE_CAP = 150

MODULES = [
    path for room in ROOMS for path in sorted((TOP / room).rglob("*.py")) if "migrations" not in path.parts
]
TEMPLATES = sorted((TOP / "templates").rglob("*.html"))


def functions(path: Path) -> list[tuple[str, int]]:
    """Name and length in lines of every function, its docstring and comments left out of the count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            doc = first.end_lineno - first.lineno + 1 if ast.get_docstring(node) and first.end_lineno else 0
            found.append((node.name, (node.end_lineno or node.lineno) - node.lineno + 1 - doc))
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(TOP)))
def test_no_module_and_no_function_outgrows_its_cap(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MODULE_CAP
    too_long = [(name, length) for name, length in functions(path) if length > FUNCTION_CAP]
    assert too_long == []


def test_nine_functions_in_ten_are_short() -> None:
    lengths = [length for path in MODULES for _, length in functions(path)]
    assert statistics.quantiles(lengths, n=10)[-1] <= FUNCTION_P90


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(TOP)))
def test_no_template_outgrows_its_cap(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= TEMPLATE_CAP
    assert " style=" not in text, "the content security policy forbids style attributes"


def test_rooms_avoid_names_that_say_nothing() -> None:
    empty_names = {"utils", "helpers", "common", "misc", "manager", "service", "base"}
    assert [str(path) for path in MODULES if path.stem in empty_names] == []
