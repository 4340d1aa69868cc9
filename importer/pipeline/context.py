"""What every step of an import with a model works with: the card, the choices, the texts, and the tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from formats.card import Card, Piece, chosen, pieces_of
from formats.card.choice import Choices, Language
from formats.text.cleaning import replace_marks
from importer.pipeline.reasons import REASONS, Reasons
from importer.pipeline.words import WORDS, Words
from llm.decide import Decision
from llm.prompts import PromptLibrary
from llm.tasks import Answer, AnswerModel, Question, Task

A = TypeVar("A", bound=AnswerModel)
PASSAGE_END = "</passage>"


class Asking(Protocol):
    """Answers narrow questions; `llm.tasks.Tasks` does it with a model."""

    async def answer(
        self,
        task: Task[A],
        question: Question,
        check: Callable[[A], None] | None = None,
        *,
        title: str = "",
        about: str = "",
    ) -> Answer[A]: ...


class Deciding(Protocol):
    """Answers yes/no questions; None where it is unsure of itself (D13)."""

    async def decide(self, question: str, text: str) -> Decision | None: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """The settings of the server that the steps read (`IMPORT_…`)."""

    decisions: Literal["model", "decision"] = "model"
    confidence: float = 0.9
    variables_per_request: int = 25


@dataclass(frozen=True, slots=True)
class ImportContext:
    """One import as its steps see it. Nothing of it changes while they work.

    `pieces` are those passed on, by id in the card's order; `all_pieces` those of the whole card.
    """

    card: Card
    choices: Choices
    all_pieces: tuple[Piece, ...]
    pieces: Mapping[str, Piece]
    prompts: PromptLibrary
    tasks: Asking
    deciding: Deciding | None = None
    limits: Limits = Limits()

    @classmethod
    def of(
        cls,
        card: Card,
        choices: Choices,
        prompts: PromptLibrary,
        tasks: Asking,
        deciding: Deciding | None = None,
        limits: Limits | None = None,
    ) -> ImportContext:
        pieces = pieces_of(card)
        passed_on = {piece.id: piece for piece in chosen(card, choices, pieces)}
        return cls(card, choices, tuple(pieces), passed_on, prompts, tasks, deciding, limits or Limits())

    @property
    def language(self) -> Language:
        return self.choices.language

    @property
    def words(self) -> Words:
        return WORDS[self.choices.language]

    @property
    def reasons(self) -> Reasons:
        return REASONS[self.choices.language]

    def text_of(self, piece: Piece) -> str:
        """A piece as models read it and as lore keeps it: verbatim but for what D33 takes out."""
        return piece.as_lore(self.card.name).text

    def title_of(self, piece: Piece) -> str:
        """The piece's own title with its marks replaced, else its id."""
        return replace_marks(piece.title, self.card.name).strip() or piece.id

    def passages(self, pieces: Iterable[Piece]) -> str:
        """Pieces as a model reads them: what stands between the marks is text to read, never an order."""
        return "\n\n".join(self.passage(piece) for piece in pieces)

    def passage(self, piece: Piece) -> str:
        """One piece between marks that its own text cannot close."""
        title = " ".join(self.title_of(piece).replace('"', "'").split())[:120]
        text = self.text_of(piece).replace(PASSAGE_END, "</ passage>")
        return f'<passage id="{piece.id}" title="{title}">\n{text}\n{PASSAGE_END}'

    async def ask(
        self,
        task: Task[A],
        text: str,
        *,
        title: str,
        about: str = "",
        check: Callable[[A], None] | None = None,
        **values: str,
    ) -> A:
        """The value of `answer`."""
        return (await self.answer(task, text, title=title, about=about, check=check, **values)).value

    async def answer(
        self,
        task: Task[A],
        text: str,
        *,
        title: str,
        about: str = "",
        check: Callable[[A], None] | None = None,
        **values: str,
    ) -> Answer[A]:
        """Ask a narrow question with the instructions and examples of `import/<task name>`.

        `title` and `about` (an id) say to people what it is about; `values` fill the instructions.

        Raises:
            TaskFailed: no usable answer came; other questions may go on.
            DomainError: the model cannot be asked at all for now, or not any more.
        """
        prompt = f"import/{task.name}"
        question = Question(
            self.prompts.text(prompt, self.language, **values),
            text,
            self.prompts.examples(prompt, self.language),
        )
        return await self.tasks.answer(task, question, check, title=title, about=about)
