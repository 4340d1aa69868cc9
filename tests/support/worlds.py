"""Invented worlds: a small one, a rich Chinese one, one of many documents. Path to bytes, or on disk."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from worlds.rules.documents import (
    Band,
    Character,
    Command,
    Commands,
    Dispatch,
    Document,
    Exit,
    Faction,
    Item,
    Knowledge,
    Location,
    Lore,
    Member,
    Opening,
    Plotline,
    Portrait,
    Relationship,
    Relationships,
    Reveal,
    SetValues,
    Source,
    Speech,
    Stage,
    Stance,
    Trigger,
    Triggers,
    VariableDeclaration,
    Variables,
    WhenCommand,
    WhenEvent,
    WhenVariable,
    WorldFile,
    kind_of,
)
from worlds.rules.prompts import prompt_files
from worlds.rules.write import document_bytes, document_path

# The smallest picture that a browser shows: one transparent GIF pixel.
PIXEL = bytes.fromhex(
    "47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b"
)


def files_of(documents: Iterable[Document]) -> dict[str, bytes]:
    """Documents as the files of a world."""
    return {
        document_path(kind_of(document).name, str(getattr(document, "id", ""))): document_bytes(document)
        for document in documents
    }


def small_world() -> dict[str, bytes]:
    """One playable character in one place: the least in which a story can start with someone to play."""
    return files_of(
        [
            WorldFile(
                name="Saltmarsh",
                language="en",
                opening="The ferry bell rings twice. [PLAYER] is late.",
                starting_location="ferry-house",
                source=Source(kind="blank"),
            ),
            Character(id="ida", name="Ida Fenn", playable=True, starting_location="ferry-house"),
            Location(id="ferry-house", name="Ferry house"),
        ]
    )


def rich_world() -> dict[str, bytes]:
    """A Chinese world that uses every kind of document and every field that refers to another."""
    files = files_of([*_world_and_people(), *_places_and_things(), *_what_is_told(), *_mechanics()])
    files |= prompt_files("style", "用第三人称，克制而具体。")
    files |= prompt_files("standing", "每一次潮水涨落都要记下时辰。")
    return files | {
        "images/cover.gif": PIXEL,
        "images/portraits/沈青.gif": PIXEL,
        "images/library/map.gif": PIXEL,
    }


def _world_and_people() -> list[Document]:
    return [
        WorldFile(
            name="雾港",
            description="一座被雾和债务困住的港城。",
            tags=["港口", "悬疑"],
            author="无名氏",
            language="zh-hans",
            opening="雾笛响了三声，[PLAYER]踏上旧码头。",
            alternate_openings=[Opening(label="雨夜", text="雨把灯火打碎在水面上。")],
            cover="images/cover.gif",
            starting_location="旧码头",
            source=Source(kind="card", **{"name": "雾港", "sha256": "0" * 64}),
            created_at="2026-11-30T08:00:00Z",
            updated_at="2026-11-30T08:00:00Z",
        ),
        Character(
            id="沈青",
            name="沈青",
            aliases=["青姐"],
            playable=True,
            summary="替商会记账的女人。",
            goals=["找回父亲的航海日志"],
            speech=Speech(style="短句", examples=["账，总要有人算清。"]),
            starting_location="旧码头",
            knowledge=Knowledge(
                locations=["灯塔"], items=["铜钥匙"], exits=["码头-灯塔"], lore=["沉船"], characters=["老周"]
            ),
            secrets="她就是告密者。",
            portrait=Portrait(file="images/portraits/沈青.gif", original_name="picture.png"),
        ),
        Character(id="老周", name="老周", starting_location="灯塔"),
        Faction(
            id="商会",
            name="商会",
            members=[Member(character="沈青", role="账房")],
            relations=[Stance(faction="守灯人", stance="猜忌")],
            base="旧码头",
        ),
        Faction(id="守灯人", name="守灯人", members=[Member(character="老周", role="守灯人")]),
        Relationships(relationships=[Relationship(source="沈青", target="老周", type="旧识", mutual=True)]),
    ]


def _places_and_things() -> list[Document]:
    return [
        Location(id="港城", name="港城", kind="城"),
        Location(
            id="旧码头",
            name="旧码头",
            parent="港城",
            exits=[Exit(id="码头-灯塔", to="灯塔", name="栈道")],
            picture="images/library/map.gif",
        ),
        Location(id="灯塔", name="灯塔", parent="港城"),
        Item(id="铜钥匙", name="铜钥匙", held_by="老周"),
        Item(id="账本", name="账本", location="旧码头", portable=False),
    ]


def _what_is_told() -> list[Document]:
    return [
        Lore(
            id="沉船",
            title="沉船",
            type="event",
            text="十年前，青鸾号在雾里失踪。",
            keywords=["青鸾号"],
            scope="listed",
            known_by=["沈青", "守灯人"],
            valid_from=1012,
            valid_until=1012.5,
            about=["灯塔", "老周"],
        ),
        Lore(id="人物如何生成", title="人物如何生成", scope="listed", text="{{user}} 遇到的水手从名单里抽。"),
        Plotline(
            id="寻船",
            title="寻船",
            stages=[Stage(id="线索", title="线索", text="航海日志出现了。")],
            involves=["沈青", "灯塔", "商会"],
        ),
    ]


def _mechanics() -> list[Document]:
    return [
        Variables(
            variables=[
                VariableDeclaration(
                    key="trust",
                    label="信任",
                    scope="character",
                    applies_to=["老周"],
                    kind="number",
                    default=20,
                    min=0,
                    max=100,
                    step=5,
                    bands=[Band(up_to=30, label="疏远"), Band(up_to=100, label="亲近")],
                ),
                VariableDeclaration(key="fog", label="大雾", kind="flag", default=True),
                VariableDeclaration(
                    key="tide", label="潮水", kind="choice", options=["涨", "落"], default="涨"
                ),
            ]
        ),
        Commands(commands=[Command(name="招人", description="请来一个新人", marker="[招人]")]),
        Triggers(
            triggers=[
                Trigger(
                    id="新水手",
                    when=WhenCommand(command="招人"),
                    effect=Dispatch(dispatch="author", need="一个水手", draw=["哑巴", "逃兵"]),
                ),
                Trigger(
                    id="雾散",
                    when=WhenEvent(event="有人点亮了灯塔。"),
                    effect=SetValues(set={"fog": False, "tide": "落"}),
                    once=True,
                ),
                Trigger(
                    id="吐露",
                    when=WhenVariable(variable="trust", op=">=", value=80),
                    effect=Reveal(reveal=["沉船"]),
                    cooldown=3,
                ),
            ]
        ),
    ]


def world_of(count: int) -> dict[str, bytes]:
    """A world of `count` documents besides `world.json`, of every kind with a folder, all linked together."""
    documents: list[Document] = [
        WorldFile(name="Hundred Isles", language="en", opening="Land!", starting_location="isle-0")
    ]
    text = "The tide keeps what it takes, and says so every evening. " * 8
    for at in range(count):
        number, kind = divmod(at, 5)
        documents.append(
            [
                Location(
                    id=f"isle-{number}",
                    name=f"Isle {number}",
                    description=text,
                    exits=[Exit(id=f"boat-{number}", to=f"isle-{max(0, number - 1)}")],
                ),
                Character(
                    id=f"sailor-{number}",
                    name=f"Sailor {number}",
                    playable=number == 0,
                    description=text,
                    starting_location=f"isle-{number}",
                    knowledge=Knowledge(locations=[f"isle-{number // 2}"], exits=[f"boat-{number // 2}"]),
                ),
                Item(id=f"rope-{number}", name=f"Rope {number}", held_by=f"sailor-{number}"),
                Lore(id=f"tale-{number}", title=f"Tale {number}", text=text, about=[f"isle-{number}"]),
                Lore(
                    id=f"secret-{number}",
                    title=f"Secret {number}",
                    text=text,
                    scope="listed",
                    known_by=[f"sailor-{number // 2}"],
                ),
            ][kind]
        )
    return files_of(documents)


def write_world(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Put the files on disk below `folder`, which is made; returns it."""
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder
