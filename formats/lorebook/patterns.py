"""Which keys are regular expressions, and the shape of an engine that runs them.

A key is a pattern only in SillyTavern's strict form `/…/flags`. The engine is an argument, because patterns
of strangers may run for ever: this package never runs one. Spans are code points of the text as it was given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Ran = Literal["ran", "not-compiling", "not-run"]
Reason = Literal["", "no-engine", "too-long", "too-slow", "scan-too-slow", "stopped"]
Span = tuple[int, int]

FLAGS = frozenset("gimsuy")
BARE_SLASH = re.compile(r"(?:^|[^\\])/")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression with JavaScript's meaning."""

    source: str
    flags: str = ""


@dataclass(frozen=True, slots=True)
class PatternOutcome:
    """What an engine says of one pattern: its first match in each text, in the order of the texts.

    `spans` is empty unless the pattern ran; `reason` says why it did not run, and is empty where it did.
    """

    kind: Ran
    spans: tuple[Span | None, ...] = ()
    reason: Reason = ""


class PatternRunner(Protocol):
    """An engine: one outcome for each pattern, in their order; it never raises for what a pattern holds."""

    def __call__(self, patterns: Sequence[Pattern], texts: Sequence[str]) -> list[PatternOutcome]:
        """Each pattern over each text."""
        ...


def pattern_of(key: str) -> Pattern | None:
    """The pattern a key is written as, or None where the key is plain text.

    The form: a slash, something, a slash, then flags of `gimsuy`, none twice; no slash in between that has
    no backslash before it. So `/home/gim` is the pattern `home`, while `/home/user`, `//`, `/a/b/` and
    `/x/v` are plain text. The key is taken as written: a blank before the first slash makes it plain text.
    """
    if not key.startswith("/"):
        return None
    source, last_slash, flags = key[1:].rpartition("/")
    if not last_slash or not source or not FLAGS.issuperset(flags) or len(set(flags)) != len(flags):
        return None
    if BARE_SLASH.search(source):
        return None
    return Pattern(source.replace("\\/", "/"), flags)


def run_patterns(
    patterns: Sequence[Pattern], texts: Sequence[str], engine: PatternRunner | None
) -> list[PatternOutcome]:
    """What the engine says; without one, every pattern is told as not run."""
    if not patterns:
        return []
    if engine is None:
        return [PatternOutcome("not-run", reason="no-engine")] * len(patterns)
    return engine(patterns, texts)
