"""The days of which the usage of models is shown."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from portal.endpoints.usage import Span

SHOWN_DAYS: Final = 30
OLDEST: Final = date(2020, 1, 1)


def _day(label: Any) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, input_formats=["%Y-%m-%d"], widget=widget)


class SpanForm(forms.Form):
    """Two days; where one is not said, the last thirty up to the other one or today."""

    first = _day(pgettext_lazy("first day", "From"))
    last = _day(pgettext_lazy("last day", "To"))

    def clean(self) -> dict[str, Any]:
        """Days without any calls, long ago or to come, are let go without a word."""
        values = super().clean() or self.cleaned_data
        if self.errors:
            return values
        today = timezone.localdate()
        last = min(max(values.get("last") or today, OLDEST), today)
        first = max(values.get("first") or last - timedelta(days=SHOWN_DAYS - 1), OLDEST)
        if first > last:
            self.add_error("first", _("This day comes after the last one."))
        values["span"] = Span(first, last)
        return values

    def span(self) -> Span:
        """The days asked for; the usual ones where these cannot be."""
        return self.cleaned_data["span"] if self.is_valid() else Span.of_days(SHOWN_DAYS)


def span_form(said: Any) -> SpanForm:
    """The form as asked in an address, its fields filled with what is shown where nothing was asked."""
    if said.get("first") or said.get("last"):
        return SpanForm({"first": said.get("first", ""), "last": said.get("last", "")})
    span = Span.of_days(SHOWN_DAYS)
    return SpanForm({"first": span.first.isoformat(), "last": span.last.isoformat()})
