"""`resolve`: which books take part at one moment, and what of all of them the loader is given.

The one place where choice meets content: ids of books come in by who chose them, entries go out with their
place. The matcher and the projector are those of `formats.lorebook`, used once for all books together, so one
budget, one ranking and one contest of groups hold over them. Reading books, rolling dice and counting tokens
are the caller's; nothing here knows of sessions, of pages or of a database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, get_args

from formats.errors import DomainError
from formats.finding import Finding
from formats.lorebook.model import Entry, Number, WorldBook
from formats.lorebook.patterns import PatternRunner
from formats.lorebook.policy import Candidate, Candidates, compute_candidates
from formats.lorebook.projection import LoaderResult, merge_loader_results, project_for_loader
from formats.lorebook.simulator import SceneMessage
from formats.messages import gettext_noop

EMBEDDED: Final = "character_book"
"""The id of the book inside the card among the resources; no book of a library is called so."""
MOST_BOOKS: Final = 100
MOST_CHARACTERS: Final = 200_000
"""Of the match text; of a longer one the end counts, where the story is."""

Binding = Literal["session", "user", "preset", "character", "embedded"]
BINDINGS: Final[tuple[Binding, ...]] = get_args(Binding)[:-1]
ReadBook = Callable[[str], WorldBook]
"""Gives a book the reader may see. Raises DomainError: what is missing, spoilt or somebody else's."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The ids of the chosen books, by who chose them: the session itself, its user, preset and character."""

    session: tuple[str, ...] = ()
    user: tuple[str, ...] = ()
    preset: tuple[str, ...] = ()
    character: tuple[str, ...] = ()

    def bindings(self) -> dict[str, tuple[Binding, ...]]:
        """Each book once, where it is named first, with everybody who named it."""
        named: dict[str, list[Binding]] = {}
        for binding in BINDINGS:
            for book in dict.fromkeys(getattr(self, binding)):
                named.setdefault(book, []).append(binding)
        return {book: tuple(by) for book, by in named.items()}


@dataclass(frozen=True, slots=True)
class ActivationContext:
    """What wakes entries at this moment: the messages the loader chose, oldest first, and the whole text."""

    text: str
    frames: tuple[SceneMessage, ...] = ()

    @property
    def match_text(self) -> str:
        """What keys are looked for in: the chosen messages; the text where none is given apart."""
        return "\n".join(frame.text for frame in self.frames) if self.frames else self.text


