"""Typed values of one lorebook entry or of the book itself: the contract's defaults and warnings.

The rules, for every field alike. A field that is missing has its default and nothing is said. Text and lists
must be that. null is "unsaid" for a truth value, a position, a role, a logic and for the settings that may be
null; elsewhere it is a wrong value. A number may be written as text, with JavaScript's reading of it; one out
of its range is as wrong as none. What is wrong has the default, with a warning at the field's path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from formats.lorebook.diagnostics import diagnostic
from formats.lorebook.javascript import finite, member, number_of
from formats.lorebook.model import Diagnostic, Number

Word = TypeVar("Word", bound=str)
NO_OTHERS: Mapping[str, Any] = {}
MISSING: Any = object()


class Range(NamedTuple):
    """Which numbers make sense."""

    least: float | None = None
    most: float | None = None
    whole: bool = False

    def holds(self, number: Number) -> bool:
        """Whether the number is one of them."""
        if self.whole and number != number // 1:
            return False
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)


ANY_NUMBER = Range()
COUNT = Range(least=0, whole=True)
PERCENT = Range(least=0, most=100)
WEIGHT = Range(least=0)


class Values:
    """Reads typed values and tells what was wrong with them. `path` makes the place the fields stand in, and
    is called only where there is something to tell."""

    __slots__ = ("_path", "told")

    def __init__(self, path: Callable[[], str], told: list[Diagnostic]) -> None:
        self._path = path
        self.told = told

    def tell(self, code: str, field: str, **args: Any) -> None:
        """Add a warning about a field (`name`, or `extensions.name`)."""
        path = self._path()
        for name in field.split("."):
            path = member(path, name)
        self.told.append(diagnostic(code, path, field=field, **args))

    def text(self, value: Any, field: str, default: str = "") -> str:
        """A text."""
        if isinstance(value, str):
            return value
        if value is not MISSING:
            self.tell("invalid-string", field)
        return default

    def truth(self, value: Any, field: str, default: bool) -> bool:
        """True or false; null is the default."""
        if value is True or value is False:
            return bool(value)
        if value is not MISSING and value is not None:
            self.tell("invalid-boolean", field)
        return default

    def truth_or_unsaid(self, value: Any, field: str) -> bool | None:
        """True, false or null."""
        if value is MISSING or value is None or value is True or value is False:
            return None if value is MISSING else value
        self.tell("invalid-boolean", field)
        return None

    def number(self, value: Any, field: str, default: Number, within: Range = ANY_NUMBER) -> Number:
        """A number within its range."""
        if value is MISSING:
            return default
        number = self._number(value, field, within)
        return default if number is None else number

    def number_or_unsaid(self, value: Any, field: str, within: Range = COUNT) -> Number | None:
        """A number within its range, or null."""
        return None if value is MISSING or value is None else self._number(value, field, within)

    def _number(self, value: Any, field: str, within: Range) -> Number | None:
        if isinstance(value, str):
            number = number_of(value)
            if number is not None and within.holds(number):
                self.tell("coerced-number", field, value=number)
                return number
        elif _is_number(value) and within.holds(value):
            return value  # type: ignore[no-any-return]
        self.tell("invalid-number", field)
        return None

    def texts(self, value: Any, field: str) -> tuple[str, ...]:
        """A list of texts; what is none is left out."""
        if value is MISSING:
            return ()
        if not isinstance(value, list):
            self.tell("invalid-string-array", field)
            return ()
        texts = tuple(item for item in value if isinstance(item, str))
        if len(texts) != len(value):
            self.tell("invalid-string-array-item", field)
        return texts

    def mapping(self, value: Any, field: str) -> Mapping[str, Any]:
        """An object."""
        if isinstance(value, dict):
            return value
        if value is not MISSING:
            self.tell("invalid-object", field)
        return {}

    def word(
        self,
        value: Any,
        words: Sequence[Word],
        field: str,
        code: str,
        default: Word,
        others: Mapping[str, Word] = NO_OTHERS,
    ) -> Word:
        """A word of the list: itself, its number, or another spelling of it.

        A number as text is that number, with a warning: the seed's reference knows no such value, and the
        makers of books meant the number (lorebook facts 1.3).
        """
        if value is MISSING or value is None:
            return default
        if isinstance(value, str):
            if value in words:
                return words[words.index(value)]
            if value in others:
                return others[value]
        number = self._index(value, field, len(words))
        if number is not None:
            return words[number]
        self.tell(code, field, value=value)
        return default

    def _index(self, value: Any, field: str, count: int) -> int | None:
        known = range(count)
        if isinstance(value, str):
            number = number_of(value)
            if number is None or number not in known:
                return None
            self.tell("coerced-number", field, value=number)
            return int(number)
        if (type(value) is int or type(value) is float) and value in known:
            return int(value)
        return None


def _is_number(value: Any) -> bool:
    """A number that JavaScript can hold; true and false are none."""
    return (type(value) is int or type(value) is float) and finite(value) is not None
