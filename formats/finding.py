"""`Finding`: the one shape of everything the program tells a person about a file (D40)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from formats.messages import count_in, singular_of

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
FIELD = re.compile(r"\{([a-z_]+)\}")


def fill(template: str, args: Mapping[str, Any]) -> str:
    """Put `args` into the `{name}` fields of a template; a field without a value stays as written.

    Not `str.format`: a template read back from a stored finding is untrusted, and a format string could
    reach into objects. Of a template for several things the form for one is used where there is one.
    """
    if count_in(args) == 1:
        template = singular_of(template) or template
    return FIELD.sub(lambda match: str(args.get(match[1], match[0])), template)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to tell: what it is (`code`), where, and a sentence.

    `message` and `hint` are English templates with named fields, marked by `gettext_noop`; `args` holds the
    values (JSON values only). `where` is a path such as `data.character_book.entries[3].keys` or
    `characters/lina.json: starting_location`.
    """

    severity: Severity
    code: str
    where: str
    message: str
    hint: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The message in English with its fields filled."""
        return fill(self.message, self.args)

    def to_json(self) -> dict[str, Any]:
        """The stored form: template and args apart, so that it can be shown in any language."""
        stored: dict[str, Any] = {
            "severity": self.severity,
            "code": self.code,
            "where": self.where,
            "message": self.message,
        }
        if self.hint:
            stored["hint"] = self.hint
        if self.args:
            stored["args"] = dict(self.args)
        return stored

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Finding:
        """Read a stored finding back.

        Raises:
            ValueError: the value is not a finding.
        """
        if not isinstance(value, Mapping):
            raise ValueError("a stored finding is not an object")
        severity, args = value.get("severity"), value.get("args", {})
        if severity not in SEVERITIES or not isinstance(args, Mapping):
            raise ValueError("a stored finding has no usable severity or args")
        code, where, message, hint = (value.get(name, "") for name in ("code", "where", "message", "hint"))
        if not all(isinstance(text, str) for text in (code, where, message, hint)):
            raise ValueError("a stored finding holds something else than text")
        return cls(severity, code, where, message, hint, dict(args))
