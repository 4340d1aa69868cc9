"""Hypothesis strategies for documents and for worlds whose references often name nothing."""

import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic import JsonValue

from worlds.rules.documents import (
    KINDS,
    Character,
    Command,
    Commands,
    Document,
    Exit,
    Faction,
    Item,
    Knowledge,
    Location,
    Lore,
    Member,
    Part,
    Plotline,
    Relationship,
    Relationships,
    Reveal,
    SetValues,
    Stance,
    Trigger,
    Triggers,
    VariableDeclaration,
    Variables,
    WhenCommand,
    WhenVariable,
    WorldFile,
)

texts = st.text(st.characters(codec="utf-8"), max_size=12)
named = texts.filter(lambda text: text.strip())
numbers = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)

# Names that mean something to Python or Pydantic must be plain keys in a file.
_STRANGE_KEYS = st.sampled_from(
    [
        "schema_",
        "source",
        "target",
        "model_extra",
        "model_dump",
        "to_json",
        "__class__",
        "__dict__",
        "self",
        "",
    ]
)


def parts(model: type[Part]) -> st.SearchStrategy[dict[str, Any]]:
    """JSON objects that the model accepts, read off its fields; optional keys come and go, extra ones too."""
    required: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for name, field in model.model_fields.items():
        always = field.is_required() or name == "schema_"
        values = _annotated(field.annotation, tuple(field.metadata))
        (required if always else optional)[field.alias or name] = values
    known = {field.alias or name for name, field in model.model_fields.items()}
    extra = st.dictionaries(_STRANGE_KEYS | texts, json_values, max_size=2)
    return st.builds(
        lambda fields, more: fields | {key: value for key, value in more.items() if key not in known},
        st.fixed_dictionaries(required, optional=optional),
        extra,
    )


def documents(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """JSON objects of one kind of document."""
    return parts(KINDS[kind].model)


def _values(annotation: Any) -> st.SearchStrategy[Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:])
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (types.UnionType, Union):
        return st.one_of([_values(choice) for choice in arguments])
    if origin is list:
        return st.lists(_values(arguments[0]), max_size=3)
    if origin is dict:
        return st.dictionaries(texts, _values(arguments[1]), max_size=3)
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return parts(annotation)
    if annotation is JsonValue:
        return json_values
    simple = {str: texts, bool: st.booleans(), int: st.integers(), float: numbers, types.NoneType: st.none()}
    return simple[annotation]


def _annotated(inner: Any, metadata: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    names = {getattr(getattr(mark, "func", None), "__name__", "") for mark in metadata}
    if "_id_text" in names:
        return named
    if "_number" in names:
        return numbers
    if "_plain_value" in names:
        return st.booleans() | numbers | texts
    if any(getattr(mark, "ge", None) == 0 for mark in metadata):
        return st.integers(0, 10**6)
    return _values(inner)


IDS = ["a", "b", "c", "d", "ghost", "nobody"]
ids = st.sampled_from(IDS)
maybe = st.none() | ids
some = st.lists(ids, max_size=4)


def _by_id(documents: st.SearchStrategy[Document]) -> st.SearchStrategy[list[Document]]:
    return st.lists(documents, max_size=3, unique_by=lambda document: getattr(document, "id", ""))


@st.composite
def tangled_worlds(draw: st.DrawFn) -> list[Document]:
    """Documents whose references point anywhere: into the world, into nothing, in circles."""
    here = st.sampled_from(IDS[:4])
    drawn: list[Document] = [
        WorldFile(name="w", opening="o", starting_location=draw(maybe)),
        *draw(_by_id(st.builds(_location, here, maybe, some))),
        *draw(_by_id(st.builds(_character, here, maybe, some, some))),
        *draw(_by_id(st.builds(_faction, here, some, some, maybe))),
        *draw(_by_id(st.builds(_item, here, maybe))),
        *draw(_by_id(st.builds(_lore, here, some, some))),
        *draw(_by_id(st.builds(lambda id, all: Plotline(id=id, title=id, involves=all), here, some))),
        *draw(_mechanics()),
    ]
    pairs = draw(st.lists(st.tuples(ids, ids), max_size=4))
    edges = [Relationship(source=one, target=other) for one, other in pairs]
    return [*drawn, Relationships(relationships=edges)]


def _location(id: str, parent: str | None, to: list[str]) -> Location:
    exits = [Exit(id=f"{id}-{at}", to=other) for at, other in enumerate(to)]
    return Location(id=id, name=id, parent=parent, exits=exits)


def _character(id: str, start: str | None, known: list[str], ways: list[str]) -> Character:
    knowledge = Knowledge(
        locations=known, items=known, lore=known, characters=known, exits=[f"{way}-0" for way in ways]
    )
    return Character(id=id, name=id, starting_location=start, knowledge=knowledge)


def _faction(id: str, members: list[str], others: list[str], base: str | None) -> Faction:
    return Faction(
        id=id,
        name=id,
        members=[Member(character=member) for member in members],
        relations=[Stance(faction=other) for other in others],
        base=base,
    )


def _item(id: str, holder: str | None) -> Item:
    return Item(id=id, name=id, held_by=holder)


def _lore(id: str, known_by: list[str], about: list[str]) -> Lore:
    return Lore(id=id, title=id, scope="listed", known_by=known_by, about=about)


@st.composite
def _mechanics(draw: st.DrawFn) -> list[Document]:
    scopes: list[Literal["character", "location", "item"]] = ["character", "location", "item"]
    limited = st.sampled_from(scopes)
    variables = [
        VariableDeclaration(key=key, kind="flag", default=True, scope=draw(limited), applies_to=draw(some))
        for key in draw(st.lists(st.sampled_from(["a", "b"]), unique=True))
    ]
    whens = st.builds(lambda id: WhenCommand(command=id), ids) | st.builds(
        lambda id: WhenVariable(variable=id, op="==", value=True), ids
    )
    effects = st.builds(lambda all: SetValues(set=dict.fromkeys(all, True)), some) | st.builds(
        lambda all: Reveal(reveal=all), some
    )
    triggers = [
        Trigger(id=f"t{at}", when=when, effect=effect)
        for at, (when, effect) in enumerate(draw(st.lists(st.tuples(whens, effects), max_size=3)))
    ]
    commands = [Command(name=name) for name in draw(st.lists(st.sampled_from(["a", "b"]), unique=True))]
    return [Variables(variables=variables), Commands(commands=commands), Triggers(triggers=triggers)]
