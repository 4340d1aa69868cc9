"""Text of a document to a JSON value, and the promise that the value can be written back unchanged."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from formats.finding import fill
from formats.messages import gettext_noop as _

MAX_BYTES = 8 * 1024 * 1024
"""A document larger than this is refused: a hand-made or hostile file, never one of ours."""

MAX_DEPTH = 100


class NotJson(ValueError):
    """No JSON document of ours: an English template about `{file}` with its other values."""

    def __init__(self, message: str, **values: str | int) -> None:
        self.message = message
        self.values = values
        super().__init__(fill(message, values))


def json_value(text: bytes | str) -> Any:
    """Strict JSON: UTF-8, no `NaN`, no key twice in one object, at most `MAX_DEPTH` levels.

    A byte order mark, which some editors write, is passed over.

    Raises:
        NotJson: the text is something else.
    """
    decoded = _decoded(text) if isinstance(text, bytes) else text
    try:
        value = json.loads(decoded, object_pairs_hook=_object, parse_constant=_refuse)
    except NotJson:
        raise
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        message = _("{file} is not JSON: line {line}, column {column} cannot be read.")
        raise NotJson(message, line=error.lineno, column=error.colno) from None
    except ValueError:  # the interpreter's limit of digits
        raise NotJson(_("{file} holds a number with too many digits.")) from None
    if decoded.count("[") + decoded.count("{") > MAX_DEPTH:
        refuse_depth(value)
    return value


def refuse_unwritable(value: Any) -> None:
    """Make sure the value is JSON that our writer can write (no infinity, no half character, no cycle).

    Raises:
        NotJson: it is not.
    """
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError:
        raise _too_deep() from None
    except UnicodeEncodeError:
        raise NotJson(_("{file} holds half of a character, which no file can hold.")) from None
    except (ValueError, TypeError):
        raise NotJson(_("{file} holds a number without end, or something that is not JSON.")) from None


def refuse_depth(value: Any) -> None:
    """Refuse a value nested deeper than `MAX_DEPTH`.

    Raises:
        NotJson: it is.
    """
    level = [value]
    for _level in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return
    raise _too_deep()


def _inside(value: Any) -> list[Any]:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [inner for inner in held if isinstance(inner, dict | list)]


def _decoded(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise NotJson(_("{file} is larger than a document may be ({most} bytes)."), most=MAX_BYTES)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = _("{file} is not UTF-8 text: byte {byte} cannot be read.")
        raise NotJson(message, byte=error.start) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        [(twice, _count)] = Counter(key for key, _value in pairs).most_common(1)
        raise NotJson(_("{file} has the key “{key}” twice in one object."), key=twice[:80])
    return made


def _refuse(name: str) -> Any:
    raise NotJson(_("{file} holds {name}, which is not JSON."), name=name)


def _too_deep() -> NotJson:
    return NotJson(_("{file} is nested more than {most} levels deep."), most=MAX_DEPTH)
