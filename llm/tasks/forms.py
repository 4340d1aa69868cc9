"""The three forms in which a narrow answer is asked for and read (D14): schema, tool, text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from formats.finding import fill
from llm.asking import Ask, Message, Reply
from llm.endpoint import AnswerForm, Endpoint
from llm.tasks.task import AnswerModel, Example, Question, Task
from llm.tasks.words import TaskWords

FORMS: tuple[AnswerForm, ...] = ("schema", "tool", "text")
LONGEST_BACK = 4_000
"""Characters of a wrong answer that go back to the model."""
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


@lru_cache(maxsize=64)
def schema_of(model: type[AnswerModel]) -> Mapping[str, Any]:
    """The answer's JSON schema as services take it: every field required, none else, nothing by reference."""
    schema = model.model_json_schema()
    plain: Mapping[str, Any] = _plain(schema, schema.get("$defs", {}))
    return plain


def _plain(part: Any, defs: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_plain(one, defs) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _plain(defs[part["$ref"].rpartition("/")[2]], defs)
    if "properties" in part:
        fields = {name: _plain(field, defs) for name, field in part["properties"].items()}
        return {
            "type": "object",
            "properties": fields,
            "required": list(fields),
            "additionalProperties": False,
        }
    return {
        key: value if key in ("enum", "const", "required") else _plain(value, defs)
        for key, value in part.items()
        if key not in ("title", "default", "$defs")
    }


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said: the text that should be the answer's JSON, or "" with `called` for another tool."""

    json_text: str
    prose: bool = False
    other_tool: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One question in one form."""

    name: AnswerForm
    task: Task[Any]
    words: TaskWords
    endpoint: Endpoint

    @property
    def schema(self) -> Mapping[str, Any]:
        answer: type[AnswerModel] = self.task.answer
        return schema_of(answer)

    def messages(self, question: Question) -> list[Message]:
        """Instructions, examples as turns, and the text."""
        instructions = question.instructions
        if self.name == "text":
            told = json.dumps(self.schema, ensure_ascii=False)
            instructions += "\n\n" + fill(self.words.form, {"schema": told})
        turns: list[Message] = []
        for number, example in enumerate(question.examples):
            turns += self._shown(number, example)
        turns.append({"role": "user", "content": question.text})
        if self.endpoint.abilities.system_first is False:
            first = {"role": "user", "content": f"{instructions}\n\n{turns[0]['content']}"}
            return [first, *turns[1:]]
        return [{"role": "system", "content": instructions}, *turns]

    def ask(self, messages: list[Message], settings: Mapping[str, Any]) -> Ask:
        """The request in this form."""
        if self.name == "schema":
            return Ask(tuple(messages), settings, schema=self.schema, schema_name=self.task.name)
        if self.name == "tool":
            function = {"name": self.task.name, "description": "The answer.", "parameters": self.schema}
            return Ask(
                tuple(messages),
                settings,
                tools=({"type": "function", "function": function},),
                tool_choice={"type": "function", "function": {"name": self.task.name}},
            )
        return Ask(tuple(messages), settings)

    def said(self, reply: Reply) -> Said:
        """Where the answer stands in a reply; a tool called twice counts once."""
        named = [call for call in reply.calls if call.name == self.task.name]
        if named:
            return Said(named[0].arguments)
        if self.name == "tool":
            text = unfenced(reply.text)
            # Servers that do not honour a forced tool write the arguments as text.
            return Said(text, prose=not text.startswith("{"), other_tool=bool(reply.calls))
        text = unfenced(reply.text)
        return Said(text, prose=not text.startswith("{"))

    def back(self, reply: Reply, reason: str) -> list[Message]:
        """The turns that give a wrong answer back with the reason."""
        told = fill(self.words.again, {"reason": reason})
        named = [call for call in reply.calls if call.name == self.task.name]
        if named and len(named[0].arguments) <= LONGEST_BACK:
            return self._call_turns(named[0].id or "call", named[0].arguments, told)
        text = reply.text or (named[0].arguments if named else "")
        return [
            {"role": "assistant", "content": text[:LONGEST_BACK] or "…"},
            {"role": "user", "content": told},
        ]

    def _shown(self, number: int, example: Example) -> list[Message]:
        answer = json.dumps(example.answer, ensure_ascii=False)
        question: Message = {"role": "user", "content": example.question}
        if self.name != "tool":
            return [question, {"role": "assistant", "content": answer}]
        return [question, *self._call_turns(f"example-{number}", answer, "OK")]

    def _call_turns(self, call_id: str, arguments: str, result: str) -> list[Message]:
        function = {"name": self.task.name, "arguments": arguments}
        call = {"id": call_id, "type": "function", "function": function}
        return [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": call_id, "content": result},
        ]


def unfenced(text: str) -> str:
    """A text without the code fence around it."""
    found = _FENCE.match(text)
    return (found[1] if found else text).strip()
