"""Narrow tasks: a question to a model whose answer has a declared shape, within bounds of every kind."""

from __future__ import annotations

from llm.tasks.task import Answer, AnswerModel, Example, Question, Rejected, Task, TaskFailed

__all__ = ["Answer", "AnswerModel", "Example", "Question", "Rejected", "Task", "TaskFailed"]
