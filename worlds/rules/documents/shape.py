"""What every document shares: strictness, kept unknown keys, and how a field describes itself to a page.

Types are strict (nothing is turned into something else), and a key that a model does not name is kept for
writing back and can be listed as unread. A field carries its title, its help and a *widget*, so that forms,
the source of references and the assistant's schema are all read from the one model.

Widgets: `text` (one line), `long` (many lines), `lines` (a list, one a line), `number`, `flag`, `choice`,
`value` (true or false, a number or text), `image` (a path below `images/`), `ref:<kinds joined by |>` (an id
or a list of ids), `part` and `parts` (nested fields), `map` (free keys), `fixed` (not edited).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, get_args

from pydantic import BaseModel, ConfigDict, Field, PlainValidator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from formats.messages import gettext_noop as _


def shown(title: str, help: str = "", widget: str = "text", **extra: str | bool) -> Any:
    """Describe a field to a page: `title` and `help` are marked English."""
    return Field(title=title, description=help or None, json_schema_extra={"widget": widget, **extra})


def trait(field: FieldInfo, name: str) -> Any:
    """One of the extras of a field (`widget`, `emptied`), or None."""
    extra = field.json_schema_extra
    return extra.get(name) if isinstance(extra, dict) else None


def holds_parts(field: FieldInfo) -> bool:
    """True where the field's values are, or list, objects with fields of their own."""
    return _mentions_part(field.annotation)


def _mentions_part(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return True
    return any(_mentions_part(inner) for inner in get_args(annotation))


class Part(BaseModel):
    """An object inside a document. Frozen: a change makes a new one (`model_copy`)."""

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
    )

    open_ended: ClassVar[bool] = False
    """True where further keys belong to the shape and are not reported as unread."""

    def to_json(self) -> dict[str, Any]:
        """JSON with keys in declared order, unknown keys last; what was never set is not written.

        Raises:
            ValueError: a field holds another type than it declares, by a careless `model_copy`.
        """
        return self.model_dump(mode="python", by_alias=True, exclude_unset=True, warnings="error")


class Document(Part):
    """A file of a world. Each kind has its own `schema`, which it declares first."""

    schema_: str

    def to_json(self) -> dict[str, Any]:
        """As `Part.to_json`, with `schema` always first."""
        return {"schema": self.schema_} | super().to_json()

    @classmethod
    def schema_of(cls) -> str:
        """The `schema` of the kind, such as `roleplay-character/v1`."""
        return str(cls.model_fields["schema_"].default)


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("number_type", "a number")
    if value != value or value in (float("inf"), float("-inf")):
        raise PydanticCustomError("finite_number", "a finite number")
    return value


def _plain_value(value: object) -> object:
    return value if isinstance(value, str | bool) else _number_or_text(value)


def _number_or_text(value: object) -> object:
    if not isinstance(value, int | float):
        raise PydanticCustomError("plain_value_type", "true, false, a number or text")
    return _number(value)


def _id_text(value: object) -> object:
    if not isinstance(value, str):
        raise PydanticCustomError("string_type", "text")
    if not value.strip():
        raise PydanticCustomError("blank_text", "text that is not empty")
    return value


Number = Annotated[int | float, PlainValidator(_number, json_schema_input_type=int | float)]
"""A whole or decimal number exactly as written; never a flag."""

PlainValue = Annotated[
    bool | int | float | str, PlainValidator(_plain_value, json_schema_input_type=bool | int | float | str)
]
"""What a tracked variable may hold."""

Named = Annotated[str, PlainValidator(_id_text, json_schema_input_type=str)]
"""Text that must not be blank: ids, names, titles, keys."""

SCHEMA = Field(alias="schema", exclude=True, title=_("Schema"), json_schema_extra={"widget": "fixed"})
ID = shown(_("Id"), _("Names the file. Made from the name; other documents point to it."), "fixed")
NAME = shown(_("Name"))
TITLE = shown(_("Title"))
ALIASES = shown(_("Other names"), _("Nicknames and short forms, one a line."), "lines")
SUMMARY = shown(_("Summary"), _("One sentence."))
DESCRIPTION = shown(_("Description"), "", "long")
SECRETS = shown(_("Secrets"), _("Only the game master reads this."), "long")
TAGS = shown(_("Tags"), _("One a line."), "lines")
