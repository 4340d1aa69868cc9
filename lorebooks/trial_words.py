"""The words of the match tester: reasons with their keys marked, places, what lasts after a scan."""

from __future__ import annotations

import re
from typing import Final

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from formats.lorebook.model import Entry, Number
from formats.lorebook.simulator import DepthPlace, Reason, TimedEffect
from lorebooks.entry_form import TRIGGERS
from lorebooks.pipeline.entry_facts import storable
from portal.say import sentence

OUTCOMES: Final[dict[str, tuple[Promise, str]]] = {
    "in": (pgettext_lazy("lorebook entry in a test", "in"), "ok"),
    "cut": (pgettext_lazy("lorebook entry in a test", "cut"), "warn"),
    "not-run": (pgettext_lazy("lorebook entry in a test", "not run"), "warn"),
    "out": (pgettext_lazy("lorebook entry in a test", "out"), ""),
}
"""What became of an entry: the word and the colour of its tag."""

_HELD: Final = re.compile("\x02([a-z_]+)\x03")
_MARKED: Final = frozenset({"key", "found", "missing"})
_STRONG: Final = frozenset({"title"})
LONGEST_TITLE: Final = 120


def reason_words(reason: Reason) -> SafeString:
    """Why an entry is in or out, with its keys marked. What stands in the file stays text."""
    finding = reason.said("")
    texts = {name: storable(value) for name, value in finding.args.items() if isinstance(value, str)}
    held = {name: f"\x02{name}\x03" for name in texts}
    parts = _HELD.split(sentence(finding.message, {**finding.args, **held}))
    return format_html_join(
        "", "{}", ((_value(part, texts[part]) if number % 2 else part,) for number, part in enumerate(parts))
    )


def _value(name: str, text: str) -> SafeString | str:
    if name in _MARKED:
        return format_html("<mark>{}</mark>", text)
    if name in _STRONG:
        return format_html("<strong>{}</strong>", text)
    if name in ("trigger", "wanted"):
        words = dict(TRIGGERS)
        return "“{}”".format("”, “".join(str(words.get(one, one)) for one in text.split(", ")))
    return text


def title_of(entry: Entry) -> str:
    """What people call an entry, short enough for a row."""
    title = storable(" ".join((entry.comment or ", ".join(entry.keys)).split()))
    if not title:
        return _("Entry %(key)s") % {"key": storable(entry.source.key)}
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"


def depth_words(place: DepthPlace, messages: int) -> str:
    """Where between the messages entries of one depth stand."""
    depth = number_words(place.depth)
    if place.index >= messages:
        return _("After the last message (depth %(depth)s)") % {"depth": depth}
    return _("Before message %(number)s (depth %(depth)s)") % {"number": place.index + 1, "depth": depth}


def number_words(number: Number) -> str:
    """A number of a file without a needless point."""
    return str(int(number)) if number == int(number) else str(number)


def effect_words(effect: TimedEffect, title: str, length: int) -> SafeString:
    """What an effect does in the messages after the tested one."""
    name = format_html("<strong>{}</strong>", title)
    rests = effect.kind == "cooldown"
    if effect.end is None:
        text = _("{title} does not come again.") if rests else _("{title} stays from now on.")
        return format_html(text, title=name)
    left = max(int(effect.end - length), 0)
    if rests:
        text = ngettext("{title} rests for {n} message.", "{title} rests for {n} messages.", left)
    else:
        text = ngettext("{title} stays for {n} more message.", "{title} stays for {n} more messages.", left)
    return format_html(text, title=name, n=left)
