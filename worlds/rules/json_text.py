"""Text of a document to a JSON value, and the promise that the value can be written back unchanged."""

from __future__ import annotations

import json
from typing import Any

MAX_BYTES = 8 * 1024 * 1024
"""A document larger than this is refused: a hand-made or hostile file, never one of ours."""

MAX_DEPTH = 100


class NotJson(ValueError):
    """The bytes are no JSON document of ours; the sentence names the place for people who edit by hand."""


def json_value(text: bytes | str) -> Any:
    """Strict JSON: UTF-8, no `NaN`, no key twice in one object, at most `MAX_DEPTH` levels.

    A byte order mark, which some editors write, is passed over.

    Raises:
        NotJson: the text is something else.
    """
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        value = json.loads(decoded, object_pairs_hook=_object, parse_constant=_refuse)
    except RecursionError:
        raise NotJson("nested too deeply") from None
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8 at byte {error.start}") from None
    except ValueError as error:
        raise NotJson(str(error)) from None
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
    except (ValueError, TypeError, RecursionError) as error:
        raise NotJson(type(error).__name__ if isinstance(error, RecursionError) else str(error)) from None


def refuse_depth(value: Any) -> None:
    """Refuse a value nested deeper than `MAX_DEPTH`.

    Raises:
        NotJson: it is.
    """
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return
    raise NotJson("nested too deeply")


def _inside(value: Any) -> list[Any]:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [inner for inner in held if isinstance(inner, dict | list)]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {json.dumps(twice, ensure_ascii=False)} stands twice")
    return made


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
