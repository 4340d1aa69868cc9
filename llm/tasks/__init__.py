"""Narrow tasks: a question to a model whose answer has a declared shape, within bounds of every kind."""

from __future__ import annotations

from llm.tasks.kept import Kept, TaskRecord
from llm.tasks.runner import Tasks
from llm.tasks.settings import TaskSettings
from llm.tasks.task import Answer, AnswerModel, Example, Question, Rejected, Task, TaskFailed
from llm.tasks.together import together

__all__ = [
    "Answer",
    "AnswerModel",
    "Example",
    "Kept",
    "Question",
    "Rejected",
    "Task",
    "TaskFailed",
    "TaskRecord",
    "TaskSettings",
    "Tasks",
    "together",
]
