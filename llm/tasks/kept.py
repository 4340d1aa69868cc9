"""Answers that are kept, so that a question is asked once, whatever is interrupted (RUN-9)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from llm.tasks.task import Question


class TaskRecord(BaseModel):
    """One question that has ended. It is also what people are shown: progress, cost, failures.

    `value` is the answer as JSON values. `code`, `message`, `hint`, `args` say why there is none. Tokens are
    those of all its calls; `cost` is a decimal number as text, None where a price is not known.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    task: str
    title: str
    about: str
    state: Literal["answered", "failed"]
    value: Any = None
    rescued: bool = False
    requests: int
    tokens_in: int = 0
    tokens_out: int = 0
    cost: str | None = None
    currency: str = ""
    seconds: float = 0.0
    code: str = ""
    message: str = ""
    hint: str = ""
    args: dict[str, Any] = Field(default_factory=dict)
    at: str


class Kept(Protocol):
    """Where records are kept. `put` returns once the record cannot be lost any more."""

    async def get(self, key: str) -> TaskRecord | None: ...

    async def put(self, key: str, record: TaskRecord) -> None: ...


def key_of(question: Question, schema: Mapping[str, Any]) -> str:
    """The hash of instructions, examples, text and answer format; the model is no part of it."""
    told = json.dumps([asdict(question), schema], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()
