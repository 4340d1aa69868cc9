"""What a browser sends when nobody touches a form: the values it shows, as their fields can hold them."""

from __future__ import annotations

from django import forms
from django.http import QueryDict


def untouched(form: forms.Form) -> QueryDict:
    """The form's data as a browser would send it back."""
    data = QueryDict(mutable=True)
    for bound in form:
        widget, value = bound.field.widget, bound.value()
        if isinstance(widget, forms.CheckboxSelectMultiple):
            data.setlist(bound.html_name, [str(key) for key in value or ()])
        elif isinstance(widget, forms.CheckboxInput):
            if value:
                data[bound.html_name] = "on"
        elif isinstance(widget, forms.Select | forms.RadioSelect):
            options = [str(key) for key, _label in bound.field.choices]  # type: ignore[attr-defined]
            shown = "" if value is None else str(value)
            data[bound.html_name] = shown if shown in options else options[0]
        elif isinstance(widget, forms.Textarea):
            text = "" if value is None else str(value)
            data[bound.html_name] = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
        else:
            text = "" if value is None else str(value)
            data[bound.html_name] = text.replace("\r", "").replace("\n", "")
    return data
