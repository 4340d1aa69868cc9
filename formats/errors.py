"""`DomainError`: how every room below the pages says that something cannot be done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from formats.finding import fill

ErrorKind = Literal[
    "invalid",  # the input cannot be used as it is
    "not-found",  # no such thing, or not for this person
    "forbidden",  # known, but not allowed
    "conflict",  # somebody else changed it in between
    "precondition",  # a conditional write whose condition no longer holds
    "too-large",  # over a limit of size or count
    "unsupported",  # recognised, but not something we can read here
    "busy",  # locked by somebody else right now
    "limited",  # too many tries
    "full",  # quota or disk
    "unavailable",  # a thing outside this process does not answer
]


class DomainError(Exception):
    """A refusal with a plain sentence.

    `message` and `hint` are English templates with `{name}` fields (see `Finding`), `args` their values; the
    edge shows them translated. `message` says what happened and what is safe, `hint` what can be done.
    """

    def __init__(
        self,
        kind: ErrorKind,
        code: str,
        where: str = "",
        message: str = "",
        hint: str = "",
        args: Mapping[str, Any] | None = None,
    ) -> None:
        self.kind: ErrorKind = kind
        self.code = code
        self.where = where
        self.message = message or code
        self.hint = hint
        self.values: dict[str, Any] = dict(args or {})
        super().__init__(fill(self.message, self.values))
