"""Forms made from the models of documents: one mechanism for every kind, nested parts included.

A model becomes a tree of nodes (a field, a group, repeatable rows, a choice of shapes) over flat field names
such as `speech.style` or `exits.0.to`. Everything works without scripts: a row is added by a button that
sends the form back with one row more, and removed by a checkbox.

`value()` puts what was typed over the stored document: keys the form does not show are kept, and a key that
was never written stays unwritten while it holds its default. The world's own reader judges the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.forms.utils import ErrorDict
from django.http import QueryDict
from django.utils.translation import gettext as _
from pydantic.fields import FieldInfo

from formats.finding import Finding
from portal.say import said, sentence
from worlds.leaves import NameField, References, ValueField, leaf_for, plain
from worlds.rules.documents import Part, trait
from worlds.shapes import (
    Shape,
    constant_of,
    default_of,
    has_long_lines,
    has_required,
    key_of,
    mark_of,
    need_not_be_written,
    says_something,
    shape_of,
)
from worlds.words import shape_word

MAX_ROWS = 500
# Ids that the actions make from names where they are left out (`actions.naming`).
MADE_BY_ITSELF = ("id", "key")


@dataclass(slots=True)
class Node:
    """A place in the form: what the templates draw. `template` names the part that draws it."""

    name: str
    form: DocumentForm
    title: str = ""
    help: str = ""
    template: str = "worlds/parts/leaf.html"
    nodes: list[Node] = field(default_factory=list)
    mark: str = ""
    opened: bool = True

    @property
    def bound(self) -> forms.BoundField:
        """The field of a leaf."""
        return self.form[self.name]

    @property
    def remove(self) -> forms.BoundField:
        """The checkbox that removes a row."""
        return self.form[f"{self.name}.remove"]

    @property
    def count(self) -> forms.BoundField:
        """The hidden number of rows."""
        return self.form[f"{self.name}.rows"]

    @property
    def shape(self) -> forms.BoundField:
        """The radio buttons that choose between shapes."""
        return self.form[f"{self.name}.shape"]


class DocumentForm(forms.Form):
    """The form of one document or list entry.

    `stored` is the JSON as the file has it. With `data` the form is what a person sent; `more` names the
    rows that get one more, and then nothing is judged yet. `only` names the fields to show; all by default.
    """

    def __init__(
        self,
        model: type[Part],
        stored: Mapping[str, Any],
        references: References,
        *,
        data: QueryDict | None = None,
        more: str = "",
        only: Collection[str] | None = None,
    ) -> None:
        if data is not None and more:
            data = data.copy()
            data[f"{more}.rows"] = str(_count(data.get(f"{more}.rows")) + 1)
        super().__init__(data)
        self.model, self.stored, self.references = model, dict(stored), references
        self.places: dict[str, str] = {}
        self._only = only
        self._plans: dict[str, tuple[FieldInfo, Shape]] = {}
        self.nodes = list(self._part(model, self.stored, ""))
        if more:
            self._errors = ErrorDict()

    # --- from the model to fields -----------------------------------------------------------------

    def _part(self, model: type[Part], stored: Any, prefix: str) -> Iterator[Node]:
        for name, info in model.model_fields.items():
            key, shape = key_of(name, info), shape_of(info.annotation)
            if trait(info, "widget") in (None, "fixed", "map") or self._left_out(prefix, key):
                continue
            self._plans[f"{prefix}{key}"] = (info, shape)
            if constant_of(info, shape) is None:
                value = stored.get(key) if isinstance(stored, dict) else None
                yield self._node(info, shape, value, f"{prefix}{key}")

    def _left_out(self, prefix: str, key: str) -> bool:
        return not prefix and self._only is not None and key not in self._only

    def _node(self, info: FieldInfo, shape: Shape, stored: Any, name: str) -> Node:
        node = Node(name, self, sentence(info.title or "", {}), sentence(info.description or "", {}))
        node.opened = bool(stored) or self.is_bound
        if shape.mapping:
            self._as_pairs(node, info, stored)
        elif len(shape.parts) > 1:
            self._as_shapes(node, shape, stored)
        elif shape.parts and shape.many:
            self._as_rows(node, stored, lambda prefix, value: self._part(shape.parts[0], value, prefix))
        elif shape.parts:
            node.template = "worlds/parts/group.html"
            node.nodes = list(self._part(shape.parts[0], stored, f"{name}."))
        elif has_long_lines(info, stored):
            self._as_rows(node, stored, self._text_row)
        else:
            leaf = self._leaf(info, shape, stored if stored is not None else default_of(info))
            if name.rpartition(".")[2] in MADE_BY_ITSELF:
                leaf.help_text = _("Left empty, it is made by itself.")
            self.fields[name] = leaf
        return node

    def _leaf(self, info: FieldInfo, shape: Shape, stored: Any) -> forms.Field:
        return leaf_for(
            info,
            stored=stored,
            many=shape.many,
            optional=shape.optional,
            choices=shape.choices,
            references=self.references,
            typed=self.is_bound,
        )

    def _as_rows(self, node: Node, stored: Any, row: Callable[[str, Any], Iterable[Node]]) -> None:
        """Rows that can be added to and removed; `row` makes the nodes of one from its name and value."""
        values = list(stored) if isinstance(stored, list) else []
        count = _count(self.data.get(f"{node.name}.rows")) if self.is_bound else len(values)
        self.fields[f"{node.name}.rows"] = forms.IntegerField(
            widget=forms.HiddenInput, initial=count, required=False
        )
        node.template = "worlds/parts/rows.html"
        for i in range(count):
            name = f"{node.name}.{i}"
            nodes = list(row(f"{name}.", values[i] if i < len(values) else None))
            self.fields[f"{name}.remove"] = forms.BooleanField(required=False, label=_("Remove"))
            node.nodes.append(Node(name, self, nodes=nodes, template="worlds/parts/row.html"))

    def _text_row(self, prefix: str, stored: Any) -> Iterator[Node]:
        """A text of several lines in a list: one text area a row."""
        area = forms.Textarea(attrs={"rows": 3, "class": "grow"})
        self.fields[f"{prefix}text"] = forms.CharField(
            label=_("Text"), required=False, strip=False, initial=stored or "", widget=area
        )
        yield Node(f"{prefix}text", self)

    def _as_pairs(self, node: Node, info: FieldInfo, stored: Any) -> None:
        """A map as rows of key and value."""

        def row(prefix: str, pair: Any) -> Iterator[Node]:
            key, value = pair or ("", None)
            self.fields[f"{prefix}key"] = self._leaf(info, Shape(), key)
            self.fields[f"{prefix}value"] = ValueField(
                label=_("New value"), required=False, initial=value, typed=self.is_bound
            )
            yield Node(f"{prefix}key", self)
            yield Node(f"{prefix}value", self)

        self._as_rows(node, list(stored.items()) if isinstance(stored, dict) else [], row)

    def _as_shapes(self, node: Node, shape: Shape, stored: Any) -> None:
        """A choice between shapes: radio buttons, and the fields of each below."""
        marks = {mark_of(part): part for part in shape.parts}
        present = next((mark for mark in marks if isinstance(stored, dict) and mark in stored), "")
        self.fields[f"{node.name}.shape"] = forms.ChoiceField(
            label=node.title,
            choices=[(mark, shape_word(mark)) for mark in marks],
            widget=forms.RadioSelect,
            initial=present or next(iter(marks)),
        )
        node.template = "worlds/parts/shapes.html"
        for mark, part in marks.items():
            nodes = list(self._part(part, stored if mark == present else None, f"{node.name}.{mark}."))
            node.nodes.append(Node(f"{node.name}.{mark}", self, shape_word(mark), nodes=nodes, mark=mark))

    @property
    def suggestions(self) -> list[tuple[str, Sequence[tuple[str, str]]]]:
        """The lists of suggestions that fields with very many choices point to: HTML id and options."""
        lists = dict(field.suggestions for field in self.fields.values() if isinstance(field, NameField))
        return list(lists.items())

    # --- from what was sent to JSON ---------------------------------------------------------------

    def value(self) -> dict[str, Any]:
        """The document as it would be stored. Call it on a valid form only."""
        self.places = {}
        return self._read_part(self.model, self.stored, "", "")

    def accept(self, findings: Sequence[Finding], root: str) -> bool:
        """Put the errors the reader found to the fields they speak of; True when there were none.

        `root` is the beginning of `Finding.where` that leads to this form: `characters/lina.json: ` or
        `triggers.json: triggers[3].`. An error without a field of its own stands above the form.
        """
        for finding in findings:
            if finding.severity == "error":
                self.add_error(self._field_at(finding.where.removeprefix(root)), said(finding))
        return not self.errors

    def _field_at(self, path: str) -> str | None:
        while path:
            if self.places.get(path) in self.fields:
                return self.places[path]
            path = re.sub(r"(\.?[^.\[]+|\[\d+\])$", "", path)
        return None

    def _read_part(self, model: type[Part], stored: Any, prefix: str, path: str) -> dict[str, Any]:
        result: dict[str, Any] = dict(stored) if isinstance(stored, dict) else {}
        for name, info in model.model_fields.items():
            key = key_of(name, info)
            if f"{prefix}{key}" in self._plans:
                new = self._read_field(f"{prefix}{key}", result.get(key), f"{path}{key}")
                if key in result or not need_not_be_written(new, info):
                    result[key] = new
        return result

    def _read_field(self, name: str, stored: Any, path: str) -> Any:
        info, shape = self._plans[name]
        self.places[path] = name
        if shape.mapping:
            return dict(self._read_pairs(name))
        if len(shape.parts) > 1:
            return self._read_shape(shape, name, stored, path)
        if shape.parts and shape.many:
            return list(self._read_rows(shape.parts[0], name, stored, path))
        if shape.parts:
            value = self._read_part(shape.parts[0], stored, f"{name}.", f"{path}.")
            return None if shape.optional and not has_required(shape.parts[0], value) else value
        return self._read_leaf(info, shape, name, stored)

    def _read_leaf(self, info: FieldInfo, shape: Shape, name: str, stored: Any) -> Any:
        constant = constant_of(info, shape)
        if constant is not None:
            return constant
        if f"{name}.rows" in self.fields:
            texts = list(self._read_texts(name))
            return stored if texts == [plain(text) for text in stored or () if text.strip()] else texts
        leaf: Any = self.fields[name]
        new = leaf.to_json(self.cleaned_data[name], stored)
        if new is not None or shape.optional:
            return new
        # Nothing chosen is the default; where there is none, the reader says what it needs.
        return "" if info.is_required() else default_of(info)

    def _row_numbers(self, name: str) -> Iterator[int]:
        for i in range(_count(self.data.get(f"{name}.rows"))):
            if not self.cleaned_data.get(f"{name}.{i}.remove"):
                yield i

    def _read_rows(self, part: type[Part], name: str, stored: Any, path: str) -> Iterator[dict[str, Any]]:
        values = stored if isinstance(stored, list) else []
        place = 0
        for i in self._row_numbers(name):
            before = values[i] if i < len(values) else None
            row = self._read_part(part, before, f"{name}.{i}.", f"{path}[{place}].")
            if row == before or any(says_something(value) for value in row.values()):
                self.places[f"{path}[{place}]"] = f"{name}.{i}.{mark_of(part)}"
                place += 1
                yield row

    def _read_texts(self, name: str) -> Iterator[str]:
        for i in self._row_numbers(name):
            text = plain(self.cleaned_data[f"{name}.{i}.text"])
            if text.strip():
                yield text

    def _read_pairs(self, name: str) -> Iterator[tuple[str, Any]]:
        for i in self._row_numbers(name):
            key_leaf: Any = self.fields[f"{name}.{i}.key"]
            value_leaf: Any = self.fields[f"{name}.{i}.value"]
            key = key_leaf.to_json(self.cleaned_data[f"{name}.{i}.key"], None)
            if key:
                yield key, value_leaf.to_json(self.cleaned_data[f"{name}.{i}.value"], None)

    def _read_shape(self, shape: Shape, name: str, stored: Any, path: str) -> dict[str, Any]:
        marks = {mark_of(part): part for part in shape.parts}
        mark = self.cleaned_data[f"{name}.shape"] or next(iter(marks))
        before = stored if isinstance(stored, dict) and mark in stored else None
        value = self._read_part(marks[mark], before, f"{name}.{mark}.", f"{path}.")
        # The key that marks the shape is always written, so that the reader can say what it lacks.
        return value if mark in value else {mark: self._empty(f"{name}.{mark}.{mark}"), **value}

    def _empty(self, name: str) -> Any:
        _info, shape = self._plans[name]
        return {} if shape.mapping else [] if shape.many else ""


def _count(sent: Any) -> int:
    """A number of rows as a form sent it; 0 for anything else, never more than `MAX_ROWS`."""
    text = str(sent or "")
    return min(int(text), MAX_ROWS) if text.isascii() and text.isdigit() and len(text) < 6 else 0
