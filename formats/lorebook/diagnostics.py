"""What reading a lorebook tells: the contract's codes with their sentences, and the error that carries
them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from formats.errors import DomainError
from formats.finding import Finding
from formats.lorebook.model import Diagnostic
from formats.messages import gettext_noop
from formats.notes import LONGEST_ARG, Sentence

SENTENCES = {
    "invalid-json": Sentence("error", gettext_noop("The text is not JSON.")),
    "invalid-root": Sentence("error", gettext_noop("A lorebook is a JSON object; this is something else.")),
    "missing-entries": Sentence("error", gettext_noop("The lorebook has no entries field.")),
    "invalid-entries": Sentence(
        "error", gettext_noop("The entries of the lorebook are neither a list nor an object.")
    ),
    "invalid-entry": Sentence("error", gettext_noop("This lorebook entry is not an object.")),
    "unexpected-format": Sentence(
        "error", gettext_noop("The lorebook has the form {found}, not the expected {expected}.")
    ),
    "converted-format": Sentence(
        "info", gettext_noop("The lorebook came in the form of {format} and was turned into the common one.")
    ),
    "missing-required-field": Sentence(
        "warning", gettext_noop("The required field {field} is missing; the default is used.")
    ),
    "invalid-object": Sentence(
        "warning", gettext_noop("The field {field} should be an object; it is read as an empty one.")
    ),
    "invalid-uid": Sentence(
        "warning", gettext_noop("The entry's number or name cannot be used; its place in the book is used.")
    ),
    "duplicate-uid": Sentence(
        "warning", gettext_noop("An earlier entry has the same number or name, {uid}; both are kept.")
    ),
    "invalid-string": Sentence(
        "warning", gettext_noop("The field {field} should be a text; the default is used.")
    ),
    "invalid-string-array": Sentence(
        "warning", gettext_noop("The field {field} should be a list of texts; it is read as empty.")
    ),
    "invalid-string-array-item": Sentence(
        "warning", gettext_noop("The list {field} holds something that is no text; that is left out.")
    ),
    "invalid-boolean": Sentence(
        "warning", gettext_noop("The field {field} should be true or false; the default is used.")
    ),
    "invalid-number": Sentence(
        "warning", gettext_noop("The field {field} should be a number that makes sense; the default is used.")
    ),
    "coerced-number": Sentence(
        "warning", gettext_noop("The field {field} was written as text; it is read as the number {value}.")
    ),
    "unknown-position": Sentence(
        "warning", gettext_noop("The position {value} is not known; the default is used.")
    ),
    "unknown-role": Sentence(
        "warning", gettext_noop("The role {value} is not known; the entry speaks as the system.")
    ),
    "unknown-secondary-logic": Sentence(
        "warning",
        gettext_noop("The logic {value} of the secondary keys is not known; any of them is enough."),
    ),
    "invalid-character-filter": Sentence(
        "warning", gettext_noop("The character filter is not an object; the entry counts for everybody.")
    ),
}


def diagnostic(code: str, path: str, **args: Any) -> Diagnostic:
    """One of the contract's diagnostics. A value quoted from the file is cut short."""
    sentence = SENTENCES[code]
    shown = {name: _shown(value) for name, value in args.items()}
    return Diagnostic(sentence.severity, code, path, sentence.message, args=shown)


def _shown(value: Any) -> Any:
    text = value if isinstance(value, str) else str(value) if isinstance(value, int | float) else "…"
    return text if len(text) <= LONGEST_ARG else text[:LONGEST_ARG] + "…"


def as_diagnostic(finding: Finding) -> Diagnostic:
    """A finding of the repair among a book's diagnostics."""
    return Diagnostic(
        finding.severity, finding.code, finding.where, finding.message, finding.hint, finding.args
    )


def has_error(told: Iterable[Diagnostic]) -> bool:
    """Whether what is told keeps the book from being read."""
    return any(one.severity == "error" for one in told)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `validate` found: can the value be parsed, which format it is (None: none), and what was told."""

    valid: bool
    format: str | None
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        told = [one.to_contract() for one in self.diagnostics]
        return {"valid": self.valid, "format": self.format, "diagnostics": told}


class LorebookError(DomainError):
    """The value is no lorebook that can be read.

    `diagnostics` holds everything that was found, errors and warnings; the sentence is that of the first
    error. `kind_of_file` says what the file is instead (a card, a preset …) where that is known.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], *, format: str | None = None) -> None:
        self.diagnostics = tuple(diagnostics)
        self.format = format
        self.kind_of_file = ""
        first = next(one for one in self.diagnostics if one.severity == "error")
        super().__init__("invalid", first.code, first.where, first.message, first.hint, first.args)
