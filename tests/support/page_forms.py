"""What a browser would send for a form of a page as it was served: read off the HTML, not off our classes."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any


class _Reader(HTMLParser):
    """The successful controls of the form with an id."""

    def __init__(self, form_id: str) -> None:
        super().__init__(convert_charrefs=True)
        self.form_id = form_id
        self.inside = False
        self.found: list[tuple[str, str]] = []
        self._text: tuple[str, list[str]] | None = None
        self._select: list[Any] | None = None  # name, chosen, first

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "form":
            self.inside = said.get("id") == self.form_id
        if not self.inside:
            return
        name, value = said.get("name") or "", said.get("value") or ""
        if tag == "input" and name:
            kind = said.get("type") or "text"
            if kind not in ("checkbox", "radio"):
                self.found.append((name, value if kind == "hidden" else value.replace("\n", "")))
            elif "checked" in said:
                self.found.append((name, value or "on"))
        elif tag == "textarea":
            self._text = (name, [])
        elif tag == "select":
            self._select = [name, None, None]
        elif tag == "option" and self._select:
            if self._select[2] is None:
                self._select[2] = value
            if "selected" in said:
                self._select[1] = value

    def handle_data(self, data: str) -> None:
        if self._text:
            self._text[1].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self._text:
            text = "".join(self._text[1]).removeprefix("\n")
            self.found.append((self._text[0], text.replace("\n", "\r\n")))
            self._text = None
        elif tag == "select" and self._select:
            name, chosen, first = self._select
            self.found.append((name, chosen if chosen is not None else first or ""))
            self._select = None
        elif tag == "form":
            self.inside = False


def sent_by(page: str, form_id: str) -> dict[str, list[str]]:
    """Names and values of the form, untouched."""
    reader = _Reader(form_id)
    reader.feed(page)
    data: dict[str, list[str]] = {}
    for name, value in reader.found:
        data.setdefault(name, []).append(value)
    assert data, f"there is no form {form_id}"
    return data
