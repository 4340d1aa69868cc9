"""What a scan reads, in parts: messages (newest first), the texts beside the story, texts of woken entries.

Each part is read by itself, so that a hit names its place and no text is read twice. A key cannot match
across two parts: in SillyTavern a sign that nobody writes stands between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from formats.lorebook.javascript import BLANKS
from formats.lorebook.simulator.scene import SOURCE_NAMES, Scene, SceneMessage

PartKind = Literal["message", "source", "entry"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A key that was found.

    `where`: in a message (`index` counts from the oldest), in a text beside the story (`name`), or in that
    of another entry (`name` is its candidate key in `book`). `offset` counts in that text; below 0 it lies
    in the name before a message.
    """

    key: str
    secondary: bool
    where: PartKind
    index: int
    name: str
    book: str
    title: str
    offset: int
    length: int
    step: int


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One text as it is read; `lead` characters of it stand before the text that people see.

    `rank`: a message's distance from the newest.
    """

    kind: PartKind
    text: str
    lead: int = 0
    rank: int = 0
    index: int = 0
    name: str = ""
    book: str = ""
    title: str = ""

    def hit(self, key: str, start: int, end: int, *, secondary: bool, step: int) -> Hit:
        """The hit of a key on a span of the read text."""
        return Hit(
            key=key,
            secondary=secondary,
            where=self.kind,
            index=self.index,
            name=self.name,
            book=self.book,
            title=self.title,
            offset=start - self.lead,
            length=end - start,
            step=step,
        )


class Scope(NamedTuple):
    """What counts for an entry: so many messages, these texts beside the story, other entries or not."""

    depth: int
    sources: tuple[str, ...]
    recursion: bool

    def has(self, part: Part) -> bool:
        """Whether the part is read for the entry; a depth of 0 reads nothing at all."""
        if not self.depth:
            return False
        if part.kind == "message":
            return part.rank < self.depth
        return self.recursion if part.kind == "entry" else part.name in self.sources


def message_parts(scene: Scene, *, with_names: bool) -> list[Part]:
    """The messages, newest first."""
    last = len(scene.messages) - 1
    return [
        _message_part(message, last - rank, rank, with_names)
        for rank, message in enumerate(reversed(scene.messages))
    ]


def _message_part(message: SceneMessage, index: int, rank: int, with_names: bool) -> Part:
    name = f"{message.name}: " if with_names and message.name else ""
    whole = name + message.text
    text = whole.strip(BLANKS)
    blanks = len(whole) - len(whole.lstrip(BLANKS))
    return Part("message", text, lead=len(name) - blanks, rank=rank, index=index, name=message.name)


def source_parts(scene: Scene) -> list[Part]:
    """The texts beside the story that hold something."""
    texts = {name: getattr(scene.sources, name) for name in SOURCE_NAMES}
    return [Part("source", text, name=name) for name, text in texts.items() if text.strip()]
