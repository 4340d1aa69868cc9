"""Sample cards, one in each shipped language: invented for this program, for a first look at it.

`make.py` draws their pictures and packs them; run it again after changing a text (`en.json`, `zh-hans.json`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Sample:
    """A card of ours. `title` is in its own language; `about` in the reader's."""

    language: str
    title: str
    about: Promise

    @property
    def filename(self) -> str:
        """The name an upload of it has."""
        return f"{self.title}.png"

    @property
    def thumbnail(self) -> str:
        """Its small picture among the static files."""
        return f"samples/{self.language}.webp"

    def read(self) -> bytes:
        """The card: a PNG with its data in it."""
        return (HERE / f"{self.language}.card.png").read_bytes()


SAMPLES = (
    Sample(
        "en",
        "The Ferry at Low Reach",
        _("In English: a ferrywoman, a river that keeps what falls in, and a fog that asks for names."),
    ),
    Sample(
        "zh-hans",
        "听雪驿",
        _("In Chinese: an inn on a snowed-in pass, its keeper, and letters that arrive too late."),
    ),
)


def sample_for(language: str) -> Sample | None:
    """The sample in this language."""
    return next((sample for sample in SAMPLES if sample.language == language), None)
