"""A test marked `hard` stands in `tests/hard`: elsewhere neither `make test` nor `make test-hard` runs it."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ELSEWHERE = [path for path in sorted(TESTS.rglob("*.py")) if "hard" not in path.relative_to(TESTS).parts]


def marks_hard(source: str) -> bool:
    """Whether a module says `mark.hard` anywhere."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "hard"
        and ast.unparse(node.value).rpartition(".")[2] == "mark"
        for node in ast.walk(ast.parse(source))
    )


@pytest.mark.parametrize("path", ELSEWHERE, ids=lambda path: str(path.relative_to(TESTS)))
def test_hard_tests_stand_where_they_are_run(path: Path) -> None:
    assert not marks_hard(path.read_text(encoding="utf-8"))


def test_the_hard_tests_carry_the_mark_that_keeps_them_out_of_the_quick_run() -> None:
    unmarked = [
        path.name
        for path in sorted((TESTS / "hard").glob("test_*.py"))
        if not marks_hard(path.read_text(encoding="utf-8"))
    ]
    assert unmarked == []


@pytest.mark.parametrize(
    "source", ["@pytest.mark.hard\ndef test_x(): ...", "pytestmark = [mark.hard, mark.timeout(9)]"]
)
def test_the_look_finds_each_way_of_marking(source: str) -> None:
    assert marks_hard(source)
    assert not marks_hard(source.replace("hard", "slow"))