@dataclass(frozen=True, slots=True)
class Matching:
    """The matcher's settings, for all books together. An entry is named as the loader's: `<book>:<uid>`."""

    case_sensitive: bool | None = None
    match_whole_words: bool | None = None
    use_group_scoring: bool | None = None
    token_budget: Number | None = None
    probability_rolls: Mapping[str, Number] = field(default_factory=dict)
    group_rolls: Mapping[str, Number] = field(default_factory=dict)
    token_costs: Mapping[str, Number] = field(default_factory=dict)
    vector_matches: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ResolvedBook:
    """A book that takes part, by which bindings it came, and which of its entries are in, best first."""

    id: str
    bindings: tuple[Binding, ...]
    model: WorldBook
    accepted: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the loader is given, with the record of how it came about.

    `candidates` is the one decision over all books; its entries are named `<book id>:<uid>` and numbered
    through. `result` has every book's part of it, in the order of `books`.
    """

    books: tuple[ResolvedBook, ...]
    conversation_text: str
    match_text: str
    candidates: Candidates
    result: LoaderResult


def resolve(
    *,
    selection: Selection,
    read_book: ReadBook,
    activation_context: ActivationContext | None = None,
    conversation_text: str = "",
    embedded: WorldBook | None = None,
    matching: Matching | None = None,
    run_patterns: PatternRunner | None = None,
) -> Resolved:
    """Match the chosen books and the card's own against one moment.

    The order of the books is that of the choice: the session's, then the user's, the preset's and the
    character's; the card's own book is the last. A book that cannot be read is told and left out.

    Args:
        selection: the chosen books.
        read_book: reads one, or raises DomainError.
        activation_context: the moment, in parts. Its text is the conversation's.
        conversation_text: the moment as a mere text, for callers that have no parts.
        embedded: the book in the character's card, where it is on.
        matching: the matcher's settings.
        run_patterns: the engine that runs patterns.
    """
    moment = activation_context or ActivationContext(conversation_text)
    match_text = moment.match_text
    told = [*_cut(match_text)]
    chosen = [*_read(selection, read_book, told)]
    if embedded is not None:
        chosen.append((EMBEDDED, ("embedded",), embedded))
    origins, entries = _numbered(chosen)
    options = matching or Matching()
    candidates = compute_candidates(
        entries,
        text=match_text[-MOST_CHARACTERS:],
        case_sensitive=options.case_sensitive,
        match_whole_words=options.match_whole_words,
        use_group_scoring=options.use_group_scoring,
        token_budget=options.token_budget,
        probability_rolls=options.probability_rolls,
        group_rolls=options.group_rolls,
        token_costs=options.token_costs,
        vector_matches=options.vector_matches,
        run_patterns=run_patterns,
    )
    books = _shared_out(chosen, origins, candidates)
    projected = (_projected(book, candidates) for book in books)
    return Resolved(
        books=books,
        conversation_text=moment.text,
        match_text=match_text[-MOST_CHARACTERS:],
        candidates=candidates,
        result=merge_loader_results([LoaderResult(diagnostics=tuple(told)), *projected]),
    )


_Chosen = tuple[str, tuple[Binding, ...], WorldBook]


def _read(selection: Selection, read_book: ReadBook, told: list[Finding]) -> Iterator[_Chosen]:
    """The chosen books that can be read; what is wrong with the others is `told`."""
    for place, (book, bindings) in enumerate(selection.bindings().items()):
        if place >= MOST_BOOKS:
            told.append(_too_many())
            return
        try:
            yield book, bindings, read_book(book)
        except DomainError as error:
            told.append(_unread(book, error))


def _numbered(chosen: Sequence[_Chosen]) -> tuple[list[tuple[int, Entry]], list[Entry]]:
    """The entries of all books as one list, with the book and the entry that each one stands for.

    Entries of equal order are ranked by their number, so it runs on from book to book; and uids repeat from
    book to book, so the book's id stands before them.
    """
    origins = [(place, entry) for place, (_, _, model) in enumerate(chosen) for entry in model.entries]
    ids = [book for book, _, _ in chosen]
    entries = [
        replace(entry, uid=f"{ids[place]}:{entry.uid}", source=replace(entry.source, index=number))
        for number, (place, entry) in enumerate(origins)
    ]
    return origins, entries


def _shared_out(
    chosen: Sequence[_Chosen], origins: list[tuple[int, Entry]], candidates: Candidates
) -> tuple[ResolvedBook, ...]:
    """The accepted candidates given back to their books, with the entries as they stand there."""
    accepted: list[list[Candidate]] = [[] for _ in chosen]
    for candidate in candidates.accepted:
        place, entry = origins[candidate.entry.source.index]
        evaluation = replace(candidate.evaluation, entry=entry)
        accepted[place].append(replace(candidate, evaluation=evaluation))
    return tuple(
        ResolvedBook(book, bindings, model, tuple(own))
        for (book, bindings, model), own in zip(chosen, accepted, strict=True)
    )


def _projected(book: ResolvedBook, candidates: Candidates) -> LoaderResult:
    own = Candidates(book.accepted, candidates.budget, tuple)
    return project_for_loader(book.model, own, resource_id=book.id)


def _cut(match_text: str) -> Iterator[Finding]:
    if len(match_text) > MOST_CHARACTERS:
        yield Finding(
            "info",
            "WORLD_BOOK_TEXT_CUT",
            "activationContext",
            gettext_noop("Only the last {count} characters of the messages were searched for keys."),
            args={"count": MOST_CHARACTERS},
        )


def _unread(book: str, error: DomainError) -> Finding:
    """Why a chosen book is not there, in the words of whoever refused it."""
    args: dict[str, Any] = {**error.values, "code": error.code}
    return Finding("warning", "WORLD_BOOK_UNREADABLE", book[:200], error.message, error.hint, args)


def _too_many() -> Finding:
    return Finding(
        "warning",
        "WORLD_BOOK_TOO_MANY",
        "selection",
        gettext_noop("At most {count} books are searched together. The rest of those chosen is left out."),
        args={"count": MOST_BOOKS},
    )
