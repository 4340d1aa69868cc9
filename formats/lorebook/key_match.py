"""What one key says of one text, whether it is plain or a pattern."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from formats.lorebook.literal import find_literal
from formats.lorebook.patterns import (
    Pattern,
    PatternOutcome,
    PatternRunner,
    Reason,
    Span,
    pattern_of,
    run_patterns,
)

FindPlain = Callable[[str, bool, bool], Span | None]
"""Where a plain key stands first: the key, whether case counts, whether only whole words do."""


@dataclass(frozen=True, slots=True)
class KeyMatch:
    """A key beside a text: where it hits, or why a pattern was not run (`error`: never a hit)."""

    key: str
    kind: Literal["literal", "regex"]
    span: Span | None = None
    error: Reason = ""

    @property
    def matched(self) -> bool:
        """Whether the key stands in the text."""
        return self.span is not None

    def to_json(self) -> dict[str, Any]:
        """The contract's form; an error is there only where there is one."""
        stated: dict[str, Any] = {"matched": self.matched, "kind": self.kind}
        return {**stated, "error": self.error} if self.error else stated


class TextReading:
    """One text, ready to be asked for keys. A pattern that does not compile is asked as plain text."""

    def __init__(self, find_plain: FindPlain, outcomes: Mapping[Pattern, PatternOutcome]) -> None:
        self._find_plain = find_plain
        self._outcomes = outcomes

    def match(self, key: str, *, case_sensitive: bool, whole_words: bool) -> KeyMatch:
        """What a key says; the settings for case and words are for plain keys only."""
        pattern = pattern_of(key)
        outcome = self._outcomes[pattern] if pattern else None
        if outcome is None or outcome.kind == "not-compiling":
            return KeyMatch(key, "literal", self._find_plain(key, case_sensitive, whole_words))
        if outcome.kind == "not-run":
            return KeyMatch(key, "regex", error=outcome.reason)
        return KeyMatch(key, "regex", outcome.spans[0])


def read_plainly(text: str, keys: Iterable[str], engine: PatternRunner | None) -> TextReading:
    """A reading for a few keys, each of them searched by itself."""

    def find_plain(key: str, case_sensitive: bool, whole_words: bool) -> Span | None:
        return find_literal(text, key, case_sensitive=case_sensitive, whole_words=whole_words)

    return TextReading(find_plain, pattern_outcomes(text, keys, engine))


def pattern_outcomes(
    text: str, keys: Iterable[str], engine: PatternRunner | None
) -> dict[Pattern, PatternOutcome]:
    """What the engine says of the patterns among the keys, in one request."""
    patterns = list(dict.fromkeys(filter(None, map(pattern_of, keys))))
    return dict(zip(patterns, run_patterns(patterns, [text], engine), strict=True))
