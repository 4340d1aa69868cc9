"""The rows of the list as HTML. Written here and not by a template: a list of 1,000 has to open at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from presets.prompt_list import ListChange, PromptList, Row
from presets.prompt_words import ROLE_WORDS, TAGS


@dataclass(frozen=True)
class Rows:
    """The rows of a list: `entries` is the address of the list, `here` the key of the prompt that is open.

    `editable` gives every row its switch, `movable` its handle; `block` puts the rows of the history into it.
    """

    listed: PromptList
    entries: str
    here: str = ""
    editable: bool = False
    movable: bool = False
    block: bool = True

    @property
    def line(self) -> SafeString:
        """The rows of the order, with those of the history inside it."""
        return self._all(self.listed.line)

    @property
    def inside(self) -> SafeString:
        """The rows of the history alone, where others are left out."""
        return self._all(self.listed.inside)

    @property
    def unused(self) -> SafeString:
        """The rows of what is in no order."""
        return self._all(self.listed.unused)

    def moved(self, change: ListChange) -> list[tuple[str, str, SafeString]]:
        """What came or moved: its key, where it is put as htmx says it, its row."""
        places = (f"afterend:#p-{one.after}" if one.after else "" for one in change.moved)
        return [
            (one.row.key, place or f"afterbegin:#{one.row.part}", self.row(one.row))
            for one, place in zip(change.moved, places, strict=True)
        ]

    def changed(self, change: ListChange) -> list[SafeString]:
        """The rows that take the place of themselves."""
        return [self.row(row, oob=True) for row in change.changed]

    def row(self, row: Row, *, oob: bool = False) -> SafeString:
        """One row."""
        key, name = row.key, escape(row.name) or "—"
        look = " ".join(word for word, there in (("heads", row.heads), ("is-off", not row.on)) if there)
        head = f'<li id="p-{key}"' + (f' class="{look}"' if look else "")
        head += ' hx-swap-oob="true"><div>' if oob else "><div>"
        grip = self._grip.format(key=key) if self.movable and row.part != "unused" else ""
        current = ' aria-current="true"' if key == self.here else ""
        link = f'<a href="{self._entries}{key}/"{current}><bdi>{name}</bdi></a>'
        facts = f"<small>{self._roles[row.role]}</small>"
        if not row.is_hole:
            facts += f"<small>{row.tokens}</small>"
        if row.depth is not None:
            facts += f'<span class="tag">{self._depth} {row.depth}</span>'
        facts += self._tags.get(row.code, "")
        switch = self._switches[(self.editable, row.on)].format(key=key)
        inside = self._history if row.is_history and self.block else ""
        # Keys are hexadecimal, the name is escaped above, the rest is ours.
        return SafeString(f"{head}{grip}{switch}{link}{facts}</div>{inside}</li>")

    def _all(self, rows: Iterable[Row]) -> SafeString:
        return SafeString("".join(self.row(row) for row in rows))

    @cached_property
    def _entries(self) -> str:
        return escape(self.entries)

    @cached_property
    def _grip(self) -> str:
        label = escape(pgettext("prompt", "Move: drag it, or press the arrow keys"))
        return f'<button name="move" value="{{key}}" aria-label="{label}">⠿</button>'

    @cached_property
    def _switches(self) -> dict[tuple[bool, bool], str]:
        label, on, off = pgettext("prompt", "On"), pgettext("prompt", "on"), pgettext("prompt", "off")
        button = '<button role="switch" name="{}" value="{{key}}" aria-checked="{}" aria-label="{}"></button>'
        return {
            (True, True): button.format("off", "true", escape(label)),
            (True, False): button.format("on", "false", escape(label)),
            (False, True): f"<small>{escape(on)}</small>",
            (False, False): f"<small>{escape(off)}</small>",
        }

    @cached_property
    def _roles(self) -> dict[str, str]:
        return {role: escape(str(word)) for role, word in ROLE_WORDS.items()}

    @cached_property
    def _tags(self) -> dict[str, str]:
        return {
            code: f'<span class="tag {colour}">{escape(str(word))}</span>'
            for code, (word, colour) in TAGS.items()
        }

    @cached_property
    def _depth(self) -> str:
        return escape(pgettext("prompt", "depth"))

    @cached_property
    def _history(self) -> SafeString:
        return format_html(
            '<div class="history"><p class="muted">{}</p>'
            '<ol id="inside" class="prompts" data-rows data-empty="{}">{}</ol></div>',
            _("The conversation so far. Prompts in it, from the oldest place to the newest message:"),
            _("None. A prompt comes in here by its place “in the history”."),
            self.inside,
        )
