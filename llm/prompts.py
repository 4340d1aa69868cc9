"""The prompt library: texts by id and language, with placeholders that are checked (RUN-10).

A text lies at `<root>/<language>/<id>.md`, what shows how it is done beside it as `<id>.examples.json`: a
list of `{"question": …, "answer": {…}}`. Both languages hold the same ids and placeholders
(`tests/house/test_prompts.py`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from formats.stable_json import read_json
from llm.tasks.task import Example

PLACEHOLDER = re.compile(r"\$\{([a-z_]+)\}")


class PromptLibrary:
    """The texts below one folder; each is read once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def text(self, prompt_id: str, language: str, **values: str) -> str:
        """A text with its placeholders filled. Values are put in as they are and looked at no further.

        Raises:
            ValueError: the text has other placeholders than the values; that is an error of this program.
        """
        template = _read_text(self.root / language / f"{prompt_id}.md")
        names = placeholders_of(template)
        if names != set(values):
            raise ValueError(f"{prompt_id} has the placeholders {sorted(names)}, given were {sorted(values)}")
        return PLACEHOLDER.sub(lambda match: values[match[1]], template)

    def examples(self, prompt_id: str, language: str) -> tuple[Example, ...]:
        """What shows how it is done; none where there is no such file."""
        return _read_examples(self.root / language / f"{prompt_id}.examples.json")


def placeholders_of(template: str) -> set[str]:
    """The names of the placeholders of a text."""
    return {match[1] for match in PLACEHOLDER.finditer(template)}


@lru_cache(maxsize=256)
def _read_text(path: Path) -> str:
    return path.read_text("utf-8").strip()


@lru_cache(maxsize=256)
def _read_examples(path: Path) -> tuple[Example, ...]:
    if not path.is_file():
        return ()
    return tuple(Example(one["question"], one["answer"]) for one in read_json(path.read_bytes()))
