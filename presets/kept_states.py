"""States that were read lately, kept by this process: an editor reads the same prompts with every save.

What is kept is known by the bytes it was read from, and no package is ever changed, so every thread may use
the same one. What was used least recently goes, until the files of those that stay are small enough.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Final, TypeVar, cast

from formats.preset.model import PresetPackage
from presets.pipeline.state_file import Draft

MOST_BYTES: Final = 24 * 1024 * 1024
"""Of the files. A package takes a few times as much memory."""

State = TypeVar("State", PresetPackage, Draft)
_Key = tuple[str, ...]
_kept: OrderedDict[_Key, tuple[int, PresetPackage | Draft]] = OrderedDict()
_guard = threading.Lock()


def kept_state(data: bytes, raw: bytes, named: tuple[str, ...], read: Callable[[], State]) -> State:
    """What `read` makes of two files, `named` being what else it depends on. Raises what `read` does."""
    key = (sha256(data).hexdigest(), sha256(raw).hexdigest(), *named)
    with _guard:
        if key in _kept:
            _kept.move_to_end(key)
            return cast("State", _kept[key][1])
    state = read()
    with _guard:
        _kept[key] = (len(data) + len(raw), state)
        while len(_kept) > 1 and sum(size for size, _state in _kept.values()) > MOST_BYTES:
            _kept.popitem(last=False)
    return state


def keep_state(data: bytes, raw: bytes, named: tuple[str, ...], state: PresetPackage | Draft) -> None:
    """Keep what was written a moment ago, so that nobody reads it back."""
    with _guard:
        _kept[(sha256(data).hexdigest(), sha256(raw).hexdigest(), *named)] = (len(data) + len(raw), state)


def forget_states() -> None:
    """Forget everything; for tests."""
    with _guard:
        _kept.clear()
