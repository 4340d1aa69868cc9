"""An endpoint: where a model is, what it costs and what it can do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal, get_args

Kind = Literal["openai", "anthropic", "google"]
KINDS: tuple[Kind, ...] = get_args(Kind)
AnswerForm = Literal["schema", "tool", "text"]

DEFAULT_ADDRESSES: dict[Kind, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}


@dataclass(frozen=True, slots=True)
class Prices:
    """Money for a million tokens; None where it is not known, and then a call has no known cost."""

    input: Decimal | None = None
    output: Decimal | None = None
    cached: Decimal | None = None  # where it is missing, cached tokens cost what the others do
    currency: str = "USD"


@dataclass(frozen=True, slots=True)
class Abilities:
    """What was found when the endpoint was tested, or was set by hand; None = not known yet.

    `schema`: an answer can be held to a JSON schema. `system_first`: a system message is taken at the start.
    `many_systems`: several, and in the middle too.
    """

    tools: bool | None = None
    schema: bool | None = None
    streaming: bool | None = None
    system_first: bool | None = None
    many_systems: bool | None = None

    @property
    def answer_form(self) -> AnswerForm:
        """How a narrow answer is asked for (D14)."""
        if self.schema:
            return "schema"
        return "tool" if self.tools else "text"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model at one address. The key never shows: not in `repr`, not in what is logged or raised."""

    kind: Kind
    base_url: str
    model: str
    key: str = field(default="", repr=False)
    context_length: int | None = None
    prices: Prices = Prices()
    abilities: Abilities = Abilities()
    strong: bool = False  # takes several questions in one request well

    def address(self, path: str) -> str:
        """The full address of a path of the service."""
        return f"{self.base_url.strip().rstrip('/')}/{path.lstrip('/')}"

    def with_model(self, model: str) -> Endpoint:
        return replace(self, model=model)

    def without_key(self, text: str) -> str:
        """A text of the service, in case it says the key back."""
        return text.replace(self.key, "…") if len(self.key) >= 4 else text
