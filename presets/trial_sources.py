"""What a trial can be filled with at once: an invented scene in two languages, or a world of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from portal.models import Person
from presets.index import storable
from presets.pipeline.trial import InsertText, TrialInputs, Turn
from worlds.access import world_for
from worlds.queries import folder_of
from worlds.rules.documents import Character
from worlds.rules.load import LoadedWorld, load_world

MOST_PEOPLE: Final = 6
MOST_LORE: Final = 60
LONGEST: Final = 120_000
"""Characters of all texts that are taken of a world."""

ENGLISH: Final = TrialInputs(
    char="Letters from the Fog",
    user="Robin",
    persona="Robin, a newcomer to the harbour, curious and a little too brave.",
    world_before=(
        InsertText(title="The harbour", text="A town of stone quays. Fog comes in with every evening tide."),
        InsertText(title="Marek, the postman", text="Old, exact, afraid of nothing but an unread letter."),
    ),
    story=(
        "## assistant\n"
        "The last ferry has gone. Under the lamp stands Marek, the postman, with a letter that has no "
        "sender. “You are late,” he says, “and it is getting thick.”\n"
        "## user\n"
        "I ask him who the letter is for.\n"
        "## assistant\n"
        "He turns the envelope over. “For whoever asks,” he says, and the lamps go out one by one."
    ),
    current_turn="I take the letter and follow the postman into the fog.",
)
CHINESE: Final = TrialInputs(
    char="雾都来信",
    user="阿宁",
    persona="阿宁，刚到港城不久，好奇，胆子比别人大一点。",
    world_before=(
        InsertText(title="港城", text="石砌的码头，每天傍晚随潮水起雾。"),
        InsertText(title="邮差老陈", text="年纪大了，做事一丝不苟，只怕有信没人读。"),
    ),
    story=(
        "## 助手\n"
        "末班渡船已经走了。路灯下站着邮差老陈，手里有一封没写寄信人的信。“你来晚了，”他说，“雾要浓了。”\n"
        "## 用户\n"
        "我问他信是给谁的。\n"
        "## 助手\n"
        "他把信封翻过来看了看。“谁问，就是给谁的。”话音未落，路灯一盏一盏灭了。"
    ),
    current_turn="我接过信，跟着邮差走进雾里。",
)


def sample_inputs(language: str) -> TrialInputs:
    """The scene in the reader's language."""
    return CHINESE if language.startswith("zh") else ENGLISH


def inputs_of_world(person: Person, world_id: str) -> TrialInputs:
    """A scene of a world the person may read: its opening, who plays, its people, lore and prompts.

    `{{char}}` is the name of the work (PRE-16). Texts keep the mark for whoever plays, so that they follow
    the name on the page. Raises `not-found`.
    """
    world = world_for(person, world_id)
    folder = folder_of(world)
    loaded = folder.consistently(lambda: load_world(folder.path))
    players = [one for one in loaded.characters.values() if one.playable]
    player = players[0] if players else None
    name = storable(player.name)[:300] if player else ""
    info = loaded.world
    opening = _told(info.opening) if info else ""
    texts = [(title[:300], _told(text)) for title, text in _texts(loaded, player)]
    return TrialInputs(
        char=storable(info.name if info else world.name)[:300],
        user=name,
        persona=_told(_described(player) if player else _prompt(loaded, "persona")),
        world_before=tuple(_bounded(texts)),
        post_turn=tuple(_bounded([("", _told(_prompt(loaded, "standing")))])),
        history=(Turn(role="assistant", content=opening),) if opening else (),
    )


def _told(text: str) -> str:
    return storable(text).strip()


def _texts(loaded: LoadedWorld, player: Character | None) -> Iterator[tuple[str, str]]:
    yield "", _prompt(loaded, "style")
    others = [one for one in loaded.characters.values() if one is not player]
    for one in others[:MOST_PEOPLE]:
        yield one.name, _described(one)
    for lore in list(loaded.lore.values())[:MOST_LORE]:
        yield lore.title, lore.text or lore.summary


def _described(character: Character) -> str:
    parts = (
        character.description or character.summary,
        character.appearance,
        character.personality,
        character.background,
    )
    return "\n".join(part for part in parts if part)


def _prompt(loaded: LoadedWorld, name: str) -> str:
    """A prompt of the world in its own language, else in any."""
    language = loaded.world.language.lower() if loaded.world else ""
    found = {lang: text for (lang, called), text in loaded.prompts.items() if called == name}
    return found.get(language) or next(iter(found.values()), "")


def _bounded(texts: list[tuple[str, str]]) -> Iterator[InsertText]:
    """As many whole texts as there is room for."""
    left = LONGEST
    for title, text in texts:
        if text and len(text) <= left:
            left -= len(text)
            yield InsertText(title=storable(title), text=text)
