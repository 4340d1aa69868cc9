"""What the models of documents say about their fields, in the words a form needs."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from worlds.rules.documents import Part, trait


@dataclass(frozen=True, slots=True)
class Shape:
    """What the annotation of a model field says, with unions and lists unwrapped."""

    many: bool = False
    optional: bool = False
    parts: tuple[type[Part], ...] = ()
    choices: tuple[str, ...] = ()
    mapping: bool = False


def shape_of(annotation: Any) -> Shape:
    """Read an annotation: `list[Exit]`, `str | None`, `Literal[...]`, a tagged union of parts, `dict`."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return shape_of(args[0])
    if origin is list:
        return replace(shape_of(args[0]), many=True)
    if origin in (Union, types.UnionType):
        return _union([shape_of(arg) for arg in args if arg is not type(None)], optional=type(None) in args)
    if origin is Literal:
        return Shape(choices=tuple(str(value) for value in args))
    is_part = isinstance(annotation, type) and issubclass(annotation, Part)
    return Shape(mapping=origin is dict, parts=(annotation,) if is_part else ())


def _union(shapes: list[Shape], *, optional: bool) -> Shape:
    return Shape(
        many=any(shape.many for shape in shapes),
        optional=optional,
        parts=tuple(part for shape in shapes for part in shape.parts),
        choices=tuple(choice for shape in shapes for choice in shape.choices),
        mapping=any(shape.mapping for shape in shapes),
    )


def key_of(name: str, info: FieldInfo) -> str:
    """The key of a field in the file."""
    return info.alias or name


def mark_of(part: type[Part]) -> str:
    """The key that marks a shape of a union: its first field."""
    name, info = next(iter(part.model_fields.items()))
    return key_of(name, info)


def constant_of(info: FieldInfo, shape: Shape) -> str | None:
    """The only value a required code may have; nobody needs to be asked for it."""
    return shape.choices[0] if len(shape.choices) == 1 and info.is_required() else None


def default_of(info: FieldInfo) -> Any:
    default = info.get_default(call_default_factory=True)
    return None if default is PydanticUndefined else default


def need_not_be_written(value: Any, info: FieldInfo) -> bool:
    """Whether a value need not be written where the key was not there before."""
    default = default_of(info)
    if info.is_required() or isinstance(default, Part):
        return not says_something(value)
    return type(value) is type(default) and value == default


def has_required(part: type[Part], value: Mapping[str, Any]) -> bool:
    return any(
        says_something(value.get(key_of(name, info)))
        for name, info in part.model_fields.items()
        if info.is_required()
    )


def says_something(value: Any) -> bool:
    return value is not False and value not in (None, "", [], {})


def has_long_lines(info: FieldInfo, stored: Any) -> bool:
    """A list of texts of which one has several lines cannot be edited one text a line."""
    return trait(info, "widget") == "lines" and any("\n" in str(text) for text in stored or ())
