"""Server-sent events out of bytes as they come, cut anywhere."""

from __future__ import annotations

import codecs
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its name (mostly empty) and its data lines joined."""

    name: str
    data: str


class EventReader:
    """Feed it bytes, take events. Comments and unknown fields are dropped, as the standard says."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest: list[str] = []  # pieces of the line that has not ended
        self._after_return = False
        self._name = ""
        self._data: list[str] = []

    def feed(self, part: bytes) -> list[ServerEvent]:
        """The events that end within this part."""
        return self._lines(self._decoder.decode(part))

    def end(self) -> list[ServerEvent]:
        """What is left when the stream has ended: some servers leave out the last blank line."""
        self._after_return = False
        return self._lines(self._decoder.decode(b"", final=True) + "\n\n")

    def _lines(self, text: str) -> list[ServerEvent]:
        if self._after_return and text:
            text = text.removeprefix("\n")
        if text:
            self._after_return = text.endswith("\r")
        whole, end = text.replace("\r\n", "\n").replace("\r", "\n").rpartition("\n")[::2]
        if len(whole) + len(end) == len(text):  # no line ends within this part
            self._rest.append(text)
            return []
        lines = ("".join(self._rest) + whole).split("\n")
        self._rest = [end]
        return [event for line in lines if (event := self._line(line)) is not None]

    def _line(self, line: str) -> ServerEvent | None:
        if not line:
            event = ServerEvent(self._name, "\n".join(self._data)) if self._data else None
            self._name, self._data = "", []
            return event
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        return None
