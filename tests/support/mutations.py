"""Damage to invented files, always the same for one seed: bytes changed blindly, JSON by its shape."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

TOKENS = [
    b"\0",
    b"\xff",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\x80\0\0\0",
    b"\xed\xa0\x80",  # half a surrogate pair in UTF-8
    b"\xef\xbb\xbf",
    b"\\ud800",
    b"\\u0000",
    b"{{user}}",
    b"{{",
    b"}}",
    b"<%",
    b"%>",
    b"<user>",
    b"/(a+)+$/",
    b"@@depth 4",
    b"null",
    b"NaN",
    b"1e999",
    b"-9223372036854775809",
    b"9" * 400,
    b'"',
    b"[",
    b"{",
    b"]}",
    b"[InitVar]",
    b"IEND",
    b"PK\x05\x06",
    b"Exif\0\0",
    "。」”".encode(),
    "\u202e\u200b".encode(),
]
TEXTS = [
    "",
    " ",
    "0",
    "true",
    "雾港的信使。" * 300,
    "a" * 7000,
    "{{user}} {{char}} {{random::a::b}} {{getvar::x}} {{{{{{",
    "<%_ if (x) { _%>yes<%_ } else { _%>no<%= y %>",
    "<StatusPlaceHolderImpl/><UpdateVariable>[{'op':'replace'}]</UpdateVariable>",
    "<div style='x'><p>one<br>two</p><script>alert(1)</script><table><tr><td>a",
    "https://pictures.example/a.png https:\\/\\/b.example\\/c.webp",
    "../../etc/passwd",
    "CON",
    "\u202e\u200b\ufeff",
    "e\u0301" * 50,
    "${x} {0} %s {name.__class__}",
    "name: Lina\nage: 20\n\n## Looks\n- grey eyes\n【性格】冷静",
    'Character("Lina" + "Li")\nAge("20")',
    "- " * 3000,
    "(" * 3000,
    "[" * 3000,
    "{" * 3000,
    "<" * 3000,
    "好感度: 0\n体力:\n  当前: [10, '现在']\n  上限: 20\n",
    "[a]\nb = 1\n",
    "*a" * 2000,
    "&a [*a, *a]\n" * 50,
    "\n" * 5000,
]
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    2**63,
    -(2**80),
    0.5,
    1e308,
    [],
    {},
    [[]],
    [None],
    {"": ""},
    {"0": {}},
    [{}],
    {"name": "x"},
    {"id": "lina", "name": 3},
    *TEXTS,
]


class Mutator:
    """A source of damage. `others` are files whose parts may be mixed in."""

    def __init__(self, seed: int, others: Sequence[bytes] = ()) -> None:
        self.random = random.Random(seed)
        self.others = others

    def changed_bytes(self, data: bytes) -> bytes:
        """The file after one to eight blind changes."""
        changed = bytearray(data)
        for _ in range(self.random.randint(1, 8)):
            self.random.choice(self._blind)(self, changed)
        return bytes(changed)

    def changed_json(self, value: Any) -> Any:
        """A JSON value after one to six changes of its parts; the given value stays as it is."""
        changed = copy.deepcopy(value)
        for _ in range(self.random.randint(1, 6)):
            places = list(_places(changed))
            if not places:
                return self.random.choice(VALUES)
            holder, key = self.random.choice(places)
            self._change_place(holder, key, self.random.choice(places))
        return changed

    def _change_place(self, holder: Any, key: Any, other: tuple[Any, Any]) -> None:
        how = self.random.randrange(6)
        if how == 0:
            del holder[key]
        elif how == 1:
            holder[key] = copy.deepcopy(other[0][other[1]])  # a part from elsewhere
        elif how == 2 and isinstance(holder[key], str):
            holder[key] = self._changed_text(holder[key])
        elif how == 3 and isinstance(holder, list):
            holder.extend([copy.deepcopy(holder[key])] * self.random.randint(1, 30))
        elif how == 4 and isinstance(holder, dict):
            holder[self.random.choice([*holder, "", "x" * 300, "__proto__"])] = holder[key]
        else:
            holder[key] = copy.deepcopy(self.random.choice(VALUES))

    def _changed_text(self, text: str) -> str:
        at = self.random.randint(0, len(text))
        return text[:at] + self.random.choice(TEXTS) + text[at + self.random.randint(0, 20) :]

    def _at(self, data: bytearray) -> int:
        return self.random.randint(0, len(data))

    def _flip(self, data: bytearray) -> None:
        if data:
            data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)

    def _token(self, data: bytearray) -> None:
        at, token = self._at(data), self.random.choice(TOKENS)
        data[at : at + self.random.choice([0, len(token)])] = token

    def _cut(self, data: bytearray) -> None:
        at = self._at(data)
        del data[at : at + self.random.choice([1, 4, 40, 400])]

    def _end_early(self, data: bytearray) -> None:
        del data[self._at(data) :]

    def _repeat(self, data: bytearray) -> None:
        start = self._at(data)
        data[self._at(data) : 0] = data[start : start + self.random.choice([1, 8, 64, 512])] * 2

    def _mix(self, data: bytearray) -> None:
        other = self.random.choice([bytes(data), *self.others])
        start = self.random.randint(0, len(other))
        data[self._at(data) : self._at(data)] = other[start : start + self.random.choice([4, 40, 400, 4000])]

    _blind: Sequence[Callable[[Mutator, bytearray], None]] = (
        _flip,
        _flip,
        _token,
        _token,
        _cut,
        _end_early,
        _repeat,
        _mix,
    )


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place of a JSON value as its holder and key or index, the holder's own first."""
    found, waiting = [], [value]
    while waiting:
        holder = waiting.pop()
        keys = (
            list(holder)
            if isinstance(holder, dict)
            else range(len(holder))
            if isinstance(holder, list)
            else []
        )
        for key in keys:
            found.append((holder, key))
            waiting.append(holder[key])
    return found
