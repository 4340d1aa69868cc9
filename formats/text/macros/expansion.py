"""`expand`: a text with the macros of the contract's table expanded, inner ones first, left to right.

Every other macro keeps its spelling (those inside it expand) and is named. Nothing is read from outside: the
same text and context give the same result.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from formats.finding import Finding
from formats.text.macros.context import MacroContext, WorkUsedUp
from formats.text.macros.template import Call, Pieces, template_of
from formats.text.macros.values import VALUES, Telling


@dataclass(frozen=True, slots=True)
class Expanded:
    """The text; `unknown` counts by name the macros that are not in the table, or not with such arguments."""

    text: str
    findings: list[Finding] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)


def expand(text: str, context: MacroContext, where: str = "") -> Expanded:
    """Expand the macros of one text; `where` is the place that findings name.

    `{{trim}}` takes the blanks off both ends of the whole text. A text whose macros would make more than the
    budget of the context allows is left as it is.
    """
    if "{{" not in text:
        return Expanded(text)
    template = template_of(text)
    telling = Telling(text, where)
    try:
        expanded = _Expansion(text, context, telling).text_of(template.pieces)
    except WorkUsedUp:
        telling.note("macro.too-much")
        return Expanded(text, telling.findings())
    if template.is_too_deep:
        telling.note("macro.too-deep")
    return Expanded(expanded.strip() if template.trims else expanded, telling.findings(), dict(template.left))


class _Expansion:
    def __init__(self, text: str, context: MacroContext, telling: Telling) -> None:
        self.text, self.context, self.telling = text, context, telling

    def text_of(self, pieces: Pieces) -> str:
        """The pieces put together; what they make is counted before it is made."""
        constants = self.context.constants
        made: list[str] = []
        work = 0
        for piece in pieces:
            if isinstance(piece, str):
                made.append(piece)
                continue
            value = constants.get(piece.name)
            if value is None:
                value = self._value(piece)
            work += 1 + len(value)
            made.append(value)
        self.context.budget.spend(work)
        return "".join(made)

    def _value(self, call: Call) -> str:
        args = [arg if isinstance(arg, str) else self.text_of(arg).strip() for arg in call.args]
        self.telling.call = call
        value = VALUES[call.name](args, self.context, self.telling)
        return call.written_in(self.text) if value is None else value
