"""The recorded answers of the contract's reference: reading, writing, stable text (`tests/vectors/`)."""

from __future__ import annotations

from typing import Any

import pytest

from formats.lorebook import (
    LorebookError,
    export_character_book,
    export_sillytavern,
    parse,
    stable_stringify,
    validate,
)
from tests.support.vectors import difference, vector_cases


def without_messages(diagnostics: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: told[name] for name in ("severity", "code", "path")} for told in diagnostics]


@pytest.mark.req("WB-2", "WB-3", "WB-4")
@pytest.mark.parametrize("case", vector_cases("parse"), ids=lambda case: stable_stringify(case["input"])[:60])
def test_reading(case: dict[str, Any]) -> None:
    name = case["options"].get("name")
    verdict = validate(case["input"], name)
    told = without_messages(verdict.to_json()["diagnostics"])
    answer = {"format": verdict.format, "valid": verdict.valid, "diagnostics": told}
    assert difference({part: case[part] for part in answer}, answer) == ""
    if case["model"] is None:
        with pytest.raises(LorebookError) as refusal:
            parse(case["input"], name)
        assert refusal.value.diagnostics == verdict.diagnostics
        return
    model = parse(case["input"], name).to_json()
    model["diagnostics"] = without_messages(model["diagnostics"])
    expected = {**case["model"], "diagnostics": without_messages(case["model"]["diagnostics"])}
    assert difference(expected, model) == ""


@pytest.mark.req("WB-5")
@pytest.mark.parametrize(
    "case", vector_cases("export"), ids=lambda case: stable_stringify(case["input"])[:60]
)
def test_writing(case: dict[str, Any]) -> None:
    model = parse(case["input"])
    for name, written in (
        ("sillytavern", export_sillytavern(model)),
        ("character_book", export_character_book(model)),
    ):
        assert difference(case[name], written) == ""
        assert difference(written, case[name]) == "", "nothing is left out"


@pytest.mark.req("WB-5")
@pytest.mark.parametrize("case", vector_cases("stable"), ids=lambda case: case["compact"][:60])
def test_stable_text(case: dict[str, Any]) -> None:
    assert stable_stringify(case["value"], 2) == case["text"]
    assert stable_stringify(case["value"]) == case["compact"]
