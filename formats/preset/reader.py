"""`read_preset`: a file or value becomes a `PresetPackage`, with a report on what it will do here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from formats.decoding import Undecodable
from formats.json_file import FILE_SENTENCES, OtherFile, cleaned, size_of, value_of_bytes, value_of_text
from formats.lenient_json import BadJson, TooDeep
from formats.notes import Notes
from formats.preset.extensions import declared_in
from formats.preset.generation import read_generation
from formats.preset.holes import Holed, holes_lacking, tell_holes, with_holes
from formats.preset.kinds import OLD_TEXTS, Shape, body_of, kind_of_other, shape_of
from formats.preset.model import (
    HOLES,
    Generation,
    MessagePolicy,
    PresetPackage,
    PresetPrompt,
    ToolPolicy,
)
from formats.preset.native import read_native
from formats.preset.order import (
    GENERAL,
    FileOrder,
    Resolved,
    chosen_order,
    default_order,
    missing_core,
    orders_of,
    resolved,
)
from formats.preset.policies import read_message_policy, read_tool_policy
from formats.preset.prompts import first_by_identifier, read_prompts
from formats.preset.reading import Reading
from formats.preset.refusals import PresetError, other_file
from formats.preset.report import PresetImportReport, report_of
from formats.preset.secrets import without_secrets
from formats.preset.telling import Tally
from formats.preset.unsupported import unsupported_in

FILE_BYTES: Final = 10 * 1024 * 1024
MOST_PROMPTS: Final = 1_000
MOST_VALUES: Final = 500_000
DEPTH: Final = 64


def read_preset(
    raw: Mapping[str, Any] | str | bytes, *, id: str = "", name: str | None = None
) -> tuple[PresetPackage, PresetImportReport]:
    """Read a preset in any of its shapes. `raw` is not changed; the package's `raw` is without secrets.

    Raises:
        PresetError: with the reason as `code`; for `other-file`, `kind_of_file` says what the file is.
    """
    package, reading = read_file(raw, id=id, name=name)
    return package, report_of(package, reading)


def read_file(
    raw: Mapping[str, Any] | str | bytes, *, id: str = "", name: str | None = None
) -> tuple[PresetPackage, Reading]:
    """`read_preset` without the report, which can be made of these two at any time."""
    notes = Notes(FILE_SENTENCES)
    package, reading = read_value(_value(raw, notes), id=id, name=name)
    return package, replace(reading, findings=(*notes.findings(), *reading.findings))


def read_value(value: Any, *, id: str = "", name: str | None = None) -> tuple[PresetPackage, Reading]:
    """Read a JSON value that holds nothing but what can be stored; raises as `read_preset`."""
    shape = shape_of(value)
    if shape is None:
        kind = kind_of_other(value)
        raise other_file(kind) if kind else PresetError("not-a-preset")
    _refuse_masses(value)
    raw, secrets = without_secrets(value)
    tally = Tally()
    for path in secrets:
        tally.add("secrets-removed", path)
    if shape == "native":
        package, reading = read_native(raw, tally)
    else:
        package, reading = _read_sillytavern(raw, shape, tally)
    package = replace(package, id=id or package.id, name=_name(name, package, raw))
    return package, replace(reading, secrets=tuple(secrets), findings=tuple(tally.findings()))


def _value(raw: Mapping[str, Any] | str | bytes, notes: Notes) -> Any:
    try:
        if isinstance(raw, bytes):
            _refuse_size(len(raw))
            _refuse_empty(raw.strip())
            return value_of_bytes(raw, notes, DEPTH)
        if isinstance(raw, str):
            _refuse_size(len(raw.encode("utf-8", errors="replace")))
            _refuse_empty(raw.strip("\ufeff \r\n\t"))
            return value_of_text(raw, notes, DEPTH)
        return cleaned(raw, notes, DEPTH)
    except OtherFile as error:
        raise other_file(error.kind) from None
    except Undecodable:
        raise PresetError("unreadable-text") from None
    except (TooDeep, RecursionError):
        raise PresetError("too-deep", limit=DEPTH) from None
    except BadJson as error:
        raise PresetError("bad-json", line=error.line, column=error.column) from None


def _refuse_size(size: int) -> None:
    if size > FILE_BYTES:
        raise PresetError("too-large", size=size, limit=FILE_BYTES)


def _refuse_empty(content: str | bytes) -> None:
    if not content:
        raise PresetError("empty-file")


def _refuse_masses(value: Mapping[str, Any]) -> None:
    prompts = value["prompts"] if "prompts" in value else body_of(value).get("prompts")
    count = len(prompts) if isinstance(prompts, list) else 0
    # Our own form has the places beside them that reading put in.
    if count > MOST_PROMPTS + (len(HOLES) if "promptOrder" in value else 0):
        raise PresetError("too-many-prompts", "$.prompts", count=count, limit=MOST_PROMPTS)
    try:
        if size_of(value, DEPTH, MOST_VALUES) > MOST_VALUES:
            raise PresetError("too-many-values", limit=MOST_VALUES)
    except TooDeep:
        raise PresetError("too-deep", limit=DEPTH) from None


def _name(name: str | None, package: PresetPackage, raw: Mapping[str, Any]) -> str:
    given = (name, package.name, raw.get("name"), raw.get("preset_name"))
    return next((one for one in given if isinstance(one, str) and one.strip()), "")


@dataclass(frozen=True, slots=True)
class Ordered:
    """The prompts and order of a file, with its holes, and how they were found."""

    orders: tuple[FileOrder, ...]
    chosen: FileOrder | None
    resolved: Resolved
    holed: Holed


def read_body(body: Mapping[str, Any], path: str, tally: Tally) -> Ordered:
    """Prompts and order of the part of a file that has them; `path` leads to it (`data.`, or nothing)."""
    items = body.get("prompts")
    prompts = read_prompts(items if isinstance(items, list) else [], f"{path}prompts", tally)
    prompts = _with_old_texts(prompts, body, tally)
    by_identifier = first_by_identifier(prompts)
    orders = orders_of(body.get("prompt_order"), f"{path}prompt_order", tally)
    chosen = chosen_order(orders, by_identifier)
    if chosen is None:
        tally.add("order-missing", f"{path}prompt_order")
    order = chosen or default_order(by_identifier)
    for missing in holes_lacking(order, by_identifier):
        by_identifier[missing.id] = missing
        prompts.append(missing)
    found = resolved(order, by_identifier, tally)
    return Ordered(tuple(orders), chosen, found, with_holes(prompts, found.items))


def _with_old_texts(prompts: list[PresetPrompt], body: Mapping[str, Any], tally: Tally) -> list[PresetPrompt]:
    """Texts of very old presets go into the prompts they became, also where these are there already."""
    for field, identifier in OLD_TEXTS.items():
        content = body.get(field)
        if not isinstance(content, str) or not content:
            continue
        tally.add("old-texts", field, identifier)
        at = next((at for at, one in enumerate(prompts) if one.source_identifier == identifier), None)
        if at is None:
            prompts.append(
                PresetPrompt(
                    identifier, identifier, content, source_identifier=identifier, system_prompt=True
                )
            )
        else:
            prompts[at] = replace(prompts[at], content=content)
    return prompts


def _read_sillytavern(raw: Mapping[str, Any], shape: Shape, tally: Tally) -> tuple[PresetPackage, Reading]:
    body = body_of(raw)
    path = "data." if body is not raw else ""
    ordered = read_body(body, path, tally)
    _tell_order(ordered, path, tally)
    chosen, holed = ordered.chosen, ordered.holed
    settings = read_settings(body, tally)
    package = PresetPackage(
        id="",
        name="",
        source="native" if holed.native else "sillytavern",
        prompts=holed.prompts,
        prompt_order=holed.items,
        generation=settings.generation,
        unsupported=tuple(unsupported_in(raw, body, path, chosen)),
        message_policy=settings.message_policy,
        tool_policy=settings.tool_policy,
        declared_tools=tuple(declared_in(body, path)),
        order_character_id=chosen.character_id if chosen else None,
        raw=raw,
    )
    reading = Reading(
        shape=shape,
        other_orders=tuple(order.character_id for order in ordered.orders if order is not chosen),
        has_order=chosen is not None,
        dangling=ordered.resolved.dangling,
        missing_core=tuple(missing_core(chosen)) if chosen else (),
    )
    return package, reading


class Settings(NamedTuple):
    """What a file says beside its prompts."""

    generation: Generation
    message_policy: MessagePolicy | None
    tool_policy: ToolPolicy


def read_settings(body: Mapping[str, Any], tally: Tally) -> Settings:
    """The settings of the part of a file that has them."""
    return Settings(read_generation(body, tally), read_message_policy(body, tally), read_tool_policy(body))


def _tell_order(ordered: Ordered, path: str, tally: Tally) -> None:
    chosen, holed = ordered.chosen, ordered.holed
    where = chosen.path if chosen else f"{path}prompt_order"
    if chosen is not None:
        if chosen.character_id not in (None, GENERAL):
            tally.add("order-not-general", where, str(chosen.character_id))
        for identifier in missing_core(chosen):
            tally.add("core-missing", where, identifier)
    tell_holes(holed, where, tally)
