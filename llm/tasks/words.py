"""What goes back to a model about its answer, in the language of its question (RUN-10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class TaskWords:
    """Sentences; `{reason}`, `{name}` and `{where}` are filled by `formats.finding.fill`."""

    again: str
    no_json: str
    wrong_field: str
    no_call: str
    other_tool: str
    form: str


TASK_WORDS: Mapping[str, TaskWords] = MappingProxyType(
    {
        "en": TaskWords(
            again="This answer cannot be used: {reason} Give the whole answer again.",
            no_json="It is not one JSON object.",
            wrong_field="Field {where}: {reason}.",
            no_call="It was written as text. Call the tool {name}.",
            other_tool="There is only the tool {name}.",
            form="Answer with one JSON object of this schema and with nothing else:\n{schema}",
        ),
        "zh-hans": TaskWords(
            again="这个回答不能用：{reason}请重新给出完整的回答。",
            no_json="它不是一个 JSON 对象。",
            wrong_field="字段 {where}：{reason}。",
            no_call="回答写成了普通文字。请调用工具 {name}。",
            other_tool="只有 {name} 这一个工具。",
            form="只回答一个符合下面结构的 JSON 对象，不要写别的：\n{schema}",
        ),
    }
)
