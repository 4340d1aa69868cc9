"""`Notes`: collects findings while a file is read, and keeps thousands of equal ones to a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from formats.finding import Finding, Severity
from formats.messages import ngettext_noop

SHOWN_EACH = 5
"""How many findings of one code are listed one by one before the rest is only counted."""

LONGEST_ARG = 160
"""Characters of file text that a finding may quote."""

MORE = ngettext_noop(
    "{count} more place needed the same as {first}.", "{count} more places needed the same as {first}."
)


class Sentence(NamedTuple):
    """What a finding code says: severity, English template, and what can be done."""

    severity: Severity
    message: str
    hint: str = ""


class Notes:
    """Findings in the order in which their code first appeared.

    `sentences` maps every code that may be added to its `Sentence`; an unknown code is a programming error.
    """

    def __init__(self, sentences: Mapping[str, Sentence]) -> None:
        self._sentences = sentences
        self._found: dict[str, list[Finding]] = {}
        self._more: dict[str, int] = {}

    def add(self, code: str, where: str, *, because: str = "", **args: Any) -> None:
        """Note one thing at `where` (a path such as `data.tags[2]`); long texts in `args` are shortened.

        `because`, a template of its own, stands in place of the sentence's hint.
        """
        found = self._found.setdefault(code, [])
        if len(found) >= SHOWN_EACH:
            self._more[code] = self._more.get(code, 0) + 1
            return
        sentence = self._sentences[code]
        shown = {name: _shortened(value) for name, value in args.items()}
        found.append(
            Finding(sentence.severity, code, where, sentence.message, because or sentence.hint, shown)
        )

    def take(self, findings: Iterable[Finding]) -> None:
        """Put in findings that another reader has already grouped."""
        for finding in findings:
            self._found.setdefault(finding.code, []).append(finding)

    def findings(self) -> list[Finding]:
        """All of them; where a code was met more than `SHOWN_EACH` times, one more line with the count."""
        result: list[Finding] = []
        for code, found in self._found.items():
            result += found
            if code in self._more:
                first = found[0]
                args = {"count": self._more[code], "first": first.where}
                result.append(Finding(first.severity, code, first.where, MORE, first.hint, args))
        return result


def _shortened(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_ARG:
        return value[:LONGEST_ARG] + "…"
    return value
