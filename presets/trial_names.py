"""Who is who in a trial: the names that were typed, else words of the reader's language.

The assembly itself has its own words for a work and a player without a name (PRE-16); they belong to play.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils.translation import pgettext_lazy

from presets.pipeline.trial import InsertText, TrialInputs

PLAYER: Final = "[PLAYER]"
"""How texts of a world name whoever plays (D9)."""
NO_CHARACTER: Final = pgettext_lazy("stands for a name", "the character")
NO_PLAYER: Final = pgettext_lazy("stands for a name", "the player")


def named(inputs: TrialInputs) -> TrialInputs:
    """A scene with a name for the character and the player, the player's also in texts of a world."""
    user = inputs.user or str(NO_PLAYER)

    def told(text: str) -> str:
        return text.replace(PLAYER, user)

    def inserts(texts: Iterable[InsertText]) -> tuple[InsertText, ...]:
        return tuple(InsertText(title=told(one.title)[:300], text=told(one.text)) for one in texts)

    return inputs.model_copy(
        update={
            "user": user,
            "char": inputs.char or str(NO_CHARACTER),
            "persona": told(inputs.persona),
            "story": told(inputs.story),
            "history": tuple(one.model_copy(update={"content": told(one.content)}) for one in inputs.history),
            "world_before": inserts(inputs.world_before),
            "world_after": inserts(inputs.world_after),
            "post_turn": inserts(inputs.post_turn),
        }
    )
